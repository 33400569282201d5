import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type RouteOptions } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { Database } from '../db/client.js';
import type { SessionLimits } from '../db/identity/user-sessions.js';
import type { Logger } from '../platform/log.js';
import { type Context, readClock } from '../services/context.js';
import { KeyCache, registerAuthentication } from './http/auth.js';
import { createFindClientAddress } from './http/client-address.js';
import { closeConnectionsAtEnd } from './http/closing.js';
import { serveDashboard } from './http/dashboard.js';
import { acceptJsonOnly, stringify } from './http/json.js';
import { refuseUnknownParameters } from './http/known-parameters.js';
import { LiveUpdates } from './http/live-updates.js';
import { registerOpenApi } from './http/openapi.js';
import { requireOwnHost } from './http/own-host.js';
import { nothingHere, Problem, sendProblem } from './http/problems.js';
import { RefusedKeys } from './http/refused-keys.js';
import { type RouteDeps, withZod } from './http/route.js';
import { followTlsFiles, readTlsFiles, type TlsFiles } from './http/tls.js';
import { closeBeforeUnreadBodies } from './http/unread-bodies.js';
import { Intake } from './intake/intake.js';
import { agentRoutes } from './routes/agent.js';
import { alertRoutes } from './routes/alerts.js';
import { apiKeyRoutes } from './routes/api-keys.js';
import { attachmentRoutes } from './routes/attachments.js';
import { auditRoutes } from './routes/audit.js';
import { caseTaskRoutes } from './routes/case-tasks.js';
import { caseRoutes } from './routes/cases.js';
import { chatIdentityRoutes } from './routes/chat-identities.js';
import { claimMappingRoutes } from './routes/claim-mappings.js';
import { connectionRoutes } from './routes/connections.js';
import { connectorRoutes } from './routes/connectors.js';
import { credentialLinkRoutes } from './routes/credential-links.js';
import { entityRoutes } from './routes/entities.js';
import { serveEvents } from './routes/events.js';
import { exportRoutes } from './routes/exports.js';
import { handoverRoutes } from './routes/handover.js';
import { healthRoutes } from './routes/health.js';
import { inboxRoutes } from './routes/inbox.js';
import { invitationRoutes } from './routes/invitations.js';
import { knowledgeRoutes } from './routes/knowledge.js';
import { notificationChannelRoutes } from './routes/notification-channels.js';
import { notificationDeliveryRoutes } from './routes/notification-deliveries.js';
import { notificationRuleRoutes } from './routes/notification-rules.js';
import { organizationRoutes } from './routes/organizations.js';
import { overviewRoutes } from './routes/overview.js';
import { peopleRoutes } from './routes/people.js';
import { playbookRoutes } from './routes/playbooks.js';
import { proposalRoutes } from './routes/proposals.js';
import { providerSignInRoutes } from './routes/provider-sign-in.js';
import { providerRoutes } from './routes/providers.js';
import { recordRoutes } from './routes/records.js';
import { remoteAgentRoutes } from './routes/remote-agents.js';
import { responseRoutes } from './routes/response.js';
import { retentionRoutes } from './routes/retention.js';
import { savedViewRoutes } from './routes/saved-views.js';
import { searchRoutes } from './routes/search.js';
import { sessionRoutes } from './routes/session.js';
import { skillRoutes } from './routes/skills.js';
import { slaRoutes } from './routes/sla.js';
import { taskTemplateRoutes } from './routes/task-templates.js';
import { temporalCodecRoutes } from './routes/temporal-codec.js';
import { totpRoutes } from './routes/totp.js';
import { userSessionRoutes } from './routes/user-sessions.js';
import { userRoutes } from './routes/users.js';
import { decorateCookies } from './sign-in/cookies.js';
import type { IdentityProvider } from './sign-in/identity-provider.js';
import { PasswordGuesses } from './sign-in/password-guesses.js';

export interface AppDeps
  extends Omit<
    RouteDeps,
    | 'findClientAddress'
    | 'guesses'
    | 'identityProvider'
    | 'intake'
    | 'keys'
    | 'metricsToken'
    | 'refusedKeys'
    | 'sessionLimits'
    | 'temporalWeb'
  > {
  readonly log: Logger;
  readonly requestsPerMinute: number;
  readonly sessionLimits?: SessionLimits;
  readonly identityProvider?: IdentityProvider | null;
  /** Addresses and networks whose X-Forwarded-For and Forwarded headers are true. */
  readonly trustedProxies?: readonly string[];
  /** Where browsers reach the service. */
  readonly publicUrl?: string | undefined;
  /** Names of the service in addition to loopback names and addresses. */
  readonly allowedHosts?: readonly string[];
  readonly metricsToken?: string | null;
  readonly temporalWeb?: string | null;
  /** Folder of the built pages; null serves no dashboard. */
  readonly dashboardFolder?: string | null;
  /** The intake has its own connections, so that slow list queries do not delay alerts. */
  readonly intakeDatabase?: Database;
  /** Called after alerts are stored. */
  readonly onAlertsStored?: () => void;
  /** The API serves HTTPS with these files; null: HTTP. */
  readonly tlsFiles?: TlsFiles | null;
  /** The API document also has the operations that only browsers use. The types of the dashboard's client need them. */
  readonly documentsBrowserOperations?: boolean;
  /** Called for each route, for tools that need all of them. */
  readonly onRoute?: (route: RouteOptions) => void;
  /** Time limit for receiving a request. */
  readonly requestTimeoutMs?: number;
}

const MEBIBYTE = 1024 * 1024;
/** The service has not authenticated the sender of such a body, so parsing and validating it must cost little. */
const PUBLIC_BODY_BYTES = 4096;
const REQUEST_TIMEOUT_MS = 20_000;
/** Every request gets a reply, even when the database hangs without closing its connection. */
export const HANDLER_TIMEOUT_MS = 25_000;

/** Builds the API without listening, so that tests can call it directly. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log;
  const requestTimeout = deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const tls = deps.tlsFiles ?? null;
  const sessionLimits = deps.sessionLimits ?? { idleSeconds: 12 * 3600, absoluteSeconds: 7 * 86_400 };
  // Node checks for slow requests at this interval.
  const serverOptions = { connectionsCheckingInterval: 2_000, headersTimeout: 10_000 };
  const app: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Requests are not logged, so a logger with the request id has no use.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MEBIBYTE,
    requestTimeout,
    ...(tls === null ? { http: serverOptions } : { https: { ...serverOptions, ...readTlsFiles(tls) } }),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, requestTimeout),
    frameworkErrors: sendProblem,
  });
  if (tls !== null && app.server instanceof HttpsServer) {
    const unfollow = followTlsFiles(tls, app.server, deps.log);
    app.addHook('onClose', async () => unfollow());
  }
  closeConnectionsAtEnd(app);
  closeBeforeUnreadBodies(app);
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler({}, (request, reply) => sendProblem(nothingHere(), request, reply));
  requireOwnHost(app, deps.allowedHosts ?? []);
  // Before the body is read: anyone can send one to a path that does not exist.
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw nothingHere();
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => stringify);
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.header('x-content-type-options', 'nosniff');
    if (tls !== null) reply.header('strict-transport-security', 'max-age=31536000');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
  app.addHook('onRoute', (route) => {
    if (!route.config?.boundsItself) route.handlerTimeout = HANDLER_TIMEOUT_MS;
    if (route.config?.access === 'public') route.bodyLimit ??= PUBLIC_BODY_BYTES;
    deps.onRoute?.(route);
  });
  acceptJsonOnly(app);
  refuseUnknownParameters(app);
  const keys = new KeyCache(deps.database, sessionLimits);
  await app.register(rateLimit, { global: false });
  decorateCookies(app, deps.publicUrl);
  app.decorateRequest('refusedKey', '');
  app.decorateRequest('context', {
    getter(): Context {
      return { by: this.principal, db: deps.database.db, runner: deps.runner, now: readClock };
    },
  });
  const findClientAddress = createFindClientAddress(deps.trustedProxies ?? []);
  const refusedKeys = new RefusedKeys(app, { log: deps.log, metrics: deps.metrics, findClientAddress });
  await registerAuthentication(app, { keys, refusedKeys, requestsPerMinute: deps.requestsPerMinute });
  await registerOpenApi(app, deps.documentsBrowserOperations ?? false);

  const routes = withZod(app);
  const routeDeps: RouteDeps = {
    ...deps,
    temporalWeb: deps.temporalWeb ?? null,
    metricsToken: deps.metricsToken ?? null,
    findClientAddress,
    keys,
    refusedKeys,
    sessionLimits,
    identityProvider: deps.identityProvider ?? null,
    guesses: new PasswordGuesses(findClientAddress),
    intake: new Intake(deps.intakeDatabase ?? deps.database, deps.metrics, deps.onAlertsStored ?? (() => {})),
  };
  for (const register of [
    healthRoutes,
    temporalCodecRoutes,
    alertRoutes,
    caseRoutes,
    caseTaskRoutes,
    attachmentRoutes,
    entityRoutes,
    searchRoutes,
    savedViewRoutes,
    connectorRoutes,
    connectionRoutes,
    credentialLinkRoutes,
    handoverRoutes,
    skillRoutes,
    proposalRoutes,
    responseRoutes,
    remoteAgentRoutes,
    agentRoutes,
    playbookRoutes,
    organizationRoutes,
    peopleRoutes,
    taskTemplateRoutes,
    notificationChannelRoutes,
    notificationRuleRoutes,
    notificationDeliveryRoutes,
    inboxRoutes,
    knowledgeRoutes,
    retentionRoutes,
    slaRoutes,
    recordRoutes,
    providerRoutes,
    apiKeyRoutes,
    userRoutes,
    userSessionRoutes,
    invitationRoutes,
    auditRoutes,
    exportRoutes,
    overviewRoutes,
    sessionRoutes,
    totpRoutes,
    chatIdentityRoutes,
    providerSignInRoutes,
    claimMappingRoutes,
  ]) {
    register(routes, routeDeps);
  }
  serveEvents(app, new LiveUpdates(deps.database, sessionLimits), keys);
  if (deps.dashboardFolder) await serveDashboard(app, deps.dashboardFolder);
  return app;
}

/** Answers input that never became a request: too slow, or not HTTP. */
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
