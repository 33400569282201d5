import { z } from 'zod';
import { countUnfinished, measureOutbox } from '../../db/alerts/outbox.js';
import type { PgClient } from '../../db/client.js';
import { atMostEvery } from '../../platform/at-most-every.js';
import type { Metrics } from '../../platform/metrics.js';
import { METRICS_REFUSAL, mayReadMetrics } from '../../platform/metrics-access.js';
import { Problem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const access = 'public';

export function healthRoutes(app: ZodApp, { database, metrics, metricsToken, isTemporalReachable }: RouteDeps): void {
  app.get(
    '/healthz',
    {
      config: { access, anyHost: true },
      schema: {
        operationId: 'getHealth',
        tags: ['service'],
        security: [],
        summary: 'Liveness of the process',
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  const Readiness = z.object({
    status: z.enum(['ok', 'degraded', 'unavailable']),
    postgres: z.enum(['ok', 'away']),
    temporal: z.enum(['ok', 'away']).describe('While Temporal is away, the API accepts alerts and investigates them later.'),
  });
  const probe = atMostEvery(PROBE_EVERY_MS, () => Promise.all([answers(() => database.pg`select 1`), isTemporalReachable()]));
  app.get(
    '/readyz',
    {
      config: { access },
      schema: {
        operationId: 'getReadiness',
        tags: ['service'],
        security: [],
        summary: 'Readiness to accept alerts',
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_request, reply) => {
      const [postgres, temporal] = await probe();
      const status = postgres ? (temporal ? 'ok' : 'degraded') : 'unavailable';
      return reply.status(postgres ? 200 : 503).send({ status, postgres: postgres ? 'ok' : 'away', temporal: temporal ? 'ok' : 'away' });
    },
  );

  // Requests at the same time share one answer, which takes milliseconds.
  const render = atMostEvery(0, async () => {
    // Without a database, the metrics of the process are still useful.
    await measure(database.pg, metrics).catch(() => {});
    return metrics.registry.metrics();
  });
  app.get(
    '/metrics',
    {
      config: { access },
      schema: { operationId: 'getMetrics', tags: ['service'], security: [], summary: 'Prometheus metrics', response: { 200: z.string() } },
    },
    async (request, reply) => {
      if (!mayReadMetrics(request.raw, metricsToken)) throw new Problem(METRICS_REFUSAL.status, METRICS_REFUSAL.detail);
      return reply
        .type(metrics.registry.contentType)
        .serializer(String)
        .send(await render());
    },
  );
}

async function measure(pg: PgClient, metrics: Metrics): Promise<void> {
  const [outbox, unfinished] = await Promise.all([measureOutbox(pg), countUnfinished(pg)]);
  metrics.outboxWaiting.set(outbox.waiting);
  metrics.outboxOldestSeconds.set(outbox.oldestAgeSeconds);
  for (const { status, count } of unfinished) metrics.unfinished.set({ status }, count);
}

/** Anyone can ask whether the service is ready, so all requests within this time share one question to the servers. */
const PROBE_EVERY_MS = 1_000;

const ANSWER_WITHIN_MS = 2_000;

async function answers(ask: () => PromiseLike<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_WITHIN_MS);
  });
  const answered = Promise.resolve(ask()).then(
    () => true,
    () => false,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}
