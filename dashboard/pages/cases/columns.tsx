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
    header: 'Case',
    accessorKey: 'title',
    width: 262,
    cell: ({ row: { original } }) => (
      <Stack gap={0}>
        <PageLink to="/cases/$caseId" params={{ caseId: original.case_id }} size="sm" truncate display="block" title={original.title}>
          {original.title}
        </PageLink>
        <Group gap={6} wrap="nowrap">
          <Text size="xs" c="dimmed" truncate>
            {original.case_id}
          </Text>
          <Tags tags={original.tags} />
        </Group>
      </Stack>
    ),
  },
  {
    header: 'Verdict',
    accessorKey: 'verdict',
    width: 136,
    cell: ({ row: { original } }) => (
      <Stack gap={2} align="flex-start">
        {original.verdict === null ? (
          <Text size="xs" c="dimmed">
            Investigating
          </Text>
        ) : (
          <VerdictBadge verdict={original.verdict} size="sm" />
        )}
        {original.analyst_verdict !== null && <ShortText text={`Analyst: ${original.analyst_verdict}`} />}
      </Stack>
    ),
  },
  {
    header: 'Severity',
    accessorKey: 'severity',
    width: 110,
    sort: 'severity',
    cell: ({ row }) => <SeverityBadge severity={row.original.severity} size="sm" />,
  },
  {
    header: 'Status',
    accessorKey: 'status',
    width: 100,
    cell: ({ row: { original } }) => (
      <Stack gap={2} align="flex-start">
        <CaseStatusBadge status={original.status} size="sm" />
        <SlaBadge sla={original.sla} />
      </Stack>
    ),
  },
  {
    header: 'Reasons',
    accessorKey: 'summary',
    width: 200,
    cell: ({ row }) => (
      <Text size="xs" lineClamp={2} className="breakable">
        {row.original.reasons.map(formatReason).join(' · ') || row.original.summary || '–'}
      </Text>
    ),
  },
  { header: 'Assignee', accessorKey: 'assignee', width: 94, cell: ({ row }) => <ShortText text={row.original.assignee ?? '–'} /> },
  { header: 'Investigator', accessorKey: 'playbook', width: 100, cell: ({ row }) => <ShortText text={row.original.playbook ?? '–'} /> },
  {
    header: 'Opened',
    accessorKey: 'opened_at',
    width: 116,
    sort: 'opened_at',
    cell: ({ row }) => <ShortTime at={row.original.opened_at} />,
  },
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
