import { Button, Center } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, type Page } from '../api.js';

const PAGE_SIZE = 200;

/** A list that is short as a rule, on one page; where it is long, more of it is asked for. */
export function useWholeList<Item>(topic: string, path: string, query: Readonly<Record<string, string | undefined>> = {}) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [topic, path, query],
    queryFn: ({ pageParam }) => api.get<Page<Item>>(path, { ...query, cursor: pageParam, limit: PAGE_SIZE }),
    initialPageParam: '',
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
