import { Button, Card, Group, NumberInput, Select, SimpleGrid, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SlaTarget } from '../../../domain/sla/policy.js';
import { Weekday } from '../../../domain/time-zone.js';
import type { Severity } from '../../../domain/verdict/evidence.js';
import type { SlaPolicy } from '../../../services/sla/wire.js';
import { api, unwrap } from '../../api.js';
import { ErrorState, PageSkeleton } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { useIsAdmin } from '../../session.js';
import { SEVERITIES } from '../cases/filters.js';
import { OrganizationChoice } from './organization-choice.js';
import { AROUND_THE_CLOCK, OFFICE_HOURS, readDay, splitList, type WeekText, writeWeek } from './sla/hours.js';

/** How fast an organization wants its cases acknowledged and closed, and when its clocks run. */
export function Sla() {
  return (
    <Stack>
      <OrganizationChoice>{(code) => <OrganizationSla key={code} code={code} />}</OrganizationChoice>
    </Stack>
  );
}

function OrganizationSla({ code }: { code: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', 'sla', code],
    queryFn: () => unwrap(api.GET('/organizations/{organization_code}/sla', { params: { path: { organization_code: code } } })),
  });
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <PageSkeleton />;
  return <PolicyForm policy={data} />;
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function PolicyForm({ policy }: { policy: SlaPolicy }) {
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const { organization_code: code } = policy;
  const [targets, setTargets] = useState(policy.targets);
  const [timeZone, setTimeZone] = useState(policy.time_zone);
  const [week, setWeek] = useState(() => writeWeek(policy.hours));
  const [holidays, setHolidays] = useState(() => policy.holidays.join(', '));
  const [warnPercent, setWarnPercent] = useState(policy.warn_percent);
  const hours = Weekday.options.map((day) => readDay(day, week[day]));
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT('/organizations/{organization_code}/sla', {
          params: { path: { organization_code: code } },
          body: {
            time_zone: timeZone,
            hours: hours.flatMap((day) => day ?? []),
            holidays: splitList(holidays),
            warn_percent: warnPercent,
            targets,
          },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['settings'] }),
  });
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={3} fz="md">
          SLA of {code}
        </Title>
        <Text size="sm" maw={640}>
          The clocks of a case start when it opens. The first entry of a person in its timeline acknowledges it. The service sends
          sla.due_soon before a limit and sla.breached after it.
        </Text>
        <Text size="sm" role="status">
          {policy.modified_at === null ? (
            'No targets yet: cases have no time limits.'
          ) : (
            <>
              Saved <Time at={policy.modified_at} />. A change applies to running clocks too.
            </>
          )}
        </Text>
        <Targets targets={targets} isReadOnly={!isAdmin} onChange={setTargets} />
        <NumberInput
          label="Warn after (% of the limit)"
          min={1}
          max={99}
          maw={420}
          allowDecimal={false}
          readOnly={!isAdmin}
          value={warnPercent}
          onChange={(percent) => setWarnPercent(typeof percent === 'number' ? percent : 80)}
        />
        <Select
          label="Time zone"
          data={[...new Set(['UTC', policy.time_zone, ...Intl.supportedValuesOf('timeZone')])]}
          searchable
          limit={100}
          allowDeselect={false}
          maw={420}
          readOnly={!isAdmin}
          value={timeZone}
          onChange={(zone) => zone !== null && setTimeZone(zone)}
        />
        <WorkingWeek week={week} isReadOnly={!isAdmin} onChange={setWeek} />
        <Textarea
          label="Holidays"
          description="Dates such as 2026-12-25, separated by commas. The clocks stand still for the whole day."
          autosize
          maw={420}
          readOnly={!isAdmin}
          value={holidays}
          onChange={(event) => setHolidays(event.currentTarget.value)}
        />
        {save.error && <ErrorState error={save.error} />}
        {isAdmin && (
          <Group>
            <Button size="xs" loading={save.isPending} disabled={hours.includes(null)} onClick={() => save.mutate()}>
              Save SLA
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}

interface EditorProps {
  readonly isReadOnly: boolean;
}

const LIMITS = [
  { name: 'acknowledge_minutes', label: 'acknowledge within (working minutes)' },
  { name: 'close_minutes', label: 'close within (working minutes)' },
] as const;

/** Blank fields are no limit. */
function Targets({ targets, isReadOnly, onChange }: EditorProps & { targets: SlaTarget[]; onChange: (targets: SlaTarget[]) => void }) {
  const findTarget = (severity: Severity) =>
    targets.find((target) => target.severity === severity) ?? { severity, acknowledge_minutes: null, close_minutes: null };
  const change = (severity: Severity, name: (typeof LIMITS)[number]['name'], minutes: number | string) => {
    const changed = { ...findTarget(severity), [name]: typeof minutes === 'number' ? minutes : null };
    const others = targets.filter((target) => target.severity !== severity);
    onChange(changed.acknowledge_minutes === null && changed.close_minutes === null ? others : [...others, changed]);
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} maw={860} spacing="xs">
      {SEVERITIES.flatMap((severity) =>
        LIMITS.map(({ name, label }) => (
          <NumberInput
            key={`${severity} ${name}`}
            label={`${capitalize(severity)}: ${label}`}
            placeholder="No limit"
            min={1}
            allowDecimal={false}
            readOnly={isReadOnly}
            value={findTarget(severity)[name] ?? ''}
            onChange={(minutes) => change(severity, name, minutes)}
          />
        )),
      )}
    </SimpleGrid>
  );
}

function WorkingWeek({ week, isReadOnly, onChange }: EditorProps & { week: WeekText; onChange: (week: WeekText) => void }) {
  return (
    <Stack gap="xs" component="section" aria-label="Working hours">
      <Title order={4} fz="sm">
        Working hours
      </Title>
      <Text size="xs">Such as 08:00-12:00, 13:00-17:00. Hours that end before they begin end on the next day: 22:00-06:00.</Text>
      {!isReadOnly && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => onChange(AROUND_THE_CLOCK)}>
            Around the clock
          </Button>
          <Button size="xs" variant="default" onClick={() => onChange(OFFICE_HOURS)}>
            Weekdays from 9 to 17
          </Button>
        </Group>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} maw={860} spacing="xs">
        {Weekday.options.map((day) => (
          <TextInput
            key={day}
            label={capitalize(day)}
            placeholder="Closed"
            readOnly={isReadOnly}
            error={readDay(day, week[day]) === null && 'Enter times such as 08:00-17:00'}
            value={week[day]}
            onChange={(event) => onChange({ ...week, [day]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
