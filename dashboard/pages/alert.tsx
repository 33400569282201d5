import { Badge, Card, Code, Grid, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CaseProposal } from '../../domain/response/proposal.js';
import type { AlertDetail } from '../../services/alerts/wire.js';
import { StatusBadge, VerdictBadge } from '../components/badges.js';
import { Entities } from '../components/entities.js';
import { Fact } from '../components/fact.js';
import { Page, PageLink } from '../components/page.js';
import { ErrorState, PageSkeleton } from '../components/states.js';
import { formatDuration, Time } from '../components/time.js';
import { WaitingNotice } from '../components/waiting-notice.js';
import { alertQuery, isRunning as isUnderWay, refreshWhile } from '../queries/alerts.js';
import { caseQuery } from '../queries/cases.js';
import { AlertActions, useReinvestigate } from './alert/actions.js';
import { PendingQuestions } from './alert/pending-questions.js';
import { Steps } from './alert/steps.js';
import { Investigations } from './case/investigations.js';

export function AlertPage() {
  const { alertId } = useParams({ from: '/inside/alerts/$alertId' });
  const reinvestigate = useReinvestigate(alertId);
  const { data, error, refetch } = useQuery({
    ...alertQuery(alertId),
    refetchInterval: ({ state: { data: alert } }) => refreshWhile(alert !== undefined && isUnderWay(alert)),
  });
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  const isRunning = isUnderWay(data);
  return (
    <Page
      name={`${data.alert_type} (${data.alert_id})`}
      title={
        <Group gap="xs" component="span">
          {data.alert_id}
          <StatusBadge status={data.investigation_status} />
        </Group>
      }
      actions={<AlertActions alert={data} isRunning={isRunning} reinvestigate={reinvestigate} />}
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            {data.waiting_on.map((waiting) => (
              <WaitingNotice key={`${waiting.connection_id} ${waiting.skill_id}`} waiting={waiting} />
            ))}
            <Investigation alert={data} isRunning={isRunning} reinvestigate={reinvestigate} />
            <Content content={data.alert_content} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <DetailsCard alert={data} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Investigation(props: { alert: AlertDetail; isRunning: boolean; reinvestigate: ReturnType<typeof useReinvestigate> }) {
  const { alert, isRunning, reinvestigate } = props;
  const caseId = alert.case_id;
  const { data, error, refetch } = useQuery({
    ...caseQuery(caseId ?? ''),
    refetchInterval: refreshWhile(isRunning),
    enabled: caseId !== null,
  });
  const selectOwn = <Entry extends { alert_id: string }>(entries: readonly Entry[] = []) =>
    entries.filter(({ alert_id }) => alert_id === alert.alert_id);
  const [newest, ...earlier] = selectOwn(data?.investigations);
  const evidence = selectOwn(data?.evidence);
  const reused = new Set(evidence.map(({ source }) => source?.result_id));
  const answers = alert.answers.filter(({ at, result_id }) => at >= (newest?.started_at ?? 0) || reused.has(result_id));
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <Group gap="xs">
          <Title order={3} fz="md">
            Investigation
          </Title>
          {newest && <VerdictBadge verdict={newest.verdict} />}
          {alert.investigation_retry_count > 0 && (
            <Badge variant="light" color="yellow" tt="none">
              Attempt {alert.investigation_retry_count + 1}
            </Badge>
          )}
          {newest?.ended_at != null && <Text size="sm">Took {formatDuration(newest.ended_at - newest.started_at)}</Text>}
        </Group>
        {caseId !== null && (
          <PageLink to="/cases/$caseId" params={{ caseId }} size="sm">
            Open {caseId}
          </PageLink>
        )}
      </Group>
      {isRunning && (
        <Group gap="xs" mb="sm" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{caseId === null ? 'Queued.' : 'In progress. New steps and findings appear here.'}</Text>
        </Group>
      )}
      <PendingQuestions questions={alert.under_way ?? []} />
      <OpenProposals proposals={selectOwn(data?.proposals)} />
      {error && <ErrorState error={error} retry={refetch} />}
      {data && (
        <Steps answers={answers} evidence={evidence} onRerunFrom={isRunning ? null : (step) => reinvestigate.mutate({ from_step: step })} />
      )}
      {earlier.length > 0 && (
        <Stack gap="xs" mt="md">
          <Title order={4} fz="sm">
            Earlier investigations
          </Title>
          <Investigations investigations={earlier} />
        </Stack>
      )}
    </Card>
  );
}

/** Proposals without a decision, and approved ones that are on hold. The case page has the buttons to decide. */
function OpenProposals({ proposals }: { proposals: readonly CaseProposal[] }) {
  const open = proposals.filter(({ state, held_because, ended_at }) => ended_at === null && (state === 'waiting' || held_because !== null));
  if (open.length === 0) return null;
  return (
    <Stack gap="xs" mb="sm" component="section" aria-label="Proposed actions">
      <Title order={4} fz="sm">
        Proposed actions
      </Title>
      {open.map(({ proposal_id, sentence, held_because, case_id }) => (
        <div key={proposal_id}>
          <PageLink to="/cases/$caseId" params={{ caseId: case_id }} size="sm" underline="always" className="breakable">
            {sentence}
          </PageLink>
          <Text size="xs" className="breakable">
            {held_because === null ? 'Needs approval' : `On hold: ${held_because}`}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

/** The content comes from outside: it is shown as text, indented where it is JSON. */
function Content({ content }: { content: string }) {
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Content
      </Title>
      <Code block className="wrapped" mah={480} style={{ overflow: 'auto' }} tabIndex={0} aria-label="Alert content" role="region">
        {indentJson(content)}
      </Code>
    </Card>
  );
}

function indentJson(content: string): string {
  if (!/^\s*[[{]/.test(content)) return content;
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
}

function DetailsCard({ alert }: { alert: AlertDetail }) {
  const details: readonly [string, ReactNode][] = [
    ['Alert name', alert.alert_type],
    ['Organization', alert.organization_code],
    ['Provider', alert.alert_provider],
    ['Investigator', alert.playbook ?? '–'],
    ['Why this investigator', alert.playbook_reason ?? '–'],
    ['Received', <Time key="received" at={alert.created_at} />],
    ['Occurred', <Time key="occurred" at={alert.created_at_source === null ? null : Number(alert.created_at_source)} />],
    ['Completed', <Time key="completed" at={alert.completed_at} />],
  ];
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Details
      </Title>
      <Stack gap="xs">
        {details.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        <Stack gap={4}>
          <Text size="xs" fw={600}>
            Entities
          </Text>
          {alert.entities.length === 0 ? (
            <Text size="sm">None</Text>
          ) : (
            <Entities entities={alert.entities} own={alert.own} organizationCode={alert.organization_code} />
          )}
        </Stack>
      </Stack>
    </Card>
  );
}
