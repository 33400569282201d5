import './first-styles.js';
import './last-focus.js';
import { MantineProvider } from '@mantine/core';
import { type Mutation, MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProblem } from './api.js';
import { createDashboardRouter } from './router.js';
import { redirectTo } from './session.js';
import { theme } from './theme.js';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
setNonce(nonce);

/** A refused change also shows that the page has old data. */
function reloadTopics({ meta }: Pick<Mutation, 'meta'>): Promise<unknown> {
  return Promise.all((meta?.topics ?? []).map((topic) => queryClient.invalidateQueries({ queryKey: [topic] })));
}

const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    onSuccess: (_data, _input, _result, mutation) => reloadTopics(mutation),
    onError: (_error, _input, _result, mutation) => reloadTopics(mutation),
  }),
  queryCache: new QueryCache({
    // The key expired or was revoked: after signing in, the user returns to this page.
    onError: (error) => {
      const { pathname, search } = window.location;
      if (error instanceof ApiProblem && error.status === 401) redirectTo(`/sign-in?to=${encodeURIComponent(pathname + search)}`);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A retry cannot succeed after a client error.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500),
    },
  },
});
const router = createDashboardRouter(queryClient);

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
