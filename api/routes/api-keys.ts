import { z } from 'zod';
import { listApiKeys } from '../../db/identity/api-keys.js';
import { createApiKey } from '../../services/api-keys/create.js';
import { revokeApiKey } from '../../services/api-keys/revoke.js';
import { ApiKey, CreateApiKey, CreatedApiKey } from '../../services/api-keys/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['API keys'];

export function apiKeyRoutes(app: ZodApp, { database: { db }, keys }: RouteDeps): void {
  app.post(
    '/platformapi/api-keys',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'createApiKeyAPI',
        tags,
        summary: 'Create an API key',
        description:
          'The key belongs to the user who creates it, or to a service. In approvals, a key of a service counts as the person who created it.',
        body: CreateApiKey.meta({ examples: [{ name: 'siem-forwarder', role: 'sender', organization_code: 'DEMO' }] }),
        response: { 201: CreatedApiKey, ...problems(409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => reply.status(201).send(await createApiKey(context, body)),
  );

  app.get(
    '/platformapi/api-keys',
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getApiKeyListAPI',
        tags,
        summary: 'List API keys (never their values)',
        querystring: PageQuery,
        response: { 200: pageSchema(ApiKey), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listApiKeys(db, principal.organizationUuid, pageRequest(query))),
  );

  app.delete(
    '/platformapi/api-keys/:key_id',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'revokeApiKeyAPI',
        tags,
        summary: 'Revoke an API key at once',
        params: z.object({ key_id: z.uuid() }),
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, context }, reply) => {
      await revokeApiKey(context, params.key_id);
      keys.forget();
      return reply.status(204).send(null);
    },
  );
}
