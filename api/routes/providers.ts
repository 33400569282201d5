import { listProviders } from '../../db/identity/providers.js';
import { createProvider } from '../../services/providers/create.js';
import { CreateProvider, Provider } from '../../services/providers/wire.js';
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
    async ({ body, context }, reply) => reply.status(201).send(await createProvider(context, body.name)),
  );
}
