import { Card, Group, Stack, Text } from '@mantine/core';
import type { InvestigationRecord } from '../../../domain/case/case.js';
import { VerdictBadge } from '../../components/badges.js';
import { PageLink } from '../../components/page.js';
import { formatDuration, Time } from '../../components/time.js';

/** Every investigation of the case's alerts, with the changes since the one before. */
export function Investigations({ investigations }: { investigations: readonly InvestigationRecord[] }) {
  return (
    <Stack gap="xs">
      {investigations.map((investigation) => (
        <Investigation key={`${investigation.alert_id} ${investigation.investigation_no}`} investigation={investigation} />
      ))}
    </Stack>
  );
}

function Investigation({ investigation }: { investigation: InvestigationRecord }) {
  const { alert_id, investigation_no, playbook, plan_version, build, attempt, started_at, ended_at, changed } = investigation;
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          <PageLink to="/alerts/$alertId" params={{ alertId: alert_id }} size="sm">
            {alert_id}
          </PageLink>
          , investigation {investigation_no}
        </Text>
        {investigation.verdict === null ? <Text size="sm">{investigation.status}</Text> : <VerdictBadge verdict={investigation.verdict} />}
      </Group>
      <Text size="sm">
        {playbook ?? 'No investigator'}
        {plan_version === null ? '' : `, plan version ${plan_version}`}
        {build === null ? '' : `, build ${build}`}
        {attempt > 1 ? `, attempt ${attempt}` : ''}; started <Time at={started_at} />
        {ended_at === null ? ', in progress' : `, took ${formatDuration(ended_at - started_at)}`}
      </Text>
      {changed !== null && (
        <Stack gap={2} mt="xs">
          <Text size="sm" fw={500}>
            Since investigation {changed.since_investigation_no}:{' '}
            {changed.verdict_before === changed.verdict_now
              ? `still ${changed.verdict_now}`
              : `${changed.verdict_before ?? 'no verdict'} → ${changed.verdict_now}`}
          </Text>
          {changed.evidence.length === 0 && <Text size="sm">No other changes.</Text>}
          {changed.evidence.map((each) => (
            <Text key={`${each.change} ${each.title}`} size="sm" className="breakable">
              {each.change}: {each.title}
              {each.points_before === null && each.points_now === null ? '' : ` (${each.points_before ?? 0} → ${each.points_now ?? 0})`}
            </Text>
          ))}
        </Stack>
      )}
    </Card>
  );
}
