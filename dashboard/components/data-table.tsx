import { ScrollArea, Table } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import { type ReactNode, useRef } from 'react';

const features = tableFeatures({});

export type Column<Row extends RowData> = ColumnDef<typeof features, Row>;

/** A table of one page of a list. On a narrow screen the table scrolls, not the page. */
export function DataTable<Row extends RowData>(props: {
  columns: Column<Row>[];
  rows: Row[];
  getKey: (row: Row) => string;
  label: string;
  empty: ReactNode;
  /** Below this width the table scrolls. */
  minWidth?: number;
  /** Smaller text and spacing, for many columns. */
  isDense?: boolean;
}) {
  const { columns, rows, getKey, label, empty, minWidth, isDense = false } = props;
  const table = useTable({ features, columns, data: rows, getRowId: getKey });
  const body = useRef<HTMLTableSectionElement>(null);
  useHotkeys([
    ['J', () => focusRow(body.current, 1)],
    ['K', () => focusRow(body.current, -1)],
  ]);
  if (rows.length === 0) return empty;
  return (
    <ScrollArea type="auto" offsetScrollbars viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Table
        striped
        highlightOnHover
        verticalSpacing={6}
        horizontalSpacing={isDense ? 6 : 'xs'}
        fz={isDense ? 'xs' : 'sm'}
        miw={minWidth}
        aria-label={label}
      >
        <Table.Thead>
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id}>
              {group.headers.map((header) => (
                <Table.Th key={header.id}>
                  <table.FlexRender header={header} />
                </Table.Th>
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody ref={body}>
          {table.getRowModel().rows.map((row) => (
            <Table.Tr key={row.id}>
              {row.getAllCells().map((cell) => (
                <Table.Td key={cell.id}>
                  <table.FlexRender cell={cell} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

/** Moves the focus to the link of the next or previous row. */
function focusRow(body: HTMLTableSectionElement | null, step: 1 | -1): void {
  const links = [...(body?.rows ?? [])].flatMap((row) => row.querySelector('a') ?? []);
  const now = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const next = now < 0 ? 0 : Math.min(Math.max(now + step, 0), links.length - 1);
  links[next]?.focus();
}
