import { Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { fullList } from '../queries/kit.js';

/** The items of a list that is usually short, and a button that loads more where there are more. */
export function useFullList<Item>(list: ReturnType<typeof fullList<Item>>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(list);
  const more = hasNextPage && (
    <Group justify="center">
      <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show more
      </Button>
    </Group>
  );
  return { items: data?.pages.flatMap(({ items }) => items), error, refetch, more };
}

export type FullList<Item> = ReturnType<typeof useFullList<Item>>;
