import { Button, Card, Group, NumberInput, Select, SimpleGrid, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { SlaTarget } from '../../../domain/sla/policy.js';
import { Weekday } from '../../../domain/time-zone.js';
import type { Severity } from '../../../domain/verdict/evidence.js';
import type { SlaPolicy } from '../../../services/sla/wire.js';
import { ErrorState, PageSkeleton } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { capitalize, SEVERITIES } from '../../options.js';
import { saveSla, slaQuery } from '../../queries/organization-settings.js';
import { useIsAdmin } from '../../session.js';
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
  const { data, error, refetch } = useQuery(slaQuery(code));
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <PageSkeleton />;
  return <PolicyForm policy={data} />;
}

function PolicyForm({ policy }: { policy: SlaPolicy }) {
  const isAdmin = useIsAdmin();
  const { organization_code: code, targets, time_zone, warn_percent } = policy;
  const { values, getInputProps, setFieldValue } = useForm({
    initialValues: { targets, time_zone, warn_percent, week: writeWeek(policy.hours), holidays: policy.holidays.join(', ') },
  });
  const { week, holidays, ...given } = values;
  const hours = Weekday.options.map((day) => readDay(day, week[day]));
  const save = useMutation(saveSla(code));
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={3} fz="md">
          {code} SLA
        </Title>
        <Text size="sm" maw={640}>
          The clocks of a case start when it opens. A person's first entry in its timeline acknowledges it. The service sends sla.due_soon
          before a limit and sla.breached after it.
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
        <Targets targets={values.targets} isReadOnly={!isAdmin} onChange={(changed) => setFieldValue('targets', changed)} />
        <NumberInput
          label="Warn after (% of the limit)"
          min={1}
          max={99}
          maw={420}
          allowDecimal={false}
          readOnly={!isAdmin}
          value={values.warn_percent}
          onChange={(percent) => setFieldValue('warn_percent', typeof percent === 'number' ? percent : 80)}
        />
        <Select
          label="Time zone"
          data={[...new Set(['UTC', policy.time_zone, ...Intl.supportedValuesOf('timeZone')])]}
          searchable
          limit={100}
          allowDeselect={false}
          maw={420}
          readOnly={!isAdmin}
          {...getInputProps('time_zone')}
        />
        <WorkingWeek week={week} isReadOnly={!isAdmin} onChange={(changed) => setFieldValue('week', changed)} />
        <Textarea
          label="Holidays"
          description="Dates such as 2026-12-25, separated by commas. The clocks stand still for the whole day."
          autosize
          maw={420}
          readOnly={!isAdmin}
          {...getInputProps('holidays')}
        />
        {save.error && <ErrorState error={save.error} />}
        {isAdmin && (
          <Group>
            <Button
              size="xs"
              loading={save.isPending}
              disabled={hours.includes(null)}
              onClick={() => save.mutate({ ...given, hours: hours.flatMap((day) => day ?? []), holidays: splitList(holidays) })}
            >
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
