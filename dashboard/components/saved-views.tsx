import { Badge, Button, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { ViewedList } from '../../domain/case/viewed-list.js';
import type { SavedView } from '../../services/saved-views/wire.js';
import { loadStyled } from '../load-styled.js';
import { savedViewsQuery } from '../queries/saved-views.js';
import { useIsAdmin } from '../session.js';

const ViewDialog = lazy(() => loadStyled(() => import('./view-dialog.js')).then((module) => ({ default: module.ViewDialog })));

/** Saved filters of a list: the user's own, and those that colleagues share. */
export function SavedViews({
  list,
  now,
  onOpen,
}: {
  list: ViewedList;
  now: Readonly<Record<string, unknown>>;
  onOpen: (filters: Record<string, string>) => unknown;
}) {
  const [edited, setEdited] = useState<SavedView | 'new' | null>(null);
  const isAdmin = useIsAdmin();
  const { data } = useQuery(savedViewsQuery(list));
  const views = data?.items ?? [];
  const current = Object.fromEntries(Object.entries(now).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
  const editable = views.filter(({ is_own }) => is_own || isAdmin);
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button variant="default" size="xs">
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {views.map((view) => (
            <Menu.Item
              key={view.view_id}
              onClick={() => onOpen(view.filters)}
              rightSection={view.is_shared && <Badge size="xs">Shared</Badge>}
            >
              {view.name}
              {!view.is_own && (
                <Text size="xs" c="dimmed">
                  by {view.created_by}
                </Text>
              )}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setEdited('new')}>Save current view…</Menu.Item>
          {editable.map((view) => (
            <Menu.Item key={view.view_id} onClick={() => setEdited(view)}>
              Edit {view.name}…
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {edited !== null && (
        <Suspense>
          <ViewDialog list={list} view={edited === 'new' ? null : edited} filters={current} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </>
  );
}
