import { z } from 'zod';
import { createApiKey, listApiKeys, newApiKey, revokeApiKey } from '../../db/identity/api-keys.js';
import { ApiKey, CreateApiKey, CreatedApiKey } from '../../domain/identity/identity.js';
import { conflict, invalid, notFound } from '../../services/errors.js';
import { grantableOrganization } from '../../services/organizations/require-organization.js';
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
    async ({ body, principal }, reply) => {
      const { name, role, organization_code, expires_at, service } = body;
      if (expires_at !== undefined && expires_at <= Date.now() / 1000)
        throw invalid([{ pointer: '#/expires_at', detail: 'expires_at is in the past. Send a later time.' }]);
      const organizationUuid = await grantableOrganization(db, principal, organization_code);
      const apiKey = newApiKey();
      const created = await createApiKey(db, principal, { name, role, organizationUuid, expiresAt: expires_at ?? null, service }, apiKey);
      if (created === null) throw conflict('Another key or a user has this name. The comparison ignores case. Send another name.');
      return reply
        .status(201)
        .send({ ...created, name, role, organization_code, expires_at: expires_at ?? null, revoked_at: null, api_key: apiKey });
    },
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
    '/platformapi/api-keys/:key_uuid',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'revokeApiKeyAPI',
        tags,
        summary: 'Revoke an API key at once',
        params: z.object({ key_uuid: z.uuid() }),
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, principal }, reply) => {
      if (!(await revokeApiKey(db, principal, params.key_uuid))) throw notFound('API key with this id');
      keys.forget();
      return reply.status(204).send(null);
    },
  );
}
