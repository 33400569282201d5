import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { type ConnectionState, type RefusedSkill, sendsSecretsElsewhere } from '../../domain/connection/connection.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import { type Db, executePrepared, type PgClient, type Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { confirmRuleChange } from '../response/rule-changes.js';
import { type ConnectionDefinition, connectionSecrets, connections, credentialLinks, organizations } from '../schema/index.js';

/** A secret as the database stores it; only the keyring can open it. */
export interface SealedSecret {
  readonly field: string;
  readonly masterKeyId: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

export interface NewConnection extends ConnectionDefinition, GivenCredentials {
  readonly connectionUuid: string;
  readonly secretExpiresOn?: string | null;
}

/** The first connection of a kind becomes the default. Throws a unique violation for a name that is taken. */
export async function insertConnection(db: Db, by: Principal, given: NewConnection): Promise<void> {
  const { secrets, ...row } = given;
  const now = nowSeconds();
  await db.transaction(async (transaction) => {
    // Of two concurrent inserts only one may become the default.
    await transaction.execute(sql`select from organizations where organization_uuid = ${given.organizationUuid} for no key update`);
    const isFirst = sql<boolean>`not exists (select from connections where organization_uuid = ${given.organizationUuid} and connector = ${given.connectorKind})`;
    await transaction
      .insert(connections)
      .values({ ...row, isDefault: isFirst, stateSince: now, secretsSetAt: now, createdBy: by.uuid, createdAt: now, modifiedAt: now });
    await writeSecrets(transaction, given.connectionUuid, secrets);
    await auditConnection(transaction, by, given, 'connection.create');
  });
}

async function writeSecrets(transaction: Transaction, connectionUuid: string, secrets: readonly SealedSecret[]): Promise<void> {
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

async function auditConnection(
  transaction: Transaction,
  by: Principal | null,
  connection: { connectionUuid: string; organizationUuid: string; connectorKind: string; instanceName: string },
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(transaction, {
    by,
    organizationUuid: connection.organizationUuid,
    action,
    target: connection.connectionUuid,
    details: { connector: connection.connectorKind, instance_name: connection.instanceName, ...details },
  });
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
  readonly needsSecondPerson: boolean;
  readonly feedsIntake: boolean;
  readonly source: { read_until: number; last_read_at: number | null; last_error: string | null } | null;
  readonly state: ConnectionState;
  readonly stateReason: string | null;
  readonly stateSince: number;
  readonly generation: number;
  readonly blockedUntil: string | null;
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
const WAITING_ALERTS_NAMED = 20;

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
  feedsIntake: connections.feedsIntake,
  source: sql<ConnectionRow['source']>`(select json_build_object('read_until', extract(epoch from read_until)::bigint,
    'last_read_at', extract(epoch from last_read_at)::bigint, 'last_error', last_error)
    from source_watermarks where connection_uuid = ${connections.connectionUuid})`,
  state: connections.state,
  stateReason: connections.stateReason,
  stateSince: connections.stateSince,
  generation: connections.generation,
  blockedUntil: sql<string | null>`case when ${connections.blockedUntil} > now() then ${connections.blockedUntil} end`,
  refusedSkills: sql<RefusedSkill[]>`(select coalesce(json_agg(json_build_object('skill_id', skill_id, 'reason', reason,
    'resolution', resolution, 'since', extract(epoch from since)::bigint) order by skill_id), '[]')
    from connection_refusals where connection_uuid = ${connections.connectionUuid})`,
  waitingInvestigations: sql<number>`(select count(*)::int from connection_waiters where connection_uuid = ${connections.connectionUuid})`,
  waitingAlerts: sql<string[]>`(select coalesce(json_agg(alert_id), '[]') from (select alerts.alert_id from connection_waiters
    join alerts on alerts.alert_uuid = connection_waiters.alert_uuid
    where connection_waiters.connection_uuid = ${connections.connectionUuid}
    order by connection_waiters.since limit ${WAITING_ALERTS_NAMED}) as waiting)`,
  secretsSetAt: connections.secretsSetAt,
  secretExpiresOn: connections.secretExpiresOn,
  testedAt: connections.testedAt,
  createdAt: connections.createdAt,
  modifiedAt: connections.modifiedAt,
};

function within(scope: string | null) {
  return scope === null ? undefined : eq(connections.organizationUuid, scope);
}

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
        within(scope),
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

export async function findConnection(db: Db, scope: string | null, connectionUuid: string): Promise<ConnectionRow | null> {
  const [row] = await db
    .select(columns)
    .from(connections)
    .innerJoin(organizations, eq(organizations.organizationUuid, connections.organizationUuid))
    .where(and(eq(connections.connectionUuid, connectionUuid), within(scope)));
  return row ?? null;
}

export async function isNameTaken(db: Db, { organizationUuid, instanceName }: ConnectionDefinition): Promise<boolean> {
  const taken = and(eq(connections.organizationUuid, organizationUuid), eq(connections.instanceName, instanceName));
  return (await db.$count(connections, taken)) > 0;
}

export interface ConnectionChanges {
  readonly instanceName?: string;
  readonly description?: string;
  readonly settings?: Record<string, unknown>;
  readonly secretExpiresOn?: string | null;
  readonly remoteAgentUuid?: string | null;
  readonly isDefault?: true;
  readonly needsSecondPerson?: boolean;
  readonly feedsIntake?: boolean;
}

export interface GivenCredentials {
  readonly plainCredentials: Record<string, unknown>;
  readonly secrets: readonly SealedSecret[];
}

/**
 * New settings may point to another host, so the state becomes untested. Given credentials replace all stored ones.
 * Returns the request if it drops the second person and waits for one; then nothing has changed.
 */
export async function updateConnection(
  db: Db,
  by: Principal,
  connection: ConnectionRow,
  changes: ConnectionChanges,
  credentials: GivenCredentials | null,
): Promise<PendingRuleChange | null> {
  return db.transaction(async (transaction) => {
    if (connection.needsSecondPerson && changes.needsSecondPerson === false) {
      const { organizationUuid, connectionUuid: target } = connection;
      const pending = await confirmRuleChange(transaction, by, { organizationUuid, change: 'drop-second-person', target, value: null });
      if (pending !== null) return pending;
    }
    const linksRevoked = await revokeLinksElsewhere(transaction, connection, changes);
    if (changes.isDefault) {
      await transaction
        .update(connections)
        .set({ isDefault: false })
        .where(
          and(
            eq(connections.organizationUuid, connection.organizationUuid),
            eq(connections.connectorKind, connection.connectorKind),
            eq(connections.isDefault, true),
          ),
        );
    }
    const now = nowSeconds();
    // A new generation, because waiting workflows and caches refer to the old host.
    const elsewhere =
      changes.settings === undefined && credentials === null
        ? {}
        : { state: 'untested' as const, stateReason: null, stateSince: now, generation: sql`${connections.generation} + 1` };
    await transaction
      .update(connections)
      .set({
        // The day of the old secret would be wrong for the new one.
        ...(credentials === null ? {} : { plainCredentials: credentials.plainCredentials, secretsSetAt: now, secretExpiresOn: null }),
        ...changes,
        ...elsewhere,
        modifiedAt: now,
      })
      .where(eq(connections.connectionUuid, connection.connectionUuid));
    if (credentials !== null) {
      // Also secrets that the third party issued: they must not reach the new place.
      await transaction.delete(connectionSecrets).where(eq(connectionSecrets.connectionUuid, connection.connectionUuid));
      await writeSecrets(transaction, connection.connectionUuid, credentials.secrets);
    }
    await auditConnection(transaction, by, connection, 'connection.update', {
      changed: Object.keys(changes),
      ...describeChanges(connection, changes),
      credentials_replaced: credentials !== null,
      ...(linksRevoked === 0 ? {} : { credential_links_revoked: linksRevoked }),
    });
    return null;
  });
}

/** A customer who opened a link saw where the credentials go. Links are locked before their connection, as by `redeemCredentialLink`. */
async function revokeLinksElsewhere(transaction: Transaction, connection: ConnectionRow, changes: ConnectionChanges): Promise<number> {
  const before = { settings: connection.settings, remoteAgent: connection.remoteAgentUuid };
  if (!sendsSecretsElsewhere(before, { settings: changes.settings, remoteAgent: changes.remoteAgentUuid })) return 0;
  const revoked = await transaction
    .update(credentialLinks)
    .set({ revokedAt: nowSeconds() })
    .where(
      and(eq(credentialLinks.connectionUuid, connection.connectionUuid), isNull(credentialLinks.usedAt), isNull(credentialLinks.revokedAt)),
    )
    .returning({ linkUuid: credentialLinks.linkUuid });
  return revoked.length;
}

/** The values before and after an update, without those that stay the same. Secrets are not part of them. */
function describeChanges(connection: ConnectionRow, changes: ConnectionChanges) {
  const before = new Map<string, unknown>(Object.entries(connection));
  const changed = Object.entries(changes).filter(([name, value]) => JSON.stringify(before.get(name)) !== JSON.stringify(value));
  return { old: Object.fromEntries(changed.map(([name]) => [name, before.get(name)])), new: Object.fromEntries(changed) };
}

/** Replaces credentials by name. Waiting workflows continue after a passed test. */
export async function replaceCredentials(
  db: Db,
  by: Principal,
  connection: ConnectionRow,
  given: GivenCredentials,
  secretExpiresOn: string | null = null,
): Promise<void> {
  await db.transaction(async (transaction) => {
    const now = nowSeconds();
    await transaction
      .update(connections)
      .set({
        plainCredentials: given.plainCredentials,
        generation: sql`${connections.generation} + 1`,
        state: 'untested',
        stateReason: null,
        stateSince: now,
        blockedUntil: null,
        blockReason: null,
        failuresInARow: 0,
        throttledInARow: 0,
        secretsSetAt: now,
        // Without a new secret, the day of the stored one stays.
        ...(given.secrets.length === 0 && secretExpiresOn === null ? {} : { secretExpiresOn }),
        modifiedAt: now,
      })
      .where(eq(connections.connectionUuid, connection.connectionUuid));
    await writeSecrets(transaction, connection.connectionUuid, given.secrets);
    await auditConnection(transaction, by, connection, 'connection.reconnect', { secret_expires_on: secretExpiresOn });
  });
}

/** Adds a secret that the third party issued to us. */
export async function addSecret(
  db: Db,
  connection: { connectionUuid: string; organizationUuid: string },
  secret: SealedSecret,
): Promise<void> {
  await db.transaction(async (transaction) => {
    await writeSecrets(transaction, connection.connectionUuid, [secret]);
    await transaction
      .update(connections)
      .set({ modifiedAt: nowSeconds() })
      .where(eq(connections.connectionUuid, connection.connectionUuid));
  });
}

/** The uses of a connection; without any, it may be deleted. */
export async function listUses(db: Db, connectionUuid: string): Promise<string[]> {
  const rows = await db.execute<{ use: string }>(sql`
    (select 'investigation ' || workflow_id || ' waits for it' as use from connection_waiters where connection_uuid = ${connectionUuid} limit 10)
    union all
    (select 'a run of the skill ' || skill_id || ' is under way' from skill_runs
      where connection_uuid = ${connectionUuid} and state in ('running', 'proposed') limit 10)
    union all
    (select skill_id || ' is proposed with it' from proposals where connection_uuid = ${connectionUuid} and ended_at is null limit 10)
    union all
    (select 'a remote agent performs ' || skill_id from agent_steps where connection_uuid = ${connectionUuid} limit 10)`);
  return rows.map((row) => row.use);
}

/** The oldest remaining connection of the kind becomes the default. */
export async function deleteConnection(db: Db, by: Principal, connection: ConnectionRow): Promise<void> {
  await db.transaction(async (transaction) => {
    // Links are locked before their connection, as by `redeemCredentialLink`.
    await transaction.delete(credentialLinks).where(eq(credentialLinks.connectionUuid, connection.connectionUuid));
    await transaction.delete(connections).where(eq(connections.connectionUuid, connection.connectionUuid));
    await transaction.execute(sql`
      update connections set is_default = true where connection_uuid = (
        select connection_uuid from connections
        where organization_uuid = ${connection.organizationUuid} and connector = ${connection.connectorKind}
          and not exists (select from connections where organization_uuid = ${connection.organizationUuid}
            and connector = ${connection.connectorKind} and is_default)
        order by connection_uuid limit 1)`);
    await auditConnection(transaction, by, connection, 'connection.delete');
  });
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
