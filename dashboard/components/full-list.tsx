import { Button, Center } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Page } from '../api.js';

const PAGE_SIZE = 200;

export interface PageParameters {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Loads a list that is usually short as one page, and offers a button where there is more. */
export function useFullList<Item>(queryKey: readonly string[], load: (page: PageParameters) => Promise<Page<Item>>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load({ cursor: pageParam ?? undefined, limit: PAGE_SIZE }),
    initialPageParam: ((): string | null => null)(),
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  const more = hasNextPage && (
    <Center>
      <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show more
      </Button>
    </Center>
  );
  return { items: data?.pages.flatMap(({ items }) => items), error, refetch, more };
}

export type FullList<Item> = ReturnType<typeof useFullList<Item>>;
