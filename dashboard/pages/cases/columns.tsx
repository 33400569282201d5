import { Badge, Group, Stack, Text } from '@mantine/core';
import type { CaseSummary } from '../../../domain/case/case.js';
import type { VerdictReason } from '../../../domain/verdict/evidence.js';
import { CaseStatusBadge, SeverityBadge, VerdictBadge } from '../../components/badges.js';
import type { Column } from '../../components/data-table.js';
import { PageLink } from '../../components/page.js';
import { ShortText } from '../../components/short-text.js';
import { SlaBadge } from '../../components/sla.js';
import { ShortTime } from '../../components/time.js';
import { formatPoints } from '../case/evidence-entry.js';

const TAGS_SHOWN = 3;

export const CASE_COLUMNS: readonly Column<CaseSummary>[] = [
  {
    key: 'title',
    title: 'Case',
    width: 262,
    render: (row) => (
      <Stack gap={0}>
        <PageLink to="/cases/$caseId" params={{ caseId: row.case_id }} size="sm" truncate display="block" title={row.title}>
          {row.title}
        </PageLink>
        <Group gap={6} wrap="nowrap">
          <Text size="xs" c="dimmed" truncate>
            {row.case_id}
          </Text>
          <Tags tags={row.tags} />
        </Group>
      </Stack>
    ),
  },
  {
    key: 'verdict',
    title: 'Verdict',
    width: 136,
    render: (row) => (
      <Stack gap={2} align="flex-start">
        {row.verdict === null ? (
          <Text size="xs" c="dimmed">
            Investigating
          </Text>
        ) : (
          <VerdictBadge verdict={row.verdict} size="sm" />
        )}
        {row.analyst_verdict !== null && <ShortText text={`Analyst: ${row.analyst_verdict}`} />}
      </Stack>
    ),
  },
  {
    key: 'severity',
    title: 'Severity',
    width: 110,
    sort: 'severity',
    render: (row) => <SeverityBadge severity={row.severity} size="sm" />,
  },
  {
    key: 'status',
    title: 'Status',
    width: 100,
    render: (row) => (
      <Stack gap={2} align="flex-start">
        <CaseStatusBadge status={row.status} size="sm" />
        <SlaBadge sla={row.sla} />
      </Stack>
    ),
  },
  {
    key: 'summary',
    title: 'Reasons',
    width: 200,
    render: (row) => (
      <Text size="xs" lineClamp={2} className="breakable">
        {row.reasons.map(formatReason).join(' · ') || row.summary || '–'}
      </Text>
    ),
  },
  { key: 'assignee', title: 'Assignee', width: 94, render: (row) => <ShortText text={row.assignee ?? '–'} /> },
  { key: 'playbook', title: 'Investigator', width: 100, render: (row) => <ShortText text={row.playbook ?? '–'} /> },
  { key: 'opened_at', title: 'Opened', width: 116, sort: 'opened_at', render: (row) => <ShortTime at={row.opened_at} /> },
];

/** Hidden until the user chooses it: the case page shows it too. */
export const HIDDEN_AT_FIRST = ['Investigator'];

function Tags({ tags }: { tags: readonly string[] }) {
  const more = tags.length - TAGS_SHOWN;
  return (
    <Group gap={4} wrap="nowrap" title={tags.join(', ')}>
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <Badge key={tag} size="xs" variant="default" tt="none" fw={500} miw={0} maw={90}>
          {tag}
        </Badge>
      ))}
      {more > 0 && <Text size="xs">+{more}</Text>}
    </Group>
  );
}

function formatReason({ points, text }: VerdictReason): string {
  return points === null ? text : `${formatPoints(points)} ${text}`;
}
