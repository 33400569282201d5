import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../components/data-table.js';
import type { FullList } from '../../components/full-list.js';
import { EmptyState, ErrorState, PageSkeleton } from '../../components/states.js';

/** A settings list with its purpose and, where allowed, a button to add to it. */
export function ListSection<Row extends object>(props: {
  purpose: string;
  label: string;
  list: FullList<Row>;
  columns: Column<Row>[];
  getKey: (row: Row) => string;
  empty: string;
  create: { readonly label: string; readonly onClick: () => void } | null;
  children?: ReactNode;
}) {
  const { purpose, label, list, columns, getKey, empty, create, children } = props;
  const { items, error, refetch, more } = list;
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text size="sm" maw={640}>
          {purpose}
        </Text>
        {create && (
          <Button size="xs" onClick={create.onClick}>
            {create.label}
          </Button>
        )}
      </Group>
      {children}
      {error && <ErrorState error={error} retry={refetch} />}
      {!items && !error && <PageSkeleton />}
      {items && <DataTable label={label} columns={columns} rows={items} getKey={getKey} empty={<EmptyState title={empty} />} />}
      {more}
    </Stack>
  );
}
