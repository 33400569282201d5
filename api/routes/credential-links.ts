import { z } from 'zod';
import { findConnection, isNameTaken } from '../../db/connections/connections.js';
import {
  createCredentialLink,
  type LinkRow,
  listOpenLinks,
  revokeCredentialLink,
  toCredentialLink,
} from '../../db/connections/credential-links.js';
import { newToken } from '../../db/tokens.js';
import {
  CreateConnectionLink,
  CreateCredentialLink,
  CreatedCredentialLink,
  CredentialLink,
} from '../../domain/connection/credential-link.js';
import { PAGES } from '../../domain/pages.js';
import { storable } from '../../domain/text.js';
import { checkDefinition, requireConnector, takenName } from '../../services/connections/setup.js';
import { notFound } from '../../services/errors.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { ConnectionPath } from './connections.js';

const tags = ['connections'];

/** The browser keeps the part after # to itself, so no log and no other site learns the token. */
function describeCreated(link: LinkRow, token: string): CreatedCredentialLink {
  return { ...toCredentialLink(link), path: `${PAGES.handover}#${token}` };
}

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
    async ({ body, principal }, reply) => {
      const { definition } = await checkDefinition(db, principal, body, null);
      if (await isNameTaken(db, definition)) throw takenName();
      const token = newToken('link');
      const { organizationUuid } = definition;
      const link = await createCredentialLink(db, principal, { organizationUuid, newConnection: definition }, body.valid_hours, token);
      return reply.status(201).send(describeCreated(link, token));
    },
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
    async ({ params, body, principal }, reply) => {
      const connection = await findConnection(db, principal.organizationUuid, params.connection_id);
      if (!connection) throw notFound('connection with this id');
      requireConnector(connection.connectorKind);
      const token = newToken('link');
      const { organizationUuid, connectionUuid } = connection;
      const link = await createCredentialLink(db, principal, { organizationUuid, connectionUuid }, body.valid_hours, token);
      return reply.status(201).send(describeCreated(link, token));
    },
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
      return toListReply({ ...page, items: page.items.map(toCredentialLink) });
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
      const organizationUuid = await revokeCredentialLink(db, request.principal, request.params.link_id);
      if (organizationUuid === null) throw notFound('credential link with this id');
      request.changedIn = organizationUuid;
      return reply.status(204).send(null);
    },
  );
}
