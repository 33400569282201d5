import type { Socket } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { Database } from '../db/client.js';
import type { Logger } from '../platform/log.js';
import { KeyCache, registerAuthentication } from './http/auth.js';
import { serveDashboard } from './http/dashboard.js';
import { acceptJsonOnly, stringify } from './http/json.js';
import { LiveUpdates } from './http/live-updates.js';
import { registerOpenApi } from './http/openapi.js';
import { Problem, sendProblem } from './http/problems.js';
import { type RouteDeps, withZod } from './http/route.js';
import { Intake } from './intake/intake.js';
import { agentRoutes } from './routes/agent.js';
import { alertRoutes } from './routes/alerts.js';
import { apiKeyRoutes } from './routes/api-keys.js';
import { auditRoutes } from './routes/audit.js';
import { caseRoutes } from './routes/cases.js';
import { connectionRoutes } from './routes/connections.js';
import { connectorRoutes } from './routes/connectors.js';
import { serveEvents } from './routes/events.js';
import { exportRoutes } from './routes/exports.js';
import { healthRoutes } from './routes/health.js';
import { organizationRoutes } from './routes/organizations.js';
import { overviewRoutes } from './routes/overview.js';
import { playbookRoutes } from './routes/playbooks.js';
import { proposalRoutes } from './routes/proposals.js';
import { providerRoutes } from './routes/providers.js';
import { remoteAgentRoutes } from './routes/remote-agents.js';
import { responseRoutes } from './routes/response.js';
import { sessionRoutes } from './routes/session.js';
import { skillRoutes } from './routes/skills.js';

export interface AppDeps extends Omit<RouteDeps, 'intake' | 'keys' | 'temporalWeb'> {
  readonly log: Logger;
  readonly requestsPerMinute: number;
  readonly temporalWeb?: string | null;
  /** The built pages; null: an API without a dashboard. */
  readonly dashboardFolder?: string | null;
  /** Connections of the intake's own: no list keeps an alert waiting, and few of them stay warm. */
  readonly intakeDatabase?: Database;
  /** Called when alerts were stored: somebody may want to carry them on. */
  readonly onAlertsStored?: () => void;
  /** How long a request may take to arrive. */
  readonly requestTimeoutMs?: number;
}

const MEBIBYTE = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 20_000;
/** Whatever a request waits for, it is answered: also when the database neither answers nor goes away. */
const HANDLER_TIMEOUT_MS = 25_000;

/** Builds the API without listening, so that tests can ask it directly. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log;
  const requestTimeout = deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const app: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Without a line for each request, its number leads nowhere.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MEBIBYTE,
    requestTimeout,
    // Node looks for requests that take too long only this often.
    http: { connectionsCheckingInterval: 2_000, headersTimeout: 10_000 },
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, requestTimeout),
    frameworkErrors: sendProblem,
  });
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler({}, (request, reply) =>
    sendProblem(new Problem(404, 'There is nothing at this path. GET /docs describes what there is.'), request, reply),
  );
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => stringify);
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.header('x-content-type-options', 'nosniff');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
  app.addHook('onRoute', (route) => {
    if (!route.config?.boundsItself) route.handlerTimeout = HANDLER_TIMEOUT_MS;
  });
  acceptJsonOnly(app);
  const keys = new KeyCache(deps.database);
  await registerAuthentication(app, keys, deps.requestsPerMinute);
  await registerOpenApi(app);

  const routes = withZod(app);
  const routeDeps: RouteDeps = {
    ...deps,
    temporalWeb: deps.temporalWeb ?? null,
    keys,
    intake: new Intake(deps.intakeDatabase ?? deps.database, deps.metrics, deps.onAlertsStored ?? (() => {})),
  };
  for (const register of [
    healthRoutes,
    alertRoutes,
    caseRoutes,
    connectorRoutes,
    connectionRoutes,
    skillRoutes,
    proposalRoutes,
    responseRoutes,
    remoteAgentRoutes,
    agentRoutes,
    playbookRoutes,
    organizationRoutes,
    providerRoutes,
    apiKeyRoutes,
    auditRoutes,
    exportRoutes,
    overviewRoutes,
    sessionRoutes,
  ]) {
    register(routes, routeDeps);
  }
  serveEvents(app, new LiveUpdates(deps.database.sql));
  if (deps.dashboardFolder) await serveDashboard(app, deps.dashboardFolder);
  return app;
}

/** What never became a request (too slow, not HTTP) gets an answer all the same. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, requestTimeout: number): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const problem =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new Problem(408, `The request took longer than ${requestTimeout / 1000} seconds to arrive.`)
      : new Problem(400, 'This is not a well-formed HTTP request.');
  const body = JSON.stringify(problem.document());
  const { title, status } = problem.document();
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
