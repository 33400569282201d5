import { queryOptions } from '@tanstack/react-query';
import type { ViewedList } from '../../domain/case/viewed-list.js';
import type { CreateSavedView } from '../../services/saved-views/wire.js';
import { api, unwrap } from '../api.js';
import { change } from './kit.js';

const MAX_VIEWS = 200;

export const savedViewsQuery = (list: ViewedList) =>
  queryOptions({
    queryKey: ['settings', 'saved-views', list],
    queryFn: () => unwrap(api.GET('/saved-views', { params: { query: { list, limit: MAX_VIEWS } } })),
  });

/** null creates a view. */
export const saveView = (view_id: string | null) =>
  change(['settings'], ({ name, is_shared, ...view }: CreateSavedView) =>
    view_id === null
      ? unwrap(api.POST('/saved-views', { body: { name, is_shared, ...view } }))
      : unwrap(api.PATCH('/saved-views/{view_id}', { params: { path: { view_id } }, body: { name, is_shared } })),
  );

export const deleteView = change(['settings'], (view_id: string) =>
  unwrap(api.DELETE('/saved-views/{view_id}', { params: { path: { view_id } } })),
);
