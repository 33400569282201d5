import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ALERT_SORTS, NEWEST_ALERTS } from '../../domain/alert/alert-sort.js';
import { buildUrl } from '../api.js';
import { ColumnChooser, useShownColumns } from '../components/column-chooser.js';
import { ChoiceFilter, OrganizationFilter, ProviderFilter, TimeFilter } from '../components/filters.js';
import { Page } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { SearchField } from '../components/search-field.js';
import { EmptyState } from '../components/states.js';
import { loadStyled } from '../load-styled.js';
import { STATUS_CODES, STATUS_LABELS } from '../options.js';
import { alertsQuery } from '../queries/alerts.js';
import { ALERT_COLUMNS } from './alerts/columns.js';

const HEADERS = ALERT_COLUMNS.map(({ title }) => title);
/** Loaded when it is opened: the form is a part of few visits. */
const SendAlert = lazy(() => loadStyled(() => import('./send-alert.js')).then((module) => ({ default: module.SendAlert })));
const STATUSES = STATUS_CODES.map((value) => ({ value, label: STATUS_LABELS[value] }));

export function AlertsPage() {
  const search = useSearch({ from: '/inside/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const [isSending, sending] = useDisclosure(false);
  const { text, status, organization, provider, type, from, to, sort = NEWEST_ALERTS, cursor } = search;
  const filters = {
    text,
    status,
    organization_code: organization,
    provider,
    alert_type: type,
    created_from: from,
    created_before: to,
  };
  const { shown, hidden, setHidden } = useShownColumns('alerts', ALERT_COLUMNS);
  const query = useQuery(alertsQuery({ ...filters, sort, cursor }));
  /** A changed filter starts at the newest row. */
  const filter = (changed: typeof search) => navigate({ search: (now) => ({ ...now, cursor: undefined, ...changed }), replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title="Alerts"
      isList
      actions={
        <>
          <ColumnChooser headers={HEADERS} hidden={hidden} onChange={setHidden} />
          <Button component="a" variant="default" size="xs" href={buildUrl('/alerts.csv', { query: { ...filters, sort } })} download>
            Export CSV
          </Button>
          <Button size="xs" onClick={sending.open}>
            Send test alert
          </Button>
        </>
      }
    >
      <Group gap="xs" role="search">
        <SearchField
          aria-label="Search alerts"
          placeholder="Search name and content"
          value={text}
          onSearch={(found) => filter({ text: found })}
          w={{ base: '100%', xs: 260 }}
        />
        <ChoiceFilter
          label="Status"
          placeholder="Any status"
          data={STATUSES}
          value={status}
          onChange={(value) => filter({ status: value })}
        />
        <OrganizationFilter value={organization} onChange={(value) => filter({ organization: value })} />
        <ProviderFilter value={provider} onChange={(value) => filter({ provider: value })} />
        <SearchField
          aria-label="Alert name"
          placeholder="Exact alert name"
          value={type}
          onSearch={(found) => filter({ type: found })}
          w={180}
        />
        <TimeFilter label="From" value={from} onChange={(value) => filter({ from: value })} />
        <TimeFilter label="Before" value={to} onChange={(value) => filter({ to: value })} />
        {isFiltered && (
          <Button variant="subtle" size="xs" onClick={() => navigate({ search: {} })}>
            Clear filters
          </Button>
        )}
      </Group>
      <PagedList
        query={query}
        label="Alerts"
        minWidth={1020}
        isDense
        isFixed
        columns={shown}
        sort={{ now: sort, onSort: (next) => filter({ sort: ALERT_SORTS.find((each) => each === next && each !== NEWEST_ALERTS) }) }}
        getKey={(alert) => alert.alert_id}
        empty={
          isFiltered ? (
            <EmptyState title="No alerts match these filters">
              <Text size="sm">Clear a filter, or use fewer words: an alert must contain all of them.</Text>
            </EmptyState>
          ) : (
            <EmptyState title="No alerts yet">
              <Text size="sm">Send a test alert, or call POST /platformapi/alerts.</Text>
            </EmptyState>
          )
        }
        cursor={cursor}
        onMove={(next) => navigate({ search: (now) => ({ ...now, cursor: next }) })}
      />
      {isSending && (
        <Suspense>
          <SendAlert onClose={sending.close} />
        </Suspense>
      )}
    </Page>
  );
}
