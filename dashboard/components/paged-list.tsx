import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { Page } from '../api.js';
import { DataTable } from './data-table.js';
import { Paging } from './page.js';
import { ErrorState, PageSkeleton } from './states.js';

/** One page of a list with its loading and error states. */
export function PagedList<Row>(
  props: Omit<ComponentProps<typeof DataTable<Row>>, 'rows'> & {
    query: UseQueryResult<Page<Row>>;
    cursor?: string | undefined;
    onMove?: (cursor: string | undefined) => unknown;
  },
) {
  const { query, cursor, onMove, ...table } = props;
  const { data, error, refetch } = query;
  return (
    <>
      {error && <ErrorState error={error} retry={refetch} />}
      {!data && !error && <PageSkeleton />}
      {data && <DataTable {...table} rows={data.items} />}
      {data && onMove && <Paging cursor={cursor} next={data.next_cursor} onMove={onMove} />}
    </>
  );
}
