import { Badge, Card, Code, Grid, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AlertDetail } from '../../domain/alert/alert.js';
import type { CaseDetail } from '../../domain/case/case.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { api } from '../api.js';
import { StatusBadge, VerdictBadge } from '../components/badges.js';
import { Entities } from '../components/entities.js';
import { Page, PageLink } from '../components/page.js';
import { ErrorState, PageSkeleton } from '../components/states.js';
import { duration, Time } from '../components/time.js';
import { WaitsFor } from '../components/waits-for.js';
import { AlertActions, useInvestigateAgain } from './alert/actions.js';
import { Steps } from './alert/steps.js';
import { UnderWay } from './alert/under-way.js';
import { Investigations } from './case/investigations.js';

const STILL_RUNNING: readonly number[] = [0, 5, 10];
const REFRESH_WHILE_RUNNING_MS = 2_000;

export function AlertPage() {
  const { alertId } = useParams({ from: '/inside/alerts/$alertId' });
  const again = useInvestigateAgain(alertId);
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'one', alertId],
    queryFn: () => api.get<AlertDetail>(`/alerts/${encodeURIComponent(alertId)}`),
    refetchInterval: ({ state }) => (STILL_RUNNING.includes(state.data?.investigation_status ?? 15) ? REFRESH_WHILE_RUNNING_MS : false),
  });
  if (error) return <ErrorState error={error} again={refetch} />;
  if (!data) return <PageSkeleton />;
  const isRunning = STILL_RUNNING.includes(data.investigation_status);
  return (
    <Page
      title={
        <Group gap="xs" component="span">
          {data.alert_id}
          <StatusBadge status={data.investigation_status} />
        </Group>
      }
      actions={<AlertActions alert={data} isRunning={isRunning} again={again} />}
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            {data.waiting_on.map((waiting) => (
              <WaitsFor key={`${waiting.connection_id} ${waiting.skill_id}`} waiting={waiting} />
            ))}
            <Investigation alert={data} isRunning={isRunning} again={again} />
            <Content content={data.alert_content} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <AlertFacts alert={data} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

/** The newest investigation step by step; the ones before it below. */
function Investigation(props: { alert: AlertDetail; isRunning: boolean; again: ReturnType<typeof useInvestigateAgain> }) {
  const { alert, isRunning, again } = props;
  const caseId = alert.case_id;
  const { data, error, refetch } = useQuery({
    queryKey: ['cases', 'one', caseId],
    queryFn: () => api.get<CaseDetail>(`/cases/${encodeURIComponent(caseId ?? '')}`),
    refetchInterval: isRunning ? REFRESH_WHILE_RUNNING_MS : false,
    enabled: caseId !== null,
  });
  const ofThis = <Entry extends { alert_id: string }>(entries: readonly Entry[] = []) =>
    entries.filter(({ alert_id }) => alert_id === alert.alert_id);
  const [newest, ...earlier] = ofThis(data?.investigations);
  const evidence = ofThis(data?.evidence);
  const usedAgain = new Set(evidence.map(({ source }) => source?.result_id));
  const answers = alert.answers.filter(({ at, result_id }) => at >= (newest?.started_at ?? 0) || usedAgain.has(result_id));
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
              attempt {alert.investigation_retry_count + 1}
            </Badge>
          )}
          {newest?.ended_at != null && <Text size="sm">took {duration(newest.ended_at - newest.started_at)}</Text>}
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
          <Text size="sm">{caseId === null ? 'Waits for its turn.' : 'Under way: what is asked and found appears here.'}</Text>
        </Group>
      )}
      <UnderWay questions={alert.under_way ?? []} />
      <OpenProposals proposals={ofThis(data?.proposals)} />
      {error && <ErrorState error={error} again={refetch} />}
      {data && (
        <Steps answers={answers} evidence={evidence} onRepeatFrom={isRunning ? null : (step) => again.mutate({ from_step: step })} />
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

/** What was proposed and is not over: held, or waiting for somebody. It is decided in the case. */
function OpenProposals({ proposals }: { proposals: readonly Proposal[] }) {
  const open = proposals.filter(({ state, held_because, ended_at }) => ended_at === null && (state === 'waiting' || held_because !== null));
  if (open.length === 0) return null;
  return (
    <Stack gap="xs" mb="sm" component="section" aria-label="Proposed and not sent yet">
      <Title order={4} fz="sm">
        Proposed and not sent yet
      </Title>
      {open.map(({ proposal_id, skill_id, connection, held_because, case_id }) => (
        <div key={proposal_id}>
          <PageLink to="/cases/$caseId" params={{ caseId: case_id }} size="sm" underline="always" className="breakable">
            {skill_id} with {connection}
          </PageLink>
          <Text size="xs" className="breakable">
            {held_because === null ? 'Waits for a person.' : `Held: ${held_because}`}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

/** As text, whatever it holds; pretty where it is JSON. */
function Content({ content }: { content: string }) {
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Content
      </Title>
      <Code block className="wrapped" mah={480} style={{ overflow: 'auto' }} tabIndex={0} aria-label="Content of the alert" role="region">
        {pretty(content)}
      </Code>
    </Card>
  );
}

function pretty(content: string): string {
  if (!/^\s*[[{]/.test(content)) return content;
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
}

function AlertFacts({ alert }: { alert: AlertDetail }) {
  const facts: readonly [string, ReactNode][] = [
    ['Alert name', alert.alert_type],
    ['Organization', alert.organization_code],
    ['Provider', alert.alert_provider],
    ['Investigator', alert.playbook ?? '–'],
    ['Came', <Time key="came" at={alert.created_at} />],
    ['Happened', <Time key="happened" at={alert.created_at_source === null ? null : Number(alert.created_at_source)} />],
    ['Completed', <Time key="completed" at={alert.completed_at} />],
  ];
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        About this alert
      </Title>
      <Stack gap="xs">
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text size="xs" fw={600}>
              {name}
            </Text>
            <Text size="sm" component="div" className="breakable">
              {value}
            </Text>
          </div>
        ))}
        <Stack gap={4}>
          <Text size="xs" fw={600}>
            Entities
          </Text>
          {alert.entities.length === 0 ? <Text size="sm">none found</Text> : <Entities entities={alert.entities} />}
        </Stack>
      </Stack>
    </Card>
  );
}
