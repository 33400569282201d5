import { Alert, Badge, Card, Grid, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { CaseDetail } from '../../domain/case/case.js';
import type { VerdictReason } from '../../domain/case/evidence.js';
import { api, unwrap } from '../api.js';
import { CaseStatusBadge, SeverityBadge, VerdictBadge } from '../components/badges.js';
import { Page, PageLink } from '../components/page.js';
import { ErrorState, PageSkeleton } from '../components/states.js';
import { Time } from '../components/time.js';
import { WaitingNotice } from '../components/waiting-notice.js';
import { CaseActions } from './case/actions.js';
import { DetailsCard } from './case/details-card.js';
import { EvidenceList, formatPoints } from './case/evidence-list.js';
import { Investigations } from './case/investigations.js';
import { Linked } from './case/linked.js';
import { Proposals } from './case/proposals.js';
import { Timeline } from './case/timeline.js';

export function CasePage() {
  const { caseId } = useParams({ from: '/inside/cases/$caseId' });
  const { data, error, refetch } = useQuery({
    queryKey: ['cases', 'one', caseId],
    queryFn: () => unwrap(api.GET('/cases/{case_id}', { params: { path: { case_id: caseId } } })),
  });
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  return (
    <Page
      name={`${data.title} (${data.case_id})`}
      title={
        <Group gap="xs" component="span">
          {data.title}
          <Text span c="dimmed" fw={400}>
            {data.case_id}
          </Text>
          <CaseStatusBadge status={data.status} />
          <SeverityBadge severity={data.severity} />
        </Group>
      }
      actions={<CaseActions found={data} />}
    >
      {data.merged_into !== null && (
        <Alert color="gray" title="Merged">
          Its alerts moved to{' '}
          <PageLink to="/cases/$caseId" params={{ caseId: data.merged_into }}>
            {data.merged_into}
          </PageLink>
          .
        </Alert>
      )}
      {data.legal_hold !== null && (
        <Alert color="yellow" variant="light" title="Legal hold" role="status">
          <Text size="sm" className="breakable">
            Placed by {data.legal_hold.placed_by}, <Time at={data.legal_hold.placed_at} />: {data.legal_hold.reason}
          </Text>
        </Alert>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <Verdict found={data} />
            <Proposals proposals={data.proposals} />
            <Details found={data} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <DetailsCard found={data} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Verdict({ found }: { found: CaseDetail }) {
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
      {found.verdict === null ? (
        <Text size="sm">The investigation is in progress. Findings appear here as they arrive.</Text>
      ) : (
        <Stack gap={4}>
          {found.reasons.map((reason) => (
            <Reason key={`${reason.points} ${reason.text}`} reason={reason} />
          ))}
          {found.reasons.length === 0 && <Text size="sm">No findings.</Text>}
        </Stack>
      )}
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

function Reason({ reason: { points, text } }: { reason: VerdictReason }) {
  if (points === null) return <Text size="sm">{text}</Text>;
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Badge variant="light" color={points > 0 ? 'red' : 'teal'} miw={48} mt={2}>
        {formatPoints(points)}
      </Badge>
      <Text size="sm" className="breakable">
        {text}
      </Text>
    </Group>
  );
}

function Details({ found }: { found: CaseDetail }) {
  const { tab = 'evidence' } = useSearch({ from: '/inside/cases/$caseId' });
  const navigate = useNavigate({ from: '/cases/$caseId' });
  return (
    <Tabs value={tab} onChange={(value) => navigate({ search: { tab: value ?? undefined }, replace: true })} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="evidence">Evidence ({found.evidence.length})</Tabs.Tab>
        <Tabs.Tab value="timeline">Timeline and comments ({found.timeline.length})</Tabs.Tab>
        <Tabs.Tab value="investigations">Investigations ({found.investigations.length})</Tabs.Tab>
        <Tabs.Tab value="linked">Linked ({found.linked.length})</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="evidence" pt="sm">
        <EvidenceList evidence={found.evidence} earlier={found.earlier_evidence} />
      </Tabs.Panel>
      <Tabs.Panel value="timeline" pt="sm">
        <Timeline found={found} />
      </Tabs.Panel>
      <Tabs.Panel value="investigations" pt="sm">
        <Investigations investigations={found.investigations} />
      </Tabs.Panel>
      <Tabs.Panel value="linked" pt="sm">
        <Linked found={found} />
      </Tabs.Panel>
    </Tabs>
  );
}
