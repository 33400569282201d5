import { Alert, Badge, Grid, Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { CaseDetail } from '../../domain/case/case.js';
import { type EvidenceGroups, groupEvidence } from '../../domain/case/evidence-groups.js';
import { CaseStatusBadge, SeverityBadge } from '../components/badges.js';
import { Page, PageLink } from '../components/page.js';
import { SlaBadge } from '../components/sla.js';
import { ErrorState, PageSkeleton } from '../components/states.js';
import { Time } from '../components/time.js';
import { attachmentsQuery, caseQuery, tasksQuery } from '../queries/cases.js';
import { CaseActions } from './case/actions.js';
import { Attachments } from './case/attachments.js';
import { DetailsCard } from './case/details-card.js';
import { countOtherEvidence, EvidenceList } from './case/evidence-list.js';
import { CaseEvents, CaseGraph } from './case/graph.js';
import { Investigations } from './case/investigations.js';
import { Linked } from './case/linked.js';
import { OpenQuestions } from './case/open-questions.js';
import { Proposals } from './case/proposals.js';
import { Tasks } from './case/tasks.js';
import { Timeline } from './case/timeline.js';
import { VerdictCard } from './case/verdict-card.js';

export function CasePage() {
  const { caseId } = useParams({ from: '/inside/cases/$caseId' });
  const { data, error, refetch } = useQuery(caseQuery(caseId));
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
  const tasks = useQuery(tasksQuery(found.case_id)).data?.items ?? [];
  const files = useQuery(attachmentsQuery(found.case_id)).data?.items ?? [];
  const doneTasks = tasks.filter(({ done_at: doneAt }) => doneAt !== null).length;
  const { case_id: caseId } = found;
  const tabs = [
    ['evidence', `Evidence (${countOtherEvidence(groups)})`, <EvidenceList key="" groups={groups} earlier={found.earlier_evidence} />],
    ['timeline', `Timeline (${found.timeline.length})`, <Timeline key="" found={found} />],
    ['tasks', `Tasks (${doneTasks} of ${tasks.length} done)`, <Tasks key="" caseId={caseId} />],
    ['files', `Files (${files.length})`, <Attachments key="" caseId={caseId} />],
    ['events', 'Events', <CaseEvents key="" caseId={caseId} />],
    ['graph', 'Graph', <CaseGraph key="" caseId={caseId} />],
    ['investigations', `Investigations (${found.investigations.length})`, <Investigations key="" investigations={found.investigations} />],
    ['linked', `Linked (${found.linked_count})`, <Linked key="" found={found} />],
  ] as const;
  const open = (value: string | null) => navigate({ search: { tab: tabs.find(([each]) => each === value)?.[0] }, replace: true });
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <Tabs.List>
        {tabs.map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(([value, , content]) => (
        <Tabs.Panel key={value} value={value} pt="sm">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
