import { z } from 'zod';
import {
  type ConnectionRow,
  deleteConnection,
  findConnection,
  insertConnection,
  listConnections,
  listUses,
  replaceCredentials,
  updateConnection,
} from '../../db/connections/connections.js';
import { newUuid } from '../../db/ids.js';
import {
  adviseRotation,
  Connection,
  ConnectionTestReport,
  CreateConnection,
  Reconnect,
  Reconnected,
  sendsSecretsElsewhere,
  UpdateConnection,
} from '../../domain/connection/connection.js';
import type { Principal } from '../../domain/identity/identity.js';
import { PendingRuleChange } from '../../domain/response/rule-change.js';
import { storable } from '../../domain/text.js';
import { checkFields, checkReconnect, splitCredentials } from '../../services/connections/fields.js';
import {
  checkAgent,
  checkDefinition,
  checkFeed,
  refuseTakenName,
  requireConnector,
  testConnection,
} from '../../services/connections/setup.js';
import { CommandError, conflict, invalid, notFound } from '../../services/errors.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['connections'];
const TEST_WAIT_MS = 60_000;
export const ConnectionPath = z.object({ connection_id: z.uuid() });

function toConnection(row: ConnectionRow): Connection {
  const { contract } = requireConnector(row.connectorKind);
  const secrets = Object.fromEntries(row.secretFields.map((field) => [field, { set: true }]));
  return {
    connection_id: row.connectionUuid,
    organization_code: row.organizationCode,
    connector: row.connectorKind,
    instance_name: row.instanceName,
    description: row.description,
    settings: row.settings,
    credentials: { ...row.plainCredentials, ...secrets },
    secret_expires_on: row.secretExpiresOn,
    remote_agent: row.remoteAgentUuid,
    is_default: row.isDefault,
    needs_second_person: row.needsSecondPerson,
    feeds_intake: row.feedsIntake,
    source: row.source,
    state: row.state,
    state_reason: row.stateReason,
    state_since: row.stateSince,
    generation: row.generation,
    blocked_until: row.blockedUntil === null ? null : Math.ceil(Date.parse(row.blockedUntil) / 1000),
    refused_skills: row.refusedSkills,
    waiting_investigations: row.waitingInvestigations,
    waiting_alerts: row.waitingAlerts,
    rotation: adviseRotation(row.secretsSetAt, contract.rotation, Date.now() / 1000),
    tested_at: row.testedAt,
    created_at: row.createdAt,
    modified_at: row.modifiedAt,
  };
}

export function connectionRoutes(app: ZodApp, { database: { db }, keyring, runner }: RouteDeps): void {
  async function find(principal: Principal, connectionId: string): Promise<ConnectionRow> {
    const row = await findConnection(db, principal.organizationUuid, connectionId);
    if (!row) throw notFound('connection with this id');
    return row;
  }

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
    async ({ body, principal }, reply) => {
      const { contract, definition, credentials } = await checkDefinition(db, principal, body, body.credentials);
      const place = { organizationUuid: definition.organizationUuid, connectionUuid: newUuid() };
      await refuseTakenName(() =>
        insertConnection(db, principal, {
          ...definition,
          ...place,
          ...splitCredentials(contract, credentials, keyring, place),
          secretExpiresOn: body.secret_expires_on ?? null,
        }),
      );
      return reply
        .status(201)
        .header('location', `/platformapi/connections/${place.connectionUuid}`)
        .send(toConnection(await find(principal, place.connectionUuid)));
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
    async ({ query, principal }) => {
      const filters = { connectorKind: query.connector, organizationCode: query.organization_code };
      const page = await listConnections(db, principal.organizationUuid, filters, pageRequest(query));
      return toListReply({ ...page, items: page.items.map(toConnection) });
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
    async ({ params, principal }) => toConnection(await find(principal, params.connection_id)),
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
    async ({ params, body, principal }, reply) => {
      const row = await find(principal, params.connection_id);
      const { contract } = requireConnector(row.connectorKind);
      checkFeed(contract, body.feeds_intake);
      const changes = {
        ...(body.instance_name === undefined ? {} : { instanceName: body.instance_name }),
        ...(body.description === undefined ? {} : { description: body.description }),
        ...(body.settings === undefined ? {} : { settings: checkFields(contract.settings, body.settings, 'settings') }),
        ...(body.secret_expires_on === undefined ? {} : { secretExpiresOn: body.secret_expires_on }),
        ...(body.remote_agent === undefined
          ? {}
          : { remoteAgentUuid: await checkAgent(db, contract, row.organizationUuid, body.remote_agent) }),
        ...(body.is_default === undefined ? {} : { isDefault: body.is_default }),
        ...(body.needs_second_person === undefined ? {} : { needsSecondPerson: body.needs_second_person }),
        ...(body.feeds_intake === undefined ? {} : { feedsIntake: body.feeds_intake }),
      };
      const moved = sendsSecretsElsewhere(
        { settings: row.settings, remoteAgent: row.remoteAgentUuid },
        { settings: changes.settings, remoteAgent: changes.remoteAgentUuid },
      );
      if (moved && row.secretFields.length > 0 && body.credentials === undefined)
        throw invalid([
          {
            pointer: '#/credentials',
            detail: 'credentials: send all of them again, because this change of settings or remote_agent sends them to another place.',
          },
        ]);
      const credentials =
        body.credentials === undefined
          ? null
          : splitCredentials(contract, checkFields(contract.credentials, body.credentials, 'credentials'), keyring, row);
      const pending = await refuseTakenName(() => updateConnection(db, principal, row, changes, credentials));
      if (pending !== null) return reply.status(202).send(pending);
      return reply.status(200).send(toConnection(await find(principal, params.connection_id)));
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
        response: { 200: Reconnected, ...problems(404, 413, 415) },
      },
    },
    async ({ params, body, principal }) => {
      const row = await find(principal, params.connection_id);
      const { contract } = requireConnector(row.connectorKind);
      const credentials = checkReconnect(contract, body.credentials, row);
      await replaceCredentials(db, principal, row, splitCredentials(contract, credentials, keyring, row), body.secret_expires_on ?? null);
      const report = await testConnection(runner, row, TEST_WAIT_MS);
      return { connection: toConnection(await find(principal, params.connection_id)), test: report };
    },
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
    async ({ params, principal }) => {
      const report = await testConnection(runner, await find(principal, params.connection_id), TEST_WAIT_MS);
      if (report === null)
        throw new CommandError('unavailable', 'The test is still running. Try again shortly.', { retryAfterSeconds: 10 });
      return report;
    },
  );

  app.delete(
    '/platformapi/connections/:connection_id',
    {
      config: { access: ['admin'], changes: ['connections', 'settings'] },
      schema: {
        operationId: 'deleteConnectionAPI',
        tags,
        summary: 'Delete an unused connection',
        params: ConnectionPath,
        response: { 204: z.null(), ...problems(404, 409) },
      },
    },
    async (request, reply) => {
      const { params, principal } = request;
      const row = await find(principal, params.connection_id);
      const uses = await listUses(db, row.connectionUuid);
      if (uses.length > 0)
        throw conflict(`The connection is in use: ${uses.join('; ')}. Remove these uses first.`, {
          errors: uses.map((use) => ({ detail: use })),
        });
      await deleteConnection(db, principal, row);
      request.changedIn = row.organizationUuid;
      return reply.status(204).send(null);
    },
  );
}
