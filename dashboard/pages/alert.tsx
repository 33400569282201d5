import { Alert, Button, Card, Code, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { AlertDetail } from '../../domain/alert.js';
import type { CaseDetail } from '../../domain/case.js';
import { api } from '../api.js';
import { StatusBadge, VerdictBadge } from '../components/badges.js';
import { Page, PageLink } from '../components/page.js';
import { ErrorState, PageSkeleton } from '../components/states.js';
import { Time } from '../components/time.js';
import { useSession } from '../session.js';
import { EvidenceList } from './case/evidence-list.js';
import { Investigations } from './case/investigations.js';

const STILL_RUNNING: readonly number[] = [0, 5, 10];
const REFRESH_WHILE_RUNNING_MS = 2_000;

export function AlertPage() {
  const { alertId } = useParams({ from: '/inside/alerts/$alertId' });
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'one', alertId],
    queryFn: () => api.get<AlertDetail>(`/alerts/${encodeURIComponent(alertId)}`),
    refetchInterval: ({ state }) => (STILL_RUNNING.includes(state.data?.investigation_status ?? 15) ? REFRESH_WHILE_RUNNING_MS : false),
  });
  if (error) return <ErrorState error={error} again={refetch} />;
  if (!data) return <PageSkeleton />;
  return (
    <Page
      title={
        <Group gap="xs" component="span">
          {data.alert_id}
          <StatusBadge status={data.investigation_status} />
        </Group>
      }
      actions={<AlertActions alert={data} />}
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            {data.waiting_on.map((waiting) => (
              <Alert
                key={`${waiting.connection_id} ${waiting.skill_id}`}
                color="yellow"
                variant="light"
                title={`Waits for ${waiting.instance_name}`}
              >
                <Text size="sm" className="breakable">
                  {waiting.skill_id}: {waiting.reason}
                </Text>
                <Text size="sm">
                  Since <Time at={waiting.since} />
                </Text>
              </Alert>
            ))}
            {data.case_id !== null && <Investigation caseId={data.case_id} alert={data} />}
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

function AlertActions({ alert }: { alert: AlertDetail }) {
  const { temporal_web: temporalWeb } = useSession();
  const queryClient = useQueryClient();
  const again = useMutation({
    mutationFn: () => api.post(`/alerts/${encodeURIComponent(alert.alert_id)}/investigate`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['alerts'] }),
  });
  return (
    <>
      {temporalWeb !== null && (
        <Button
          component="a"
          size="xs"
          variant="default"
          target="_blank"
          rel="noreferrer"
          href={`${temporalWeb}/workflows/${encodeURIComponent(alert.alert_id)}`}
          rightSection={<IconExternalLink size={14} aria-hidden />}
        >
          Run in Temporal Web
        </Button>
      )}
      <Button
        size="xs"
        disabled={STILL_RUNNING.includes(alert.investigation_status)}
        loading={again.isPending}
        onClick={() => again.mutate()}
      >
        Investigate again
      </Button>
      {again.error && <ErrorState error={again.error} />}
    </>
  );
}

/** The investigation step by step, as it runs: evidence appears as it comes. */
function Investigation({ caseId, alert }: { caseId: string; alert: AlertDetail }) {
  const isRunning = STILL_RUNNING.includes(alert.investigation_status);
  const { data } = useQuery({
    queryKey: ['cases', 'one', caseId],
    queryFn: () => api.get<CaseDetail>(`/cases/${encodeURIComponent(caseId)}`),
    refetchInterval: isRunning ? REFRESH_WHILE_RUNNING_MS : false,
  });
  if (!data) return null;
  const ofThis = <Entry extends { alert_id: string }>(entries: readonly Entry[]) =>
    entries.filter(({ alert_id }) => alert_id === alert.alert_id);
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={3} fz="md">
          Investigation
        </Title>
        <Group gap="xs">
          <VerdictBadge verdict={data.verdict} />
          <PageLink to="/cases/$caseId" params={{ caseId }} size="sm">
            Open {caseId}
          </PageLink>
        </Group>
      </Group>
      {isRunning && (
        <Text size="sm" mb="xs" role="status">
          Under way{alert.investigation_retry_count > 0 ? `, attempt ${alert.investigation_retry_count + 1}` : ''}: what it finds appears
          here.
        </Text>
      )}
      <Stack>
        <Investigations investigations={ofThis(data.investigations)} />
        <EvidenceList evidence={ofThis(data.evidence)} earlier={ofThis(data.earlier_evidence)} />
      </Stack>
    </Card>
  );
}

/** As text, whatever it holds; pretty where it is JSON. */
function Content({ content }: { content: string }) {
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Content
      </Title>
      <Code block className="breakable" mah={480} style={{ overflow: 'auto' }} tabIndex={0}>
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
  const facts: readonly [string, React.ReactNode][] = [
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
        <div>
          <Text size="xs" fw={600}>
            Entities
          </Text>
          {alert.entities.length === 0 && <Text size="sm">none found yet</Text>}
          <Group gap={6}>
            {alert.entities.slice(0, 60).map(({ kind, value }) => (
              <Code key={`${kind} ${value}`} className="breakable" title={kind}>
                {value}
              </Code>
            ))}
          </Group>
        </div>
      </Stack>
    </Card>
  );
}
