import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../components/data-table.js';
import { EmptyState, ErrorState, PageSkeleton } from '../../components/states.js';

/** A settings list with its purpose and, where allowed, a button to add to it. */
export function ListSection<Row>(props: {
  title?: string;
  purpose: string;
  label: string;
  list: { readonly items: readonly Row[] | undefined; readonly error: Error | null; refetch(): unknown; readonly more?: ReactNode };
  columns: readonly Column<Row>[];
  getKey: (row: Row) => string;
  empty: string;
  create?: { readonly label: string; readonly onClick: () => void } | null;
  children?: ReactNode;
}) {
  const { title, purpose, label, list, columns, getKey, empty, create = null, children } = props;
  const { items, error, refetch, more } = list;
  return (
    <Stack>
      {title !== undefined && (
        <Title order={3} fz="md">
          {title}
        </Title>
      )}
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

/** A button in a row of a list. */
export function RowButton(props: {
  label: string;
  name: string;
  isDanger?: boolean;
  isOff?: boolean;
  isBusy?: boolean;
  onClick: () => void;
}) {
  const { label, name, isDanger = false, isOff = false, isBusy = false, onClick } = props;
  return (
    <Button
      size="compact-xs"
      {...(isDanger ? { variant: 'outline', color: 'red' } : { variant: 'default' })}
      aria-label={name}
      disabled={isOff}
      loading={isBusy}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
