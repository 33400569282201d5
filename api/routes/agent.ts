import { EventEmitter } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AGENT_STEPS_CHANNEL } from '../../db/agents/agent-steps.js';
import { markAgentSeen, noteAgentVersion } from '../../db/agents/remote-agents.js';
import { ClaimRequest, Heartbeat, STEP_REPORT_BYTES } from '../../domain/connection/remote-agent.js';
import { allowAgentSending } from '../../services/agents/allow-sending.js';
import { claimStep } from '../../services/agents/claim-step.js';
import { completeStep } from '../../services/agents/complete-step.js';
import { keepStep } from '../../services/agents/keep-step.js';
import { ReportReader } from '../../services/agents/report-reader.js';
import { readClock } from '../../services/context.js';
import { withinTime } from '../http/deadline.js';
import { expectedBytes, LargeBodies } from '../http/large-bodies.js';
import { Problem } from '../http/problems.js';
import { type RouteDeps, withZod, type ZodApp } from '../http/route.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the agent's token. */
    agentUuid: string;
  }
}

const CLAIM_WAIT_MS = 25_000;
/** Polling finds steps whose notification was lost, and steps that another agent gave up. */
const POLL_MS = 2_000;

const StepPath = z.object({ step_id: z.uuid() });

/** Routes for remote agents. The API document hides them, and they accept no API key. */
export function agentRoutes(app: ZodApp, deps: RouteDeps): void {
  const { db, pg } = deps.database;
  const { keyring, runner, metrics } = deps;
  const context = { by: null, db, pg, keyring, runner, metrics, now: readClock };
  const newSteps = new EventEmitter().setMaxListeners(0);
  let closing = false;
  /** Resolves when a step arrives for this agent, or after the poll interval. */
  const waitForStep = (agentUuid: string) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        newSteps.off(agentUuid, end);
        resolve();
      };
      const timer = setTimeout(end, POLL_MS);
      newSteps.on(agentUuid, end);
    });
  app.addHook('onReady', async () => {
    const notify = (agentUuid: string) => void newSteps.emit(agentUuid);
    await pg.listen(AGENT_STEPS_CHANNEL, notify);
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const agentUuid of newSteps.eventNames()) newSteps.emit(agentUuid);
  });

  app.decorateRequest('agentUuid', '');
  /** The token identifies the agent. */
  async function authenticate(request: FastifyRequest): Promise<void> {
    const [, token = null] = /^Bearer (agent_[\w-]{43})$/.exec(request.headers.authorization ?? '') ?? [];
    const agentUuid = token === null ? null : await withinTime(markAgentSeen(pg, token));
    if (agentUuid === null) {
      const unknown = new Problem(401, 'The agent token is unknown or revoked. Create a new remote agent.');
      throw await deps.refusedKeys.refuse(request, 'agent-token', token, unknown);
    }
    request.agentUuid = agentUuid;
  }

  const route = { config: { access: 'public' as const, boundsItself: true }, onRequest: authenticate };

  app.post('/agentapi/claim', { ...route, schema: { hide: true, body: ClaimRequest } }, async ({ body, agentUuid }, reply) => {
    await noteAgentVersion(db, agentUuid, body.version);
    const until = Date.now() + CLAIM_WAIT_MS;
    let gone = false;
    reply.raw.once('close', () => {
      gone = true;
      newSteps.emit(agentUuid);
    });
    while (!gone && !closing && Date.now() < until) {
      // Subscribe before the query, so that no step is missed in between.
      const stepArrived = waitForStep(agentUuid);
      const step = await claimStep(context, agentUuid, body);
      if (step !== null) return reply.status(200).send(step);
      await stepArrived;
    }
    return reply.status(204).send(null);
  });

  app.post(
    '/agentapi/steps/:step_id/heartbeat',
    { ...route, schema: { hide: true, params: StepPath, body: Heartbeat } },
    async ({ params, body, agentUuid }, reply) => {
      await keepStep(context, { agentUuid, stepUuid: params.step_id, claim: body.claim });
      return reply.status(204).send(null);
    },
  );

  app.post(
    '/agentapi/steps/:step_id/sending',
    { ...route, schema: { hide: true, params: StepPath, body: Heartbeat } },
    async ({ params, body, agentUuid }, reply) => {
      await allowAgentSending(context, { agentUuid, stepUuid: params.step_id, claim: body.claim });
      return reply.status(204).send(null);
    },
  );

  const reports = new ReportReader();
  app.addHook('onClose', () => reports.close());
  const bodies = new LargeBodies({ owner: 2 * STEP_REPORT_BYTES, total: 4 * STEP_REPORT_BYTES });
  void app.register(async (scoped) => {
    // A thread parses the report.
    scoped.removeContentTypeParser('application/json');
    scoped.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    withZod(scoped).post(
      '/agentapi/steps/:step_id/report',
      {
        ...route,
        bodyLimit: STEP_REPORT_BYTES,
        onRequest: [
          authenticate,
          async (request, reply) => bodies.reserve(request, reply, request.agentUuid, expectedBytes(request, STEP_REPORT_BYTES)),
        ],
        schema: { hide: true, params: StepPath },
      },
      async (request, reply) => {
        const { params, body, agentUuid } = request;
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        await bodies.during(request, () => completeStep({ ...context, reports }, { agentUuid, stepUuid: params.step_id }, bytes));
        return reply.status(204).send(null);
      },
    );
  });
}
