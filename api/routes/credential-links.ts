import { z } from 'zod';
import { listOpenLinks } from '../../db/connections/credential-links.js';
import { storable } from '../../domain/text.js';
import { createLink } from '../../services/credential-links/create.js';
import { createLinkForNewConnection } from '../../services/credential-links/create-for-new-connection.js';
import { describeLink } from '../../services/credential-links/link.js';
import { revokeLink } from '../../services/credential-links/revoke.js';
import { CreateConnectionLink, CreateCredentialLink, CreatedCredentialLink, CredentialLink } from '../../services/credential-links/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { ConnectionPath } from './connections.js';

const tags = ['connections'];

/** One-time links with which a customer hands over credentials. */
export function credentialLinkRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.post(
    '/platformapi/credential-links',
    {
      config: { access: ['admin'], changes: ['connections'] },
      schema: {
        operationId: 'createConnectionLinkAPI',
        tags,
        summary: 'Ask a customer for the credentials of a new connection',
        description:
          'The service creates the connection when the customer sends the credentials. `path` is shown only once and works once.',
        body: CreateConnectionLink.meta({
          examples: [
            {
              organization_code: 'DEMO',
              connector: 'threat-intelligence',
              instance_name: 'Intelligence',
              settings: { api_host: 'https://api.intelligence.example' },
              valid_hours: 72,
            },
          ],
        }),
        response: { 201: CreatedCredentialLink, ...problems(409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => reply.status(201).send(await createLinkForNewConnection(context, body)),
  );

  app.post(
    '/platformapi/connections/:connection_id/credential-links',
    {
      config: { access: ['admin'], changes: ['connections'] },
      schema: {
        operationId: 'createCredentialLinkAPI',
        tags,
        summary: 'Ask a customer for new credentials of a connection',
        description: 'The credentials of the customer replace the stored ones. `path` is shown only once and works once.',
        params: ConnectionPath,
        body: CreateCredentialLink.meta({ examples: [{ valid_hours: 72 }] }),
        response: { 201: CreatedCredentialLink, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }, reply) => reply.status(201).send(await createLink(context, params.connection_id, body)),
  );

  app.get(
    '/platformapi/credential-links',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getCredentialLinkListAPI',
        tags,
        summary: 'List the links that a customer can still use, oldest first',
        querystring: PageQuery.extend({ connector: storable(100).optional(), connection_id: z.uuid().optional() }),
        response: { 200: pageSchema(CredentialLink), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const filters = { connectorKind: query.connector, connectionUuid: query.connection_id };
      const page = await listOpenLinks(db, principal.organizationUuid, filters, pageRequest(query));
      return toListReply({ ...page, items: page.items.map(describeLink) });
    },
  );

  app.delete(
    '/platformapi/credential-links/:link_id',
    {
      config: { access: ['admin'], changes: ['connections'] },
      schema: {
        operationId: 'revokeCredentialLinkAPI',
        tags,
        summary: 'Revoke a link',
        params: z.object({ link_id: z.uuid() }),
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async (request, reply) => {
      request.changedIn = await revokeLink(request.context, request.params.link_id);
      return reply.status(204).send(null);
    },
  );
}
