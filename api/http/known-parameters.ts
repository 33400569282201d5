import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findClosestName } from '../../domain/closest-name.js';
import { clip } from '../../domain/text.js';
import { invalid, MAX_WRONG_FIELDS } from '../../services/errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Another party decides which query parameters it sends. */
    readonly anyParameters?: boolean;
  }
}

const MAX_NAME_LENGTH = 100;

/**
 * Refuses query parameters that the schema of a route does not have. An ignored filter returns everything. Pages and files ignore them,
 * and so do the paths without a prefix, because health checks add some.
 */
export function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!/^\/(?:platformapi|agentapi)\//.test(route.url) || route.config?.anyParameters) return;
    const { querystring } = route.schema ?? {};
    if (querystring !== undefined && !(querystring instanceof z.ZodObject))
      throw new Error(`${route.url}: the schema of the query parameters must be an object`);
    const known = Object.keys(querystring?.shape ?? {});
    const check = async (request: FastifyRequest) => requireKnown(request.query, known);
    // After the route's own authentication, so that it explains parameters only to its callers.
    route.onRequest = [route.onRequest ?? [], check].flat();
  });
}

function requireKnown(query: unknown, known: readonly string[]): void {
  const given = typeof query === 'object' && query !== null ? Object.keys(query) : [];
  const wrong = given.filter((name) => !known.includes(name)).slice(0, MAX_WRONG_FIELDS);
  if (wrong.length === 0) return;
  throw invalid(
    wrong.map((name) => {
      const shown = clip(name, MAX_NAME_LENGTH);
      const meant = findClosestName(shown, known);
      const remedy = meant === null ? 'GET /docs lists the parameters.' : `Did you mean ${meant}?`;
      return { detail: `${shown}: is not a query parameter of this operation. ${remedy}`, parameter: shown };
    }),
  );
}
