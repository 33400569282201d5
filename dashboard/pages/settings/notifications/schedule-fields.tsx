import { Group, MultiSelect, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import type { Digest, QuietHours, Schedule } from '../../../../domain/notification/schedule.js';
import { WEEKDAYS } from '../../../../domain/time-zone.js';
import type { SaveRule } from '../../../../services/notifications/wire.js';

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [...new Set(['UTC', OWN_ZONE, ...Intl.supportedValuesOf('timeZone')])];
const NEW_QUIET_HOURS: QuietHours = { time_zone: OWN_ZONE, from: '22:00', to: '07:00', weekdays: [...WEEKDAYS] };
const NEW_DIGESTS: Readonly<Record<string, Digest>> = { repeated: { every_minutes: 60 }, daily: { at: '08:00', time_zone: OWN_ZONE } };

export function describeSchedule({ quiet_hours: quiet, digest, critical_at_once: isImpatient }: Schedule): string {
  const parts = [
    ...(digest === null
      ? []
      : [`digest ${'at' in digest ? `at ${digest.at} (${digest.time_zone})` : `every ${digest.every_minutes} minutes`}`]),
    ...(quiet === null ? [] : [`quiet ${quiet.from}–${quiet.to} (${quiet.time_zone})`]),
  ];
  if (parts.length === 0) return 'At once';
  return [...parts, ...(isImpatient ? ['critical at once'] : [])].join(', ');
}

function Zone({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  return (
    <Select
      label="Time zone"
      data={ZONES.includes(value) ? ZONES : [value, ...ZONES]}
      value={value}
      onChange={(zone) => onChange(zone ?? OWN_ZONE)}
      searchable
      limit={100}
      allowDeselect={false}
    />
  );
}

function TimeOfDay({ label, value, onChange }: { label: string; value: string; onChange: (time: string) => void }) {
  return <TextInput type="time" label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
}

/** When the rule sends. Only channels for people have digests. */
export function ScheduleFields(props: { given: Schedule; hasDigests: boolean; set: (change: Partial<SaveRule>) => void }) {
  const { given, hasDigests, set } = props;
  const { quiet_hours: quiet, digest, critical_at_once: isImpatient } = given;
  const setQuiet = (change: Partial<QuietHours>) => quiet !== null && set({ quiet_hours: { ...quiet, ...change } });
  const kind = digest === null ? 'none' : 'at' in digest ? 'daily' : 'repeated';
  return (
    <Stack gap="sm">
      {hasDigests && (
        <Select
          label="Messages"
          data={[
            { value: 'none', label: 'One for each event' },
            { value: 'repeated', label: 'Digest every few minutes' },
            { value: 'daily', label: 'Digest once a day' },
          ]}
          value={kind}
          onChange={(chosen) => set({ digest: NEW_DIGESTS[chosen ?? ''] ?? null })}
          allowDeselect={false}
        />
      )}
      {digest !== null && 'every_minutes' in digest && (
        <NumberInput
          label="Minutes between digests"
          min={5}
          max={1440}
          value={digest.every_minutes}
          onChange={(minutes) => set({ digest: { every_minutes: Number(minutes) } })}
        />
      )}
      {digest !== null && 'at' in digest && (
        <Group grow align="flex-start">
          <TimeOfDay label="Digest time" value={digest.at} onChange={(at) => set({ digest: { ...digest, at } })} />
          <Zone value={digest.time_zone} onChange={(zone) => set({ digest: { ...digest, time_zone: zone } })} />
        </Group>
      )}
      <Switch
        label="Quiet hours"
        description="Events wait until the quiet hours end."
        checked={quiet !== null}
        onChange={({ currentTarget }) => set({ quiet_hours: currentTarget.checked ? NEW_QUIET_HOURS : null })}
      />
      {quiet !== null && (
        <>
          <Group grow align="flex-start">
            <TimeOfDay label="From" value={quiet.from} onChange={(from) => setQuiet({ from })} />
            <TimeOfDay label="To" value={quiet.to} onChange={(to) => setQuiet({ to })} />
            <Zone value={quiet.time_zone} onChange={(zone) => setQuiet({ time_zone: zone })} />
          </Group>
          <MultiSelect
            label="Days on which they begin"
            data={[...WEEKDAYS]}
            value={quiet.weekdays}
            onChange={(days) => setQuiet({ weekdays: WEEKDAYS.filter((day) => days.includes(day)) })}
          />
        </>
      )}
      {(quiet !== null || digest !== null) && (
        <Switch
          label="Send events of critical cases at once"
          checked={isImpatient}
          onChange={({ currentTarget }) => set({ critical_at_once: currentTarget.checked })}
        />
      )}
    </Stack>
  );
}
