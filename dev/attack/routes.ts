import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import { toJsonSchema } from '../../api/http/openapi.js';
import type { Role } from '../../domain/identity/identity.js';
import { buildDetachedApp } from '../build/api-types.js';
import type { AttackRequest } from './request.js';
import { aimAt, type Json, sampleOf } from './samples.js';
import { asJson, type Credential } from './target.js';

/** A route of the API with one method, also if the API document hides it. */
export interface AttackedRoute {
  readonly method: string;
  /** With `:name` for each parameter. */
  readonly path: string;
  readonly parameters: readonly string[];
  /** null: the API document hides the route. */
  readonly operationId: string | null;
  readonly access: readonly Role[] | 'public';
  readonly security: unknown;
  /** The route waits longer than the usual limit of the API, and bounds the wait itself. */
  readonly boundsItself: boolean;
  /** JSON Schema; null: the route takes none. */
  readonly body: Json | null;
  readonly query: Json | null;
}

/** Schemas of routes are zod schemas. */
const RouteSchema = z.looseObject({
  operationId: z.string().optional(),
  security: z.unknown().optional(),
  body: z.instanceof(z.ZodType).optional(),
  querystring: z.instanceof(z.ZodType).optional(),
});

/** Every route that the app registers. */
export async function listRoutes(): Promise<AttackedRoute[]> {
  const registered: RouteOptions[] = [];
  const app = await buildDetachedApp({ onRoute: (route) => registered.push({ ...route }) });
  await app.ready();
  await app.close();
  return registered.flatMap((route) =>
    [route.method]
      .flat()
      .filter((method) => method !== 'HEAD')
      .map((method) => describeRoute(method, route)),
  );
}

function describeRoute(method: string, { url, config, schema = {} }: RouteOptions): AttackedRoute {
  const { operationId = null, security, body, querystring } = RouteSchema.parse(schema);
  return {
    method,
    path: url,
    parameters: [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
    operationId,
    access: config?.access ?? 'public',
    security,
    boundsItself: config?.boundsItself ?? false,
    body: body === undefined ? null : z.json().parse(toJsonSchema(body, 'input')),
    query: querystring === undefined ? null : z.json().parse(toJsonSchema(querystring, 'input')),
  };
}

/** The path with a value for each parameter. */
export function fillPath({ path }: Pick<AttackedRoute, 'path'>, findValue: (parameter: string) => string): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(findValue(name)));
}

const UNKNOWN = 'unknown';

/** A valid request that aims at these records; null: a request without content that names no record. */
export function buildRequest(route: AttackedRoute, credential: Credential, ids: ReadonlyMap<string, string> | null): AttackRequest {
  const target = fillPath(route, (name) => ids?.get(name) ?? UNKNOWN);
  const content = route.body === null ? {} : asJson(ids === null ? {} : aimAt(sampleOf(route.body), ids));
  return { method: route.method, target, ...content, headers: [...credential, ...(content.headers ?? [])] };
}
