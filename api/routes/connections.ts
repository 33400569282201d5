import { z } from 'zod';
import { listConnections } from '../../db/connections/connections.js';
import { ConnectionTestReport } from '../../domain/connection/connection.js';
import { PendingRuleChange } from '../../domain/response/rule-change.js';
import { storable } from '../../domain/text.js';
import type { ConnectionContext } from '../../services/connections/context.js';
import { createConnection } from '../../services/connections/create.js';
import { deleteConnection } from '../../services/connections/delete.js';
import { describeConnection, readConnection } from '../../services/connections/read.js';
import { reconnect } from '../../services/connections/reconnect.js';
import { testConnection } from '../../services/connections/test.js';
import { updateConnection } from '../../services/connections/update.js';
import { Connection, CreateConnection, Reconnect, Reconnected, UpdateConnection } from '../../services/connections/wire.js';
import type { Context } from '../../services/context.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['connections'];
export const ConnectionPath = z.object({ connection_id: z.uuid() });

export function connectionRoutes(app: ZodApp, { database: { db }, keyring, runner }: RouteDeps): void {
  const extend = (context: Context): ConnectionContext => ({ ...context, keyring, runner });

  app.post(
    '/platformapi/connections',
    {
      config: { access: ['admin'], changes: ['connections', 'settings'] },
      schema: {
        operationId: 'createConnectionAPI',
        tags,
        summary: 'Connect an organization to a third party',
        description: 'The service seals secrets at once and never returns them. `POST …/test` tests the connection.',
        body: CreateConnection.meta({
          examples: [
            {
              organization_code: 'DEMO',
              connector: 'threat-intelligence',
              instance_name: 'Intelligence',
              settings: { api_host: 'https://api.intelligence.example' },
              credentials: { api_key: '…' },
            },
          ],
        }),
        response: { 201: Connection, ...problems(409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => {
      const created = await createConnection(extend(context), body);
      return reply.status(201).header('location', `/platformapi/connections/${created.connection_id}`).send(created);
    },
  );

  app.get(
    '/platformapi/connections',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getConnectionListAPI',
        tags,
        summary: 'List connections, oldest first',
        querystring: PageQuery.extend({ connector: storable(100).optional(), organization_code: storable(32).optional() }),
        response: { 200: pageSchema(Connection), ...problems() },
      },
    },
    async ({ query, context: { by, now } }) => {
      const filters = { connectorKind: query.connector, organizationCode: query.organization_code };
      const page = await listConnections(db, by.organizationUuid, filters, pageRequest(query));
      return toListReply({ ...page, items: page.items.map((row) => describeConnection(row, now())) });
    },
  );

  app.get(
    '/platformapi/connections/:connection_id',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getConnectionAPI',
        tags,
        summary: 'Read one connection',
        params: ConnectionPath,
        response: { 200: Connection, ...problems(404) },
      },
    },
    async ({ params, context }) => readConnection(context, params.connection_id),
  );

  app.patch(
    '/platformapi/connections/:connection_id',
    {
      config: { access: ['admin'], changes: ['connections', 'settings'] },
      schema: {
        operationId: 'updateConnectionAPI',
        tags,
        summary: 'Change a connection (to change only credentials, reconnect)',
        description:
          'To set needs_second_person to false, a second admin has to send the same request within 24 hours; keys of the same person do not count. Until then the reply is 202 and nothing changes.',
        params: ConnectionPath,
        body: UpdateConnection.meta({ examples: [{ description: 'Used by the night shift', is_default: true }] }),
        response: { 200: Connection, 202: PendingRuleChange, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }, reply) => {
      const updated = await updateConnection(extend(context), params.connection_id, body);
      if ('pending' in updated) return reply.status(202).send(updated.pending);
      return reply.status(200).send(updated.connection);
    },
  );

  app.post(
    '/platformapi/connections/:connection_id/reconnect',
    {
      config: { access: ['admin'], changes: ['connections', 'settings'], boundsItself: true },
      schema: {
        operationId: 'reconnectConnectionAPI',
        tags,
        summary: 'Replace the credentials and test them',
        description: 'Send only the changed credentials. When the test passes, all investigations that wait for the connection continue.',
        params: ConnectionPath,
        body: Reconnect.meta({ examples: [{ credentials: { api_key: '…' }, secret_expires_on: null }] }),
        response: { 200: Reconnected, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }) => reconnect(extend(context), params.connection_id, body),
  );

  app.post(
    '/platformapi/connections/:connection_id/test',
    {
      config: { access: ['analyst', 'admin'], changes: ['connections', 'settings'], boundsItself: true },
      schema: {
        operationId: 'testConnectionAPI',
        tags,
        summary: 'Test a connection',
        params: ConnectionPath,
        response: { 200: ConnectionTestReport, ...problems(404) },
      },
    },
    async ({ params, context }) => testConnection(extend(context), params.connection_id),
  );

  app.delete(
    '/platformapi/connections/:connection_id',
    {
      config: { access: ['admin'], changes: ['connections', 'settings'] },
      schema: {
        operationId: 'deleteConnectionAPI',
        tags,
        summary: 'Delete an unused connection',
        description:
          'If the connection has needs_second_person, a second admin has to send the same request within 24 hours; keys of the same person do not count. Until then the reply is 202.',
        params: ConnectionPath,
        response: { 202: PendingRuleChange, 204: z.null(), ...problems(404, 409) },
      },
    },
    async (request, reply) => {
      const { organizationUuid, pending } = await deleteConnection(request.context, request.params.connection_id);
      request.changedIn = organizationUuid;
      return pending === null ? reply.status(204).send(null) : reply.status(202).send(pending);
    },
  );
}
