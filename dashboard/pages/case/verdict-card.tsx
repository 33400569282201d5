import { Alert, Card, Group, Loader, Stack, Text, Title } from '@mantine/core';
import type { CaseDetail } from '../../../domain/case/case.js';
import type { Evidence } from '../../../domain/verdict/evidence.js';
import { VerdictBadge } from '../../components/badges.js';
import { PageLink } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { WaitingNotice } from '../../components/waiting-notice.js';
import { Reason } from './evidence-entry.js';

/** The verdict with its reasons, and the verdict of the analyst. */
export function VerdictCard({ found, reasons }: { found: CaseDetail; reasons: readonly Evidence[] }) {
  return (
    <Card withBorder>
      <Group gap="sm" mb="xs">
        <Title order={3} fz="md">
          Verdict
        </Title>
        <VerdictBadge verdict={found.verdict} />
        {found.score !== null && (
          <Text size="sm">
            Score {found.score} of 100, confidence {found.confidence} of 100
          </Text>
        )}
      </Group>
      {found.verdict === null && <InProgress found={found} />}
      <Reasons found={found} reasons={reasons} />
      <SeverityReasons found={found} />
      {found.analyst_verdict !== null && (
        <Alert mt="sm" color="blue" variant="light" title={`Analyst verdict: ${found.analyst_verdict}`}>
          <Text size="sm" className="breakable">
            {found.analyst_verdict_reason}
          </Text>
        </Alert>
      )}
      {found.waiting_on.length > 0 && (
        <Stack gap="xs" mt="sm">
          {found.waiting_on.map((waiting) => (
            <WaitingNotice key={`${waiting.connection_id} ${waiting.skill_id}`} waiting={waiting} />
          ))}
        </Stack>
      )}
    </Card>
  );
}

/** A case exists before its verdict. The page then shows what the service does, not empty fields. */
function InProgress({ found }: { found: CaseDetail }) {
  const running = found.investigations.find(({ ended_at: endedAt }) => endedAt === null);
  return (
    <Group gap="sm" role="status" mb="xs">
      <Loader size="xs" aria-hidden />
      <Text size="sm">
        The investigation is in progress
        {running ? (
          <>
            {' '}
            since <Time at={running.started_at} />
            {running.attempt > 1 ? `, attempt ${running.attempt}` : ''}
          </>
        ) : null}
        . Verdict, score and severity follow. Findings appear here as they arrive.
      </Text>
    </Group>
  );
}

function Reasons({ found, reasons }: { found: CaseDetail; reasons: readonly Evidence[] }) {
  const alertIds = found.alert_ids.filter((alertId) => reasons.some((reason) => reason.alert_id === alertId));
  if (alertIds.length === 0) return found.verdict === null ? null : <Text size="sm">{describeWithoutReasons(found)}</Text>;
  return (
    <Stack gap="md">
      {alertIds.map((alertId) => (
        <Stack key={alertId} gap="sm">
          {found.alert_ids.length > 1 && (
            <Text size="sm" fw={600}>
              From{' '}
              <PageLink to="/alerts/$alertId" params={{ alertId }} size="sm">
                {alertId}
              </PageLink>
            </Text>
          )}
          {reasons
            .filter((reason) => reason.alert_id === alertId)
            .map((reason) => (
              <Reason key={reason.evidence_id} entry={reason} />
            ))}
        </Stack>
      ))}
    </Stack>
  );
}

function SeverityReasons({ found: { severity, severity_reasons: reasons } }: { found: CaseDetail }) {
  if (severity === null || reasons.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt="sm" className="breakable">
      Severity {severity}: {reasons.join('. ')}.
    </Text>
  );
}

/** The summary of a failed investigation has the cause in its first line. */
function describeWithoutReasons({ summary }: CaseDetail): string {
  const [first = ''] = summary.split('\n');
  return first === '' ? 'No findings.' : first;
}
