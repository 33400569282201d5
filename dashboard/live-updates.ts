import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Limits how often a page reloads its data while many records change. */
const REFRESH_INTERVAL_MS = 1_000;

/** Reloads the data of the open page when the server reports a change; the page keeps its position. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const source = new EventSource('/platformapi/events');
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const refresh = () => {
      timer = null;
      for (const topic of changed) void queryClient.invalidateQueries({ queryKey: [topic] });
      changed.clear();
    };
    source.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      for (const topic of data.split(' ')) changed.add(topic);
      timer ??= setTimeout(refresh, REFRESH_INTERVAL_MS);
    });
    return () => {
      if (timer !== null) clearTimeout(timer);
      source.close();
    };
  }, [queryClient]);
}
