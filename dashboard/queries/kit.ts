import { infiniteQueryOptions, mutationOptions } from '@tanstack/react-query';
import type { Page } from '../api.js';

/** The first part of each query key: a topic that the server announces (`live-updates.ts`), or data that it never announces. */
export type Topic = 'alerts' | 'cases' | 'connections' | 'inbox' | 'playbooks' | 'proposals' | 'session' | 'settings';

const PAGE_SIZE = 200;

/** A list that is usually short; `useFullList` offers a button where there is more. */
export function fullList<Item>(
  queryKey: readonly [Topic, ...unknown[]],
  load: (page: { readonly limit: number; readonly cursor: string | undefined }) => Promise<Page<Item>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => load({ cursor: pageParam ?? undefined, limit: PAGE_SIZE }),
    initialPageParam: ((): string | null => null)(),
    getNextPageParam: ({ next_cursor: next }) => next,
  });
}

/** A request that changes data. After the reply the pages load the named topics again (`main.tsx`). */
export function change<Input, Reply>(topics: readonly Topic[], mutationFn: (input: Input) => Promise<Reply>) {
  return mutationOptions({ mutationFn, meta: { topics } });
}
export type Change<Input, Reply> = ReturnType<typeof change<Input, Reply>>;

/** The fields of a form that its schema or its list of fields describes. */
export type FormValue = Record<string, unknown>;

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { readonly topics: readonly Topic[] };
  }
}
