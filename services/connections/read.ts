import type { Transaction } from '../../db/client.js';
import { type ConnectionRow, findConnection, lockConnectionWithLinks } from '../../db/connections/connections.js';
import { adviseRotation } from '../../domain/connection/connection.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import { requireConnector } from './setup.js';
import type { Connection } from './wire.js';

export async function requireConnection({ db, by }: Pick<Context, 'db' | 'by'>, connectionUuid: string): Promise<ConnectionRow> {
  const row = await findConnection(db, by.organizationUuid, connectionUuid);
  if (!row) throw notFound('connection with this id');
  return row;
}

/** For a command that decides by the row: another command cannot change it meanwhile. */
export async function requireLockedConnection(
  inside: Pick<Context, 'by'> & { readonly db: Transaction },
  connectionUuid: string,
): Promise<ConnectionRow> {
  // A caller without access must not wait for, or hold, a lock.
  await requireConnection(inside, connectionUuid);
  await lockConnectionWithLinks(inside.db, connectionUuid);
  return requireConnection(inside, connectionUuid);
}

export async function readConnection(context: Context, connectionUuid: string): Promise<Connection> {
  return describeConnection(await requireConnection(context, connectionUuid), context.now());
}

export function describeConnection(row: ConnectionRow, now: number): Connection {
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
    needs_second_person: row.needsSecondPerson === true,
    needs_second_person_default: row.needsSecondPerson === null,
    second_person_rule: row.secondPersonRule,
    feeds_intake: row.feedsIntake,
    source: row.source,
    state: row.state,
    state_reason: row.stateReason,
    state_since: row.stateSince,
    generation: row.generation,
    blocked_until: row.blockedUntil,
    refused_skills: row.refusedSkills,
    waiting_investigations: row.waitingInvestigations,
    waiting_alerts: row.waitingAlerts,
    rotation: adviseRotation(row.secretsSetAt, contract.rotation, now),
    tested_at: row.testedAt,
    created_at: row.createdAt,
    modified_at: row.modifiedAt,
  };
}
