import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { ConnectionState, RefusedSkill } from '../../domain/connection/connection.js';
import type { SecondPersonRule } from '../../domain/response/sensitive-write.js';
import { type Db, executePrepared, type PgClient, type Transaction } from '../client.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { type ConnectionDefinition, connectionSecrets, connections, credentialLinks, organizations } from '../schema/index.js';
import { inOrganization } from '../scope.js';
import { secondPersonRule } from './second-person.js';

/** A secret as the database stores it; only the keyring can open it. */
export interface SealedSecret {
  readonly field: string;
  readonly masterKeyId: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

export type ConnectionColumns = typeof connections.$inferInsert;

/** The first connection of a kind becomes the default. Throws a unique violation for a name that is taken. */
export async function insertConnectionRow(
  transaction: Transaction,
  row: Omit<ConnectionColumns, 'isDefault'>,
  secrets: readonly SealedSecret[],
): Promise<void> {
  const { organizationUuid, connectorKind } = row;
  // Of two concurrent inserts only one may become the default.
  await transaction.execute(sql`select from organizations where organization_uuid = ${organizationUuid} for no key update`);
  const isFirst = sql<boolean>`not exists (select from connections where organization_uuid = ${organizationUuid} and connector_kind = ${connectorKind})`;
  await transaction.insert(connections).values({ ...row, isDefault: isFirst });
  await writeSecrets(transaction, row.connectionUuid, secrets);
}

export async function writeSecrets(transaction: Transaction, connectionUuid: string, secrets: readonly SealedSecret[]): Promise<void> {
  for (const secret of secrets) {
    const { masterKeyId, wrappedKey, ciphertext } = secret;
    await transaction
      .insert(connectionSecrets)
      .values({ connectionUuid, ...secret })
      .onConflictDoUpdate({
        target: [connectionSecrets.connectionUuid, connectionSecrets.field],
        set: { masterKeyId, wrappedKey, ciphertext },
      });
  }
}

export async function deleteSecrets(transaction: Transaction, connectionUuid: string): Promise<void> {
  await transaction.delete(connectionSecrets).where(eq(connectionSecrets.connectionUuid, connectionUuid));
}

/** The stored part of a connection; the API adds facts from the connector's contract. */
export interface ConnectionRow {
  readonly connectionUuid: string;
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly connectorKind: string;
  readonly instanceName: string;
  readonly description: string;
  readonly settings: Record<string, unknown>;
  readonly plainCredentials: Record<string, unknown>;
  readonly secretFields: string[];
  readonly remoteAgentUuid: string | null;
  readonly isDefault: boolean;
  readonly needsSecondPerson: boolean | null;
  readonly secondPersonRule: SecondPersonRule;
  readonly feedsIntake: boolean;
  readonly source: { read_until: number; last_read_at: number | null; last_error: string | null } | null;
  readonly state: ConnectionState;
  readonly stateReason: string | null;
  readonly stateSince: number;
  readonly generation: number;
  readonly blockedUntil: number | null;
  readonly refusedSkills: RefusedSkill[];
  readonly waitingInvestigations: number;
  readonly waitingAlerts: string[];
  readonly secretsSetAt: number;
  readonly secretExpiresOn: string | null;
  readonly testedAt: number | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** Further ones are only counted. */
const MAX_NAMED_ALERTS = 20;

const columns = {
  connectionUuid: connections.connectionUuid,
  organizationUuid: connections.organizationUuid,
  organizationCode: organizations.organizationCode,
  connectorKind: connections.connectorKind,
  instanceName: connections.instanceName,
  description: connections.description,
  settings: connections.settings,
  plainCredentials: connections.plainCredentials,
  secretFields: sql<
    string[]
  >`(select coalesce(json_agg(field order by field), '[]') from connection_secrets where connection_uuid = ${connections.connectionUuid})`,
  remoteAgentUuid: connections.remoteAgentUuid,
  isDefault: connections.isDefault,
  needsSecondPerson: connections.needsSecondPerson,
  secondPersonRule,
  feedsIntake: connections.feedsIntake,
  source: sql<ConnectionRow['source']>`(select json_build_object('read_until', extract(epoch from read_until)::bigint,
    'last_read_at', extract(epoch from last_read_at)::bigint, 'last_error', last_error)
    from source_watermarks where connection_uuid = ${connections.connectionUuid})`,
  state: connections.state,
  stateReason: connections.stateReason,
  stateSince: connections.stateSince,
  generation: connections.generation,
  blockedUntil: sql<
    number | null
  >`case when ${connections.blockedUntil} > now() then ceil(extract(epoch from ${connections.blockedUntil}))::float8 end`,
  refusedSkills: sql<
    RefusedSkill[]
  >`(select coalesce(json_agg(json_build_object('skill_id', skill_id, 'skill_key', skill_key, 'reason', reason,
    'resolution', resolution, 'since', extract(epoch from since)::bigint) order by skill_id), '[]')
    from connection_refusals where connection_uuid = ${connections.connectionUuid})`,
  waitingInvestigations: sql<number>`(select count(*)::int from connection_waiters where connection_uuid = ${connections.connectionUuid})`,
  waitingAlerts: sql<string[]>`(select coalesce(json_agg(alert_id), '[]') from (select alerts.alert_id from connection_waiters
    join alerts on alerts.alert_uuid = connection_waiters.alert_uuid
    where connection_waiters.connection_uuid = ${connections.connectionUuid}
    order by connection_waiters.since limit ${MAX_NAMED_ALERTS}) as waiting)`,
  secretsSetAt: connections.secretsSetAt,
  secretExpiresOn: connections.secretExpiresOn,
  testedAt: connections.testedAt,
  createdAt: connections.createdAt,
  modifiedAt: connections.modifiedAt,
};

export async function listConnections(
  db: Db,
  scope: string | null,
  filters: { connectorKind?: string | undefined; organizationCode?: string | undefined },
  page: PageRequest,
): Promise<Page<ConnectionRow>> {
  const rows = await db
    .select(columns)
    .from(connections)
    .innerJoin(organizations, eq(organizations.organizationUuid, connections.organizationUuid))
    .where(
      and(
        inOrganization(connections.organizationUuid, scope),
        filters.connectorKind === undefined ? undefined : eq(connections.connectorKind, filters.connectorKind),
        filters.organizationCode === undefined ? undefined : eq(organizations.organizationCode, filters.organizationCode),
        page.after === null ? undefined : gt(connections.connectionUuid, page.after),
      ),
    )
    .orderBy(asc(connections.connectionUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.connectionUuid);
}

/** Instance names by id, without connections that do not exist. */
export async function connectionNames(db: Db, connectionUuids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (connectionUuids.length === 0) return new Map();
  const rows = await db
    .select({ id: connections.connectionUuid, name: connections.instanceName })
    .from(connections)
    .where(inArray(connections.connectionUuid, [...connectionUuids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The kinds of third parties that an organization has connected. */
export async function listConnectorKinds(db: Db, organizationUuid: string): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ kind: connections.connectorKind })
    .from(connections)
    .where(eq(connections.organizationUuid, organizationUuid));
  return new Set(rows.map(({ kind }) => kind));
}

export async function findConnection(db: Db | Transaction, scope: string | null, connectionUuid: string): Promise<ConnectionRow | null> {
  const [row] = await db
    .select(columns)
    .from(connections)
    .innerJoin(organizations, eq(organizations.organizationUuid, connections.organizationUuid))
    .where(and(eq(connections.connectionUuid, connectionUuid), inOrganization(connections.organizationUuid, scope)));
  return row ?? null;
}

/** Locks the connection until the end of the transaction. Its open links are locked first, as in the command that redeems one. */
export async function lockConnectionWithLinks(transaction: Transaction, connectionUuid: string): Promise<void> {
  const links = and(eq(credentialLinks.connectionUuid, connectionUuid), isNull(credentialLinks.usedAt), isNull(credentialLinks.revokedAt));
  await transaction
    .select({ linkUuid: credentialLinks.linkUuid })
    .from(credentialLinks)
    .where(links)
    .orderBy(credentialLinks.linkUuid)
    .for('update');
  await lockConnection(transaction, connectionUuid);
}

export async function lockConnection(transaction: Transaction, connectionUuid: string): Promise<void> {
  await transaction.execute(sql`select from connections where connection_uuid = ${connectionUuid} for no key update`);
}

export async function isNameTaken(db: Db | Transaction, { organizationUuid, instanceName }: ConnectionDefinition): Promise<boolean> {
  const taken = and(eq(connections.organizationUuid, organizationUuid), eq(connections.instanceName, instanceName));
  return (await db.$count(connections, taken)) > 0;
}

/** With `isNewGeneration`, workflows that wait and caches no longer refer to this connection. */
export async function updateConnectionRow(
  transaction: Transaction,
  connectionUuid: string,
  changes: Partial<Omit<ConnectionColumns, 'generation'>>,
  { isNewGeneration = false } = {},
): Promise<void> {
  const generation = isNewGeneration ? { generation: sql`${connections.generation} + 1` } : {};
  await transaction
    .update(connections)
    .set({ ...changes, ...generation })
    .where(eq(connections.connectionUuid, connectionUuid));
}

/** Marks each day of expiry within this time as announced. Returns the connections whose day was not announced yet. */
export async function takeExpiringSecrets(transaction: Transaction, withinDays: number) {
  return transaction
    .update(connections)
    .set({ announcedExpiryOn: sql`${connections.secretExpiresOn}` })
    .where(
      sql`${connections.secretExpiresOn} <= current_date + ${withinDays}::int
        and ${connections.announcedExpiryOn} is distinct from ${connections.secretExpiresOn}`,
    )
    .returning({
      connectionUuid: connections.connectionUuid,
      organizationUuid: connections.organizationUuid,
      connectorKind: connections.connectorKind,
      instanceName: connections.instanceName,
      expiresOn: sql<string>`${connections.secretExpiresOn}::text`,
    });
}

type OfKind = Pick<ConnectionRow, 'organizationUuid' | 'connectorKind'>;

export async function clearDefault(transaction: Transaction, { organizationUuid, connectorKind }: OfKind): Promise<void> {
  await transaction
    .update(connections)
    .set({ isDefault: false })
    .where(
      and(
        eq(connections.organizationUuid, organizationUuid),
        eq(connections.connectorKind, connectorKind),
        eq(connections.isDefault, true),
      ),
    );
}

/** Where the kind has no default, its oldest connection becomes it. */
export async function ensureDefault(transaction: Transaction, { organizationUuid, connectorKind }: OfKind): Promise<void> {
  await transaction.execute(sql`
    update connections set is_default = true where connection_uuid = (
      select connection_uuid from connections
      where organization_uuid = ${organizationUuid} and connector_kind = ${connectorKind}
        and not exists (select from connections where organization_uuid = ${organizationUuid} and connector_kind = ${connectorKind} and is_default)
      order by connection_uuid limit 1)`);
}

/** The connection's part of an event; null where the connection is gone. */
export async function findConnectionFacts(transaction: Transaction, connectionUuid: string) {
  const [found] = await transaction
    .select({
      connection_id: connections.connectionUuid,
      connector: connections.connectorKind,
      instance_name: connections.instanceName,
    })
    .from(connections)
    .where(eq(connections.connectionUuid, connectionUuid));
  return found ?? null;
}

export interface ConnectionUse {
  readonly by: 'investigation' | 'skill run' | 'proposal' | 'remote agent';
  /** The workflow that waits, or the skill. */
  readonly name: string;
}

/** At most ten of each kind. */
export async function listUses(db: Db | Transaction, connectionUuid: string): Promise<ConnectionUse[]> {
  const rows = await db.execute<{ by: ConnectionUse['by']; name: string }>(sql`
    (select 'investigation' as by, workflow_id as name from connection_waiters where connection_uuid = ${connectionUuid} limit 10)
    union all
    (select 'skill run', skill_id from skill_runs where connection_uuid = ${connectionUuid} and state = 'running' limit 10)
    union all
    (select 'proposal', skill_id from proposals where connection_uuid = ${connectionUuid} and ended_at is null limit 10)
    union all
    (select 'remote agent', skill_id from agent_steps where connection_uuid = ${connectionUuid} and wanted_until is null limit 10)`);
  return [...rows];
}

export async function deleteConnectionRow(transaction: Transaction, connectionUuid: string): Promise<void> {
  // Links are locked before their connection, as in the command that redeems one.
  await transaction.delete(credentialLinks).where(eq(credentialLinks.connectionUuid, connectionUuid));
  await transaction.delete(connections).where(eq(connections.connectionUuid, connectionUuid));
}

/** Returns the same uuid for the same digest; neither reveals the key. */
export async function ensureKeyUuid(pg: PgClient, digest: string): Promise<string> {
  const [row] = await executePrepared<{ key_uuid: string }>(
    pg,
    sql`
    with added as (insert into key_uuids (digest, key_uuid) values (${digest}, ${newUuid()}) on conflict do nothing returning key_uuid)
    select key_uuid from added union all select key_uuid from key_uuids where digest = ${digest}`,
  );
  return row?.key_uuid ?? ensureKeyUuid(pg, digest);
}
