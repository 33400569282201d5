import { Group } from '@mantine/core';
import type { AlertListItem } from '../../../domain/alert/alert.js';
import { SeverityDot, StatusBadge, VerdictBadge } from '../../components/badges.js';
import type { Column } from '../../components/data-table.js';
import { PageLink } from '../../components/page.js';
import { ShortId, ShortText } from '../../components/short-text.js';
import { ShortTime } from '../../components/time.js';

/** The columns of the specification, with its names and in its order. */
export const ALERT_COLUMNS: readonly Column<AlertListItem>[] = [
  {
    header: 'ID',
    accessorKey: 'alert_id',
    width: 118,
    cell: ({ row: { original: alert } }) => (
      <PageLink
        to="/alerts/$alertId"
        params={{ alertId: alert.alert_id }}
        size="xs"
        display="block"
        title={alert.alert_id}
        aria-label={alert.alert_id}
      >
        <ShortId id={alert.alert_id} />
      </PageLink>
    ),
  },
  { header: 'ORG', accessorKey: 'organization_code', width: 54, cell: ({ row }) => <ShortText text={row.original.organization_code} /> },
  { header: 'PROVIDER', accessorKey: 'alert_provider', width: 74, cell: ({ row }) => <ShortText text={row.original.alert_provider} /> },
  {
    header: 'ALERT NAME',
    accessorKey: 'alert_type',
    width: 104,
    sort: 'alert_type',
    cell: ({ row }) => <ShortText text={row.original.alert_type} />,
  },
  {
    header: 'STATUS',
    accessorKey: 'investigation_status',
    width: 182,
    sort: 'status',
    cell: ({ row: { original: alert } }) => (
      <Group gap={4} wrap="nowrap">
        <StatusBadge status={alert.investigation_status} size="sm" />
        {alert.verdict !== null && <VerdictBadge verdict={alert.verdict} size="sm" />}
      </Group>
    ),
  },
  {
    header: 'CREATION TIME',
    accessorKey: 'created_at',
    width: 120,
    sort: 'created_at',
    cell: ({ row }) => <ShortTime at={row.original.created_at} />,
  },
  { header: 'INVESTIGATOR', accessorKey: 'playbook', width: 102, cell: ({ row }) => <ShortText text={row.original.playbook ?? '–'} /> },
  {
    header: 'CASE ID',
    accessorKey: 'case_id',
    width: 112,
    cell: ({ row: { original: alert } }) =>
      alert.case_id === null ? (
        '–'
      ) : (
        <Group gap={4} wrap="nowrap">
          <PageLink
            to="/cases/$caseId"
            params={{ caseId: alert.case_id }}
            size="xs"
            miw={0}
            title={alert.case_id}
            aria-label={alert.case_id}
          >
            <ShortId id={alert.case_id} />
          </PageLink>
          {alert.severity !== null && <SeverityDot severity={alert.severity} />}
        </Group>
      ),
  },
  {
    header: 'COMPLETION TIME',
    accessorKey: 'completed_at',
    width: 138,
    sort: 'completed_at',
    cell: ({ row }) => <ShortTime at={row.original.completed_at} />,
  },
  { header: 'Content', accessorKey: 'alert_content', width: 60, cell: ({ row }) => <ShortText text={row.original.alert_content} /> },
];
