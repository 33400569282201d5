import { EventEmitter } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AGENT_STEPS_CHANNEL } from '../../db/agents/agent-steps.js';
import { markAgentSeen, noteAgentVersion } from '../../db/agents/remote-agents.js';
import { ClaimRequest, Heartbeat, StepReport } from '../../domain/connection/remote-agent.js';
import { withinTime } from '../http/deadline.js';
import { Problem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { RemoteSteps } from '../remote-steps.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the agent that calls. */
    agentUuid: string;
  }
}

const CLAIM_WAIT_MS = 25_000;
/** A lost notification, or a step that another agent gave up, is found this soon. */
const POLL_MS = 2_000;
/** The largest answer of a skill, and its envelope. */
const REPORT_BYTES = 80 * 1024 * 1024;
const UNKNOWN_TOKENS_PER_MINUTE = 600;

const StepPath = z.object({ step_id: z.uuid() });

/** What a remote agent calls: not part of the API's document, and closed to every API key. */
export function agentRoutes(app: ZodApp, deps: RouteDeps): void {
  const { db, sql } = deps.database;
  const steps = new RemoteSteps(deps);
  const bell = new EventEmitter().setMaxListeners(0);
  let closing = false;
  /** Ends when the bell rings for this agent, or after a while. */
  const ringFor = (agentUuid: string) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        bell.off(agentUuid, end);
        resolve();
      };
      const timer = setTimeout(end, POLL_MS);
      bell.on(agentUuid, end);
    });
  app.addHook('onReady', async () => {
    const ring = (agentUuid: string) => void bell.emit(agentUuid);
    await sql.listen(AGENT_STEPS_CHANNEL, ring);
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const agentUuid of bell.eventNames()) bell.emit(agentUuid);
  });

  const countUnknown = app.createRateLimit({
    max: UNKNOWN_TOKENS_PER_MINUTE,
    timeWindow: 60_000,
    keyGenerator: (request) => request.ip,
  });
  app.decorateRequest('agentUuid', '');
  /** The token alone says which agent it is. */
  async function authenticate(request: FastifyRequest): Promise<void> {
    const [, token] = /^Bearer (agent_[\w-]{43})$/.exec(request.headers.authorization ?? '') ?? [];
    const limit = await countUnknown(request, { increment: false });
    if (!limit.isAllowed && limit.isExceeded) throw new Problem(429, 'Too many requests with unknown tokens.', { retryAfterSeconds: 60 });
    const agentUuid = token === undefined ? null : await withinTime(markAgentSeen(sql, token));
    if (agentUuid === null) {
      await countUnknown(request);
      throw new Problem(401, 'This token is unknown or revoked.');
    }
    request.agentUuid = agentUuid;
  }

  const route = { config: { access: 'public' as const, boundsItself: true }, onRequest: authenticate };
  const notHeld = () => new Problem(404, 'This agent holds no such step.');

  app.post('/agentapi/claim', { ...route, schema: { hide: true, body: ClaimRequest } }, async ({ body, agentUuid }, reply) => {
    await noteAgentVersion(db, agentUuid, body.version);
    const until = Date.now() + CLAIM_WAIT_MS;
    let gone = false;
    reply.raw.once('close', () => {
      gone = true;
      bell.emit(agentUuid);
    });
    while (!gone && !closing && Date.now() < until) {
      // From before the look, so that what comes meanwhile is heard.
      const rung = ringFor(agentUuid);
      const step = await steps.claim(agentUuid);
      if (step !== null) return reply.status(200).send(step);
      await rung;
    }
    return reply.status(204).send(null);
  });

  app.post(
    '/agentapi/steps/:step_id/heartbeat',
    { ...route, schema: { hide: true, params: StepPath, body: Heartbeat } },
    async ({ params, body, agentUuid }, reply) => {
      if (!(await steps.heartbeat({ agentUuid, stepUuid: params.step_id, claim: body.claim }))) throw notHeld();
      return reply.status(204).send(null);
    },
  );

  app.post(
    '/agentapi/steps/:step_id/report',
    { ...route, bodyLimit: REPORT_BYTES, schema: { hide: true, params: StepPath, body: StepReport } },
    async ({ params, body, agentUuid }, reply) => {
      if (!(await steps.report({ agentUuid, stepUuid: params.step_id, claim: body.claim }, body))) throw notHeld();
      return reply.status(204).send(null);
    },
  );
}
