import { ScrollArea, Table } from '@mantine/core';
import { type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import type { ReactNode } from 'react';

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
        <Table.Tbody>
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
