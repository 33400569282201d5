import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { readOverview } from '../../db/cases/overview.js';
import { Overview } from '../../domain/case/overview.js';
import { problems } from '../http/openapi.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

/** Open pages share one count for this long. */
const CACHE_TTL_MS = 15_000;
const CACHE_SIZE = 1_000;

export function overviewRoutes(app: ZodApp, { database: { pg } }: RouteDeps): void {
  const cache = new LRUCache<string, Promise<Overview>>({ max: CACHE_SIZE, ttl: CACHE_TTL_MS });

  app.get(
    '/platformapi/overview',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getOverviewAPI',
        tags: ['overview'],
        summary: 'Count alerts, verdicts and open work',
        querystring: z.object({ hours: z.coerce.number().int().min(1).max(720).default(24) }),
        response: { 200: Overview, ...problems() },
      },
    },
    ({ query: { hours }, principal: { organizationUuid } }) => {
      const key = `${organizationUuid} ${hours}`;
      const cached = cache.get(key);
      if (cached) return cached;
      const overview = readOverview(pg, organizationUuid, hours);
      cache.set(key, overview);
      overview.catch(() => cache.delete(key));
      return overview;
    },
  );
}
