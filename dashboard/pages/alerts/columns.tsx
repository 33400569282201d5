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
    key: 'alert_id',
    title: 'ID',
    width: 118,
    render: (alert) => (
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
  { key: 'organization_code', title: 'ORG', width: 54, render: (row) => <ShortText text={row.organization_code} /> },
  { key: 'alert_provider', title: 'PROVIDER', width: 74, render: (row) => <ShortText text={row.alert_provider} /> },
  { key: 'alert_type', title: 'ALERT NAME', width: 104, sort: 'alert_type', render: (row) => <ShortText text={row.alert_type} /> },
  {
    key: 'investigation_status',
    title: 'STATUS',
    width: 182,
    sort: 'status',
    render: (alert) => (
      <Group gap={4} wrap="nowrap">
        <StatusBadge status={alert.investigation_status} size="sm" />
        {alert.verdict !== null && <VerdictBadge verdict={alert.verdict} size="sm" />}
      </Group>
    ),
  },
  { key: 'created_at', title: 'CREATION TIME', width: 120, sort: 'created_at', render: (row) => <ShortTime at={row.created_at} /> },
  { key: 'playbook', title: 'INVESTIGATOR', width: 102, render: (row) => <ShortText text={row.playbook ?? '–'} /> },
  {
    key: 'case_id',
    title: 'CASE ID',
    width: 112,
    render: (alert) =>
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
  { key: 'completed_at', title: 'COMPLETION TIME', width: 138, sort: 'completed_at', render: (row) => <ShortTime at={row.completed_at} /> },
  { key: 'alert_content', title: 'Content', width: 60, render: (row) => <ShortText text={row.alert_content} /> },
];
