import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** However fast things change, a page is asked for again at most this often. */
const REFRESH_EVERY_MS = 1_000;

/** What changes on the server is read again: whoever looks at a list or a case keeps their place. */
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
      timer ??= setTimeout(refresh, REFRESH_EVERY_MS);
    });
    return () => {
      if (timer !== null) clearTimeout(timer);
      source.close();
    };
  }, [queryClient]);
}
