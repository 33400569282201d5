import { Button, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { NEWEST_CASES } from '../../domain/case/case-sort.js';
import { api, buildUrl, unwrap } from '../api.js';
import { ColumnChooser, useShownColumns } from '../components/column-chooser.js';
import { Page } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { SavedViews } from '../components/saved-views.js';
import { EmptyState } from '../components/states.js';
import { BulkBar } from './cases/bulk-bar.js';
import { BulkResult } from './cases/bulk-result.js';
import { CASE_COLUMNS, HIDDEN_AT_FIRST } from './cases/columns.js';
import { CaseFilterBar } from './cases/filter-bar.js';
import { type CaseSearch, readCaseFilters, readCaseSort } from './cases/filters.js';
import { toUndo, useBulk } from './cases/use-bulk.js';

const PAGE_SIZE = 50;
const HEADERS = CASE_COLUMNS.map(({ header }) => header);

export function CasesPage() {
  const search = useSearch({ from: '/inside/cases' });
  const navigate = useNavigate({ from: '/cases' });
  const { cursor, ...view } = search;
  const filters = readCaseFilters(search);
  const sort = readCaseSort(search);
  const { shown, hidden, setHidden } = useShownColumns('cases', CASE_COLUMNS, HIDDEN_AT_FIRST);
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const { run, start, dismiss } = useBulk();
  const query = useQuery({
    queryKey: ['cases', filters, sort, cursor ?? null],
    queryFn: () => unwrap(api.GET('/cases', { params: { query: { ...filters, sort, cursor, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
  /** A changed filter starts at the first row. */
  const filter = (changed: CaseSearch) => navigate({ search: (now) => ({ ...now, cursor: undefined, ...changed }), replace: true });
  // Only cases that the user sees can be changed.
  const selected = (query.data?.items ?? []).map(({ case_id }) => case_id).filter((caseId) => keys.has(caseId));
  const clear = () => setKeys(new Set());
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title="Cases"
      isList
      actions={
        <>
          <SavedViews list="cases" now={view} onOpen={(saved) => navigate({ search: saved })} />
          <ColumnChooser headers={HEADERS} hidden={hidden} onChange={setHidden} />
          <Button component="a" variant="default" size="xs" href={buildUrl('/cases.csv', { query: filters })} download>
            Export CSV
          </Button>
        </>
      }
    >
      <CaseFilterBar search={search} onChange={filter} onClear={() => navigate({ search: {} })} />
      {selected.length > 0 && (
        <BulkBar
          caseIds={selected}
          isRunning={run?.isRunning ?? false}
          onStart={(title, changes) => {
            clear();
            void start(title, changes);
          }}
          onClear={clear}
        />
      )}
      {run !== null && <BulkResult run={run} onUndo={() => void start(`Undo: ${run.title}`, toUndo(run.results))} onDismiss={dismiss} />}
      <PagedList
        query={query}
        label="Cases"
        minWidth={1000}
        isFixed
        columns={shown}
        getKey={(found) => found.case_id}
        selection={{ keys, onChange: setKeys }}
        sort={{ now: sort, onSort: (next) => filter({ sort: next === NEWEST_CASES ? undefined : next }) }}
        empty={
          isFiltered ? (
            <EmptyState title="No cases match these filters">
              <Text size="sm">Clear a filter to see more cases.</Text>
            </EmptyState>
          ) : (
            <EmptyState title="No cases yet">
              <Text size="sm">The service opens a case for each alert when its investigation starts.</Text>
            </EmptyState>
          )
        }
        cursor={cursor}
        onMove={(next) => navigate({ search: (now) => ({ ...now, cursor: next }) })}
      />
    </Page>
  );
}
