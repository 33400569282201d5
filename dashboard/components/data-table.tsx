import { Table } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, type MouseEvent, type ReactNode, Suspense, useRef } from 'react';
import type { Selection } from './selection-boxes.js';
import { SortButton } from './sort-button.js';

/** A column of a list. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  /** The name of the column in `sort` of the API. */
  readonly sort?: string;
  /** The width in pixels of a table with `isFixed`, before the columns share the rest. */
  readonly width?: number;
}

// Only some tables need them.
const SelectAll = lazy(() => import('./selection-boxes.js').then((module) => ({ default: module.SelectAll })));
const SelectRow = lazy(() => import('./selection-boxes.js').then((module) => ({ default: module.SelectRow })));

interface DataTableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
  label: string;
  empty: ReactNode;
  /** Below this width the table scrolls. */
  minWidth?: number;
  /** Smaller text and spacing, for many columns. */
  isDense?: boolean;
  /** The columns have their own widths, no cell wraps, and the header stays visible. A click on a row opens the first link in it. */
  isFixed?: boolean;
  selection?: Selection | undefined;
  sort?: { readonly now: string; readonly onSort: (sort: string) => unknown };
}

/** A table of one page of a list. On a narrow screen the table scrolls, not the page. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, getKey, label, empty, minWidth, isDense = false, isFixed = false, selection, sort } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  useHotkeys([
    ['J', () => focusRow(body.current, 1)],
    ['K', () => focusRow(body.current, -1)],
    ['X', () => selection && findFocusedRow(body.current)?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()],
  ]);
  if (rows.length === 0) return empty;
  const total = columns.reduce((sum, { width = 0 }) => sum + width, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
    <section className={isFixed ? 'list list-fixed' : 'list'} aria-label={label} tabIndex={0}>
      <Table
        striped
        highlightOnHover
        stickyHeader={isFixed}
        verticalSpacing={isFixed ? 3 : 6}
        horizontalSpacing={isDense ? 5 : 'xs'}
        fz={isDense ? 'xs' : 'sm'}
        miw={minWidth}
        layout={isFixed ? 'fixed' : 'auto'}
        aria-label={label}
      >
        {isFixed && (
          <colgroup>
            {selection && <col style={{ width: 32 }} />}
            {columns.map(({ key, width = 0 }) => (
              <col key={key} style={{ width: `${(100 * width) / total}%` }} />
            ))}
          </colgroup>
        )}
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th>
                <Suspense>
                  <SelectAll keys={rows.map(getKey)} selection={selection} />
                </Suspense>
              </Table.Th>
            )}
            {columns.map((column) => (
              <Table.Th key={column.key} fz={isDense && isFixed ? 11 : 'inherit'} aria-sort={readAriaSort(column.sort, sort?.now)}>
                {column.sort !== undefined && sort ? (
                  <SortButton name={column.title} column={column.sort} now={sort.now} onSort={sort.onSort} />
                ) : (
                  column.title
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          {rows.map((row) => (
            <Table.Tr
              key={getKey(row)}
              {...(selection?.keys.has(getKey(row)) ? { 'data-selected': true } : {})}
              {...(isFixed ? { className: 'clickable', onClick: openRow, onAuxClick: openRow } : {})}
            >
              {selection && (
                <Table.Td>
                  <Suspense>
                    <SelectRow name={getKey(row)} selection={selection} />
                  </Suspense>
                </Table.Td>
              )}
              {columns.map(({ key, render }) => (
                <Table.Td key={key}>{render(row)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function readAriaSort(column: string | undefined, now: string | undefined): 'ascending' | 'descending' | undefined {
  if (column === undefined || now === undefined) return undefined;
  if (now === column) return 'ascending';
  return now === `-${column}` ? 'descending' : undefined;
}

/** A click on a row is a click on its first link. A middle click, or one with a modifier key, opens a new tab. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const isOnControl = event.target instanceof Element && event.target.closest('a, button, input, label') !== null;
  const isSelectingText = window.getSelection()?.isCollapsed === false;
  const link = event.currentTarget.querySelector('a');
  if (isOnControl || isSelectingText || link === null || event.button > 1) return;
  if (event.button === 1 || event.ctrlKey || event.metaKey) window.open(link.href, '_blank', 'noopener');
  else link.click();
}

function findFocusedRow(body: HTMLTableSectionElement | null): HTMLTableRowElement | undefined {
  return [...(body?.rows ?? [])].find((row) => row.contains(document.activeElement));
}

/** Moves the focus to the link of the next or previous row. */
function focusRow(body: HTMLTableSectionElement | null, step: 1 | -1): void {
  const links = [...(body?.rows ?? [])].flatMap((row) => row.querySelector('a') ?? []);
  const now = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const next = now < 0 ? 0 : Math.min(Math.max(now + step, 0), links.length - 1);
  links[next]?.focus();
}
