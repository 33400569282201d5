import { isUniqueViolation } from '../../db/client.js';
import { createProvider, listProviders } from '../../db/identity/providers.js';
import { CreateProvider, Provider, providerSegment, RESERVED_SEGMENTS } from '../../domain/identity/identity.js';
import { conflict, invalid } from '../../services/errors.js';
import { requireAllOrganizations } from '../http/auth.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['providers'];

export function providerRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/providers',
    {
      config: { access: ['sender', 'analyst', 'admin'] },
      schema: {
        operationId: 'getProvidersAPI',
        tags,
        summary: 'List the systems that send alerts',
        querystring: PageQuery,
        response: { 200: pageSchema(Provider), ...problems() },
      },
    },
    async ({ query }) => toListReply(await listProviders(db, pageRequest(query))),
  );

  app.post(
    '/platformapi/providers',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'createProviderAPI',
        tags,
        summary: 'Add a provider',
        body: CreateProvider.meta({ examples: [{ name: 'mail-gateway' }] }),
        response: { 201: Provider, ...problems(409, 413, 415) },
      },
    },
    async ({ body, principal }, reply) => {
      requireAllOrganizations(principal);
      const segment = providerSegment(body.name);
      if (RESERVED_SEGMENTS.includes(segment))
        throw invalid([{ pointer: '#/name', detail: `${segment} is reserved for case ids. Choose another name.` }]);
      try {
        return await reply.status(201).send(await createProvider(db, principal, body.name));
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(`Another provider already uses ${segment} in its alert ids.`, {
          errors: [{ pointer: '#/name', detail: 'Choose another name.' }],
        });
      }
    },
  );
}
