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
import { ALERT_SORTS } from '../domain/alert/alert-sort.js';
import { CASE_SORTS } from '../domain/case/case-sort.js';
import { PAGES } from '../domain/pages.js';
import { Page, PageLink } from './components/page.js';
import { ErrorState, PageSkeleton } from './components/states.js';
import { loadStyled } from './load-styled.js';
import { CASE_STATUS_LABELS, ENTITY_LABELS, keysOf, RECORD_LABELS, SEVERITIES, SLA_LABELS, STATUS_CODES, VERDICTS } from './options.js';
import { sessionQuery } from './queries/session.js';
import { flag, oneOf, search, text, whole } from './search.js';
import { Shell } from './shell.js';

interface RouterContext {
  readonly queryClient: QueryClient;
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
  validateSearch: search({ to: text, failure: text }),
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
  validateSearch: search({
    text,
    status: oneOf(STATUS_CODES),
    organization: text,
    provider: text,
    type: text,
    from: whole,
    to: whole,
    sort: oneOf(ALERT_SORTS),
    cursor: text,
  }),
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
  validateSearch: search({
    text,
    status: oneOf(keysOf(CASE_STATUS_LABELS)),
    severity: oneOf(SEVERITIES),
    verdict: oneOf(VERDICTS),
    assignee: text,
    unassigned: flag,
    organization: text,
    tag: text,
    from: whole,
    to: whole,
    visit: flag,
    disagrees: flag,
    sla: oneOf(keysOf(SLA_LABELS)),
    sort: oneOf(CASE_SORTS),
    cursor: text,
  }),
  component: lazyRouteComponent(() => import('./pages/cases.js'), 'CasesPage'),
});
const caseRoute = createRoute({
  getParentRoute: () => inside,
  path: PAGES.case,
  validateSearch: search({
    tab: oneOf(['evidence', 'timeline', 'tasks', 'files', 'events', 'graph', 'investigations', 'linked']),
    proposal: text,
  }),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/case.js')), 'CasePage'),
});
const entity = createRoute({
  getParentRoute: () => inside,
  path: PAGES.entity,
  validateSearch: search({ kind: oneOf(keysOf(ENTITY_LABELS)), value: text, organization: text, cursor: text }),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/entity.js')), 'EntityPage'),
});
const records = createRoute({
  getParentRoute: () => inside,
  path: PAGES.records,
  validateSearch: search({
    text,
    kind: oneOf(keysOf(RECORD_LABELS)),
    connection: text,
    organization: text,
    since: whole,
    cursor: text,
  }),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/records.js')), 'RecordsPage'),
});
const integrations = createRoute({
  getParentRoute: () => inside,
  path: PAGES.integrations,
  validateSearch: search({ name: text }),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/integrations.js')), 'IntegrationsPage'),
});
const connector = createRoute({
  getParentRoute: () => inside,
  path: PAGES.integration,
  validateSearch: search({ tab: oneOf(['overview', 'connections', 'skills']), connection: text, skill: text, run: text, input: text }),
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
  validateSearch: search({ version: whole, tab: oneOf(['steps', 'ran', 'edit', 'eject']) }),
  component: lazyRouteComponent(() => loadStyled(() => import('./pages/investigator.js')), 'InvestigatorPage'),
});
const settings = createRoute({
  getParentRoute: () => inside,
  path: PAGES.settings,
  validateSearch: search({
    tab: text,
    organization: text,
    cursor: text,
    action: text,
    who: text,
    target: text,
    from: whole,
    to: whole,
  }),
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
