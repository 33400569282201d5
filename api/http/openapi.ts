import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { catalogue } from '../../connectors/catalogue.js';
import { type Catalogue, skillSlug } from '../../connectors/kit/define.js';
import { nameSchemas } from './named-schemas.js';
import { ProblemDocument } from './problems.js';

const API_VERSION = '1.0.0';

const DESCRIPTION = `Accepts security alerts, investigates each one durably, and opens a case that a person can act on.

**Authentication.** Send your API key as \`Cookie: Session=<API_KEY>\` or as \`Authorization: Bearer <API_KEY>\`. The role and the organization of a key alone decide its rights.

**Errors** are \`application/problem+json\` (RFC 9457) with a pointer to each invalid field.

**Lists** return \`{"items": […], "next_cursor": string | null}\` and take \`limit\` and \`cursor\`.

**Versions and compatibility.** This is version 1 of the API, under \`/platformapi\`. Within version 1 we may add operations, optional request fields, fields of replies, values of open enumerations in replies, and error details; clients ignore fields and values that they do not know. We do not remove or rename anything, change a type or a meaning, make an optional field required, or reject input that version 1 accepts today. An unknown query parameter is an error, because a list without the filter that it meant has other items. A version 2 would have its own path. Version 1 would then stay for at least 12 months after the announcement, with a \`Deprecation\` and a \`Sunset\` header in its replies.`;

/** Errors of every operation; a route adds its own. */
const COMMON_PROBLEMS = {
  400: 'Malformed request',
  401: 'No API key, or one that is unknown, expired or revoked',
  403: 'The role of this key does not allow the operation',
  422: 'A field or parameter is invalid',
  429: 'Too many requests; see Retry-After',
  503: 'The database is unavailable; see Retry-After',
} as const;

export function problems(...more: readonly (404 | 409 | 410 | 413 | 415 | 502)[]) {
  const described: Record<number, string> = { ...COMMON_PROBLEMS };
  const own = {
    404: 'Not found, or not visible to this key',
    409: 'Conflict with the current state',
    410: 'The alert of this Idempotency-Key was deleted',
    413: 'Larger than 1 MiB',
    415: 'Not application/json',
    502: 'The third party failed; see code and resolution',
  };
  for (const status of more) described[status] = own[status];
  return Object.fromEntries(
    Object.entries(described).map(([status, description]) => [
      status,
      { description, content: { 'application/problem+json': { schema: ProblemDocument } } },
    ]),
  );
}

/** The input and output of every skill, by the connector's kind and the skill's slug: the bodies of `…/skills/{skill}`. */
function withSkillSchemas<Described extends object>(document: Described): Described {
  const contracts: Catalogue = catalogue;
  const schemas = Object.values(contracts).flatMap((connector) =>
    Object.values(connector.skills).flatMap((skill) => [
      [`${connector.kind}.${skillSlug(skill)}.input`, toJsonSchema(skill.input, 'input')],
      [`${connector.kind}.${skillSlug(skill)}.output`, toJsonSchema(skill.output, 'output')],
    ]),
  );
  const components = 'components' in document && typeof document.components === 'object' ? document.components : {};
  const present = components && 'schemas' in components && typeof components.schemas === 'object' ? components.schemas : {};
  return { ...document, components: { ...components, schemas: { ...present, ...Object.fromEntries(schemas) } } };
}

/** Converts a schema to JSON Schema for the API document and for forms. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { target: 'draft-2020-12', unrepresentable: 'any', io });
  return described;
}

export async function registerOpenApi(app: FastifyInstance, withBrowserOperations: boolean): Promise<void> {
  const zodToJsonConfig = {
    target: 'draft-2020-12' as const,
    unrepresentable: 'any' as const,
    override({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }) {
      if (!(zodSchema instanceof z.ZodType)) return;
      // Only request schemas are closed: a reply may gain fields within a version.
      if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete jsonSchema['additionalProperties'];
      const override = zodSchema.meta()?.['override'];
      if (override === undefined) return;
      for (const key of Object.keys(jsonSchema)) if (key !== 'description') delete jsonSchema[key];
      Object.assign(jsonSchema, override);
    },
  };
  const transform = createJsonSchemaTransform({
    zodToJsonConfig,
    skipList: ['/docs', '/docs/*', '/docs/static/*', '/docs/json', '/docs/yaml', '/docs/uiConfig', '/docs/initOAuth'],
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'alert-investigator', version: API_VERSION, description: DESCRIPTION },
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'Session' }, bearer: { type: 'http', scheme: 'bearer' } },
      },
      security: [{ session: [] }, { bearer: [] }],
    },
    transform: (route) => {
      const isShown = withBrowserOperations && route.url.startsWith('/platformapi/');
      return transform(isShown ? { ...route, schema: { ...route.schema, hide: false } } : route);
    },
    transformObject: (document) => withSkillSchemas(createJsonSchemaTransformObject({ zodToJsonConfig })(document)),
  });
  z.globalRegistry.add(ProblemDocument, { id: 'Problem' });
  nameSchemas();
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { tryItOutEnabled: true, deepLinking: true },
    // Without TLS, this directive would block the page's own scripts.
    transformStaticCSP: (header) => header.replace(/ upgrade-insecure-requests;?/, ''),
  });
  // Anyone can ask for it, and to serialize it takes several milliseconds.
  let document: string | null = null;
  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
