import { Alert, Badge, Grid, Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { CaseDetail } from '../../domain/case/case.js';
import { type EvidenceGroups, groupEvidence } from '../../domain/case/evidence-groups.js';
import { api, unwrap } from '../api.js';
import { CaseStatusBadge, SeverityBadge } from '../components/badges.js';
import { Page, PageLink } from '../components/page.js';
import { SlaBadge } from '../components/sla.js';
import { ErrorState, PageSkeleton } from '../components/states.js';
import { Time } from '../components/time.js';
import { CaseActions } from './case/actions.js';
import { Attachments, useAttachments } from './case/attachments.js';
import { DetailsCard } from './case/details-card.js';
import { countOtherEvidence, EvidenceList } from './case/evidence-list.js';
import { CaseEvents, CaseGraph } from './case/graph.js';
import { Investigations } from './case/investigations.js';
import { Linked } from './case/linked.js';
import { OpenQuestions } from './case/open-questions.js';
import { Proposals } from './case/proposals.js';
import { Tasks, useTasks } from './case/tasks.js';
import { Timeline } from './case/timeline.js';
import { VerdictCard } from './case/verdict-card.js';

export function CasePage() {
  const { caseId } = useParams({ from: '/inside/cases/$caseId' });
  const { data, error, refetch } = useQuery({
    queryKey: ['cases', 'one', caseId],
    queryFn: () => unwrap(api.GET('/cases/{case_id}', { params: { path: { case_id: caseId } } })),
  });
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  const groups = groupEvidence(data.evidence);
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
          <SlaBadge sla={data.sla} />
          {data.verdict === null && (
            <Badge variant="light" color="blue" tt="none">
              Under investigation
            </Badge>
          )}
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
            <VerdictCard found={data} reasons={groups.reasons} />
            <Proposals proposals={data.proposals} organizationCode={data.organization_code} />
            <OpenQuestions questions={groups.openQuestions} />
            <Details found={data} groups={groups} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <DetailsCard found={data} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Details({ found, groups }: { found: CaseDetail; groups: EvidenceGroups }) {
  const { tab = 'evidence' } = useSearch({ from: '/inside/cases/$caseId' });
  const navigate = useNavigate({ from: '/cases/$caseId' });
  const tasks = useTasks(found.case_id).data?.items ?? [];
  const files = useAttachments(found.case_id).data?.items ?? [];
  const doneTasks = tasks.filter(({ done_at: doneAt }) => doneAt !== null).length;
  return (
    <Tabs value={tab} onChange={(value) => navigate({ search: { tab: value ?? undefined }, replace: true })} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="evidence">Evidence ({countOtherEvidence(groups)})</Tabs.Tab>
        <Tabs.Tab value="timeline">Timeline ({found.timeline.length})</Tabs.Tab>
        <Tabs.Tab value="tasks">
          Tasks ({doneTasks} of {tasks.length} done)
        </Tabs.Tab>
        <Tabs.Tab value="files">Files ({files.length})</Tabs.Tab>
        <Tabs.Tab value="events">Events</Tabs.Tab>
        <Tabs.Tab value="graph">Graph</Tabs.Tab>
        <Tabs.Tab value="investigations">Investigations ({found.investigations.length})</Tabs.Tab>
        <Tabs.Tab value="linked">Linked ({found.linked_count})</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="evidence" pt="sm">
        <EvidenceList groups={groups} earlier={found.earlier_evidence} />
      </Tabs.Panel>
      <Tabs.Panel value="timeline" pt="sm">
        <Timeline found={found} />
      </Tabs.Panel>
      <Tabs.Panel value="tasks" pt="sm">
        <Tasks caseId={found.case_id} />
      </Tabs.Panel>
      <Tabs.Panel value="files" pt="sm">
        <Attachments caseId={found.case_id} />
      </Tabs.Panel>
      <Tabs.Panel value="events" pt="sm">
        <CaseEvents caseId={found.case_id} />
      </Tabs.Panel>
      <Tabs.Panel value="graph" pt="sm">
        <CaseGraph caseId={found.case_id} />
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
