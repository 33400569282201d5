import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CASE_SORTS, NEWEST_CASES } from '../../domain/case/case-sort.js';
import { PAGES } from '../../domain/pages.js';
import { buildUrl } from '../api.js';
import { ColumnChooser, useShownColumns } from '../components/column-chooser.js';
import { Page } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { SavedViews } from '../components/saved-views.js';
import { EmptyState } from '../components/states.js';
import { casesQuery } from '../queries/cases.js';
import { BulkBar } from './cases/bulk-bar.js';
import { BulkResult } from './cases/bulk-result.js';
import { CASE_COLUMNS, HIDDEN_AT_FIRST } from './cases/columns.js';
import { CaseFilterBar } from './cases/filter-bar.js';
import { type CaseSearch, toCaseFilters } from './cases/filters.js';
import { toUndo, useBulk } from './cases/use-bulk.js';

const HEADERS = CASE_COLUMNS.map(({ title }) => title);

export function CasesPage() {
  const search = useSearch({ from: '/inside/cases' });
  const navigate = useNavigate({ from: '/cases' });
  const { cursor, ...view } = search;
  const { sort = NEWEST_CASES } = search;
  const filters = toCaseFilters(search);
  const { shown, hidden, setHidden } = useShownColumns('cases', CASE_COLUMNS, HIDDEN_AT_FIRST);
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const { run, start, dismiss } = useBulk();
  const query = useQuery(casesQuery({ ...filters, sort, cursor }));
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
          <SavedViews list="cases" now={view} onOpen={(saved) => navigate({ href: `${PAGES.cases}?${new URLSearchParams(saved)}` })} />
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
            start(title, changes);
          }}
          onClear={clear}
        />
      )}
      {run !== null && <BulkResult run={run} onUndo={() => start(`Undo: ${run.title}`, toUndo(run.results))} onDismiss={dismiss} />}
      <PagedList
        query={query}
        label="Cases"
        minWidth={1000}
        isFixed
        columns={shown}
        getKey={(found) => found.case_id}
        selection={{ keys, onChange: setKeys }}
        sort={{ now: sort, onSort: (next) => filter({ sort: CASE_SORTS.find((each) => each === next && each !== NEWEST_CASES) }) }}
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
