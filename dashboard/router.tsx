import { Text } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { PAGES } from '../domain/pages.js';
import { Page, PageLink } from './components/page.js';
import { ErrorState, PageSkeleton } from './components/states.js';
import { loadStyled } from './load-styled.js';
import { sessionQuery } from './session.js';
import { Shell } from './shell.js';

interface RouterContext {
  readonly queryClient: QueryClient;
}

/** Filters are search parameters, so that the address of a filtered list can be shared. */
type Search = Readonly<Record<string, string | undefined>>;

function validateSearch(names: readonly string[]) {
  return (given: Record<string, unknown>): Search =>
    Object.fromEntries(names.flatMap((name) => (given[name] == null || given[name] === '' ? [] : [[name, String(given[name])]])));
}

function NotFoundPage() {
  return (
    <Page title="Page not found">
      <Text size="sm">
        There is no page at this address. <PageLink to="/">Go to the overview</PageLink>
      </Text>
    </Page>
  );
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: ({ error }) => <ErrorState error={error} />,
  notFoundComponent: NotFoundPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: PAGES.signIn,
  validateSearch: validateSearch(['to', 'failure']),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/sign-in.js')), 'SignInPage'),
});

const join = createRoute({
  getParentRoute: () => root,
  path: PAGES.join,
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/join.js')), 'JoinPage'),
});

const handover = createRoute({
  getParentRoute: () => root,
  path: PAGES.handover,
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/handover.js')), 'HandoverPage'),
});

/** The parent of every page that needs a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  async beforeLoad({ context, location }) {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: PAGES.signIn, search: { to: location.href } });
  },
});

const overview = createRoute({
  getParentRoute: () => inside,
  path: PAGES.overview,
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/overview.js')), 'OverviewPage'),
});
const alerts = createRoute({
  getParentRoute: () => inside,
  path: PAGES.alerts,
  validateSearch: validateSearch(['text', 'status', 'organization', 'provider', 'type', 'from', 'to', 'sort', 'cursor']),
  component: lazyRouteComponent(() => import('./pages/alerts.js'), 'AlertsPage'),
});
const alert = createRoute({
  getParentRoute: () => inside,
  path: PAGES.alert,
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/alert.js')), 'AlertPage'),
});
const cases = createRoute({
  getParentRoute: () => inside,
  path: PAGES.cases,
  validateSearch: validateSearch([
    ...['text', 'status', 'severity', 'verdict', 'assignee', 'unassigned', 'organization', 'tag', 'from', 'to', 'visit', 'disagrees'],
    ...['sla', 'sort', 'cursor'],
  ]),
  component: lazyRouteComponent(() => import('./pages/cases.js'), 'CasesPage'),
});
const caseRoute = createRoute({
  getParentRoute: () => inside,
  path: PAGES.case,
  validateSearch: validateSearch(['tab', 'proposal']),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/case.js')), 'CasePage'),
});
const entity = createRoute({
  getParentRoute: () => inside,
  path: PAGES.entity,
  validateSearch: validateSearch(['kind', 'value', 'organization', 'cursor']),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/entity.js')), 'EntityPage'),
});
const records = createRoute({
  getParentRoute: () => inside,
  path: PAGES.records,
  validateSearch: validateSearch(['text', 'kind', 'connection', 'organization', 'since', 'cursor']),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/records.js')), 'RecordsPage'),
});
const integrations = createRoute({
  getParentRoute: () => inside,
  path: PAGES.integrations,
  validateSearch: validateSearch(['name']),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/integrations.js')), 'IntegrationsPage'),
});
const connector = createRoute({
  getParentRoute: () => inside,
  path: PAGES.integration,
  validateSearch: validateSearch(['tab', 'connection', 'skill', 'run', 'input']),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/connector.js')), 'ConnectorPage'),
});
const investigators = createRoute({
  getParentRoute: () => inside,
  path: PAGES.investigators,
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/investigators.js')), 'InvestigatorsPage'),
});
const investigator = createRoute({
  getParentRoute: () => inside,
  path: PAGES.investigator,
  validateSearch: validateSearch(['version', 'tab']),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/investigator.js')), 'InvestigatorPage'),
});
const settings = createRoute({
  getParentRoute: () => inside,
  path: PAGES.settings,
  validateSearch: validateSearch(['tab', 'organization', 'cursor', 'action', 'who', 'target', 'from', 'to']),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/settings.js')), 'SettingsPage'),
});

const routeTree = root.addChildren([
  signIn,
  join,
  handover,
  inside.addChildren([
    overview,
    alerts,
    alert,
    cases,
    caseRoute,
    entity,
    records,
    integrations,
    connector,
    investigators,
    investigator,
    settings,
  ]),
]);

export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: ({ error }) => <ErrorState error={error} />,
    defaultNotFoundComponent: () => <ErrorState error={new Error('This page does not exist. Choose a page in the menu.')} />,
    scrollRestoration: true,
    // Every parameter is text: without this, the router would write it as JSON.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
