import { z } from 'zod';
import { readOverview } from '../../db/cases/overview.js';
import { Overview } from '../../domain/case/overview.js';
import { problems } from '../http/openapi.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

/** However many pages are open, an organization is counted this often. */
const COUNTED_EVERY_MS = 15_000;
const REMEMBERED_AT_MOST = 1_000;

export function overviewRoutes(app: ZodApp, { database: { sql } }: RouteDeps): void {
  const counted = new Map<string, { at: number; overview: Promise<Overview> }>();

  app.get(
    '/platformapi/overview',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getOverviewAPI',
        tags: ['overview'],
        summary: 'What came, what became of it, and what waits for a person',
        querystring: z.object({ hours: z.coerce.number().int().min(1).max(720).default(24) }),
        response: { 200: Overview, ...problems() },
      },
    },
    ({ query: { hours }, principal: { organizationUuid } }) => {
      const key = `${organizationUuid} ${hours}`;
      const known = counted.get(key);
      if (known && Date.now() - known.at < COUNTED_EVERY_MS) return known.overview;
      if (counted.size >= REMEMBERED_AT_MOST) counted.clear();
      const overview = readOverview(sql, organizationUuid, hours);
      counted.set(key, { at: Date.now(), overview });
      // A count that failed is not remembered.
      overview.catch(() => counted.delete(key));
      return overview;
    },
  );
}
