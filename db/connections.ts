import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { ConnectionState, RefusedSkill, Waiting } from '../domain/connection.js';
import type { Principal } from '../domain/identity.js';
import { clip } from '../domain/text.js';
import { listParkedSteps } from './agent-steps.js';
import { recordAudit } from './audit.js';
import { type Db, executePrepared, type Sql, type Transaction } from './client.js';
import { nowSeconds } from './columns.js';
import { newUuid } from './ids.js';
import { type Page, type PageRequest, pageOf } from './page.js';
import { connectionRefusals, connectionSecrets, connections, connectionWaiters, organizations } from './schema.js';

/** A secret as it lies in the database; who may open it holds the keyring. */
export interface SealedSecret {
  readonly field: string;
  readonly masterKeyId: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

export interface NewConnection {
  readonly connectionUuid: string;
  readonly organizationUuid: string;
  readonly connector: string;
  readonly instanceName: string;
  readonly description: string;
  readonly settings: Record<string, unknown>;
  readonly plainCredentials: Record<string, unknown>;
  readonly secrets: readonly SealedSecret[];
  readonly remoteAgentUuid: string | null;
  readonly needsSecondPerson: boolean;
  readonly feedsIntake: boolean;
}

/** The first of its kind is the organization's default. A name that is taken throws a unique violation. */
export async function insertConnection(db: Db, by: Principal, given: NewConnection): Promise<void> {
  const { secrets, ...row } = given;
  const now = nowSeconds();
  await db.transaction(async (transaction) => {
    // Two that are made at once must not both be the first.
    await transaction.execute(sql`select from organizations where organization_uuid = ${given.organizationUuid} for no key update`);
    const isFirst = sql<boolean>`not exists (select from connections where organization_uuid = ${given.organizationUuid} and connector = ${given.connector})`;
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
  connection: { connectionUuid: string; organizationUuid: string; connector: string; instanceName: string },
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(transaction, {
    by,
    organizationUuid: connection.organizationUuid,
    action,
    target: connection.connectionUuid,
    details: { connector: connection.connector, instance_name: connection.instanceName, ...details },
  });
}

/** A connection as the API shows it; what its connector's definition adds is added there. */
export interface ConnectionRow {
  readonly connectionUuid: string;
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly connector: string;
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
  readonly secretsSetAt: number;
  readonly testedAt: number | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

const columns = {
  connectionUuid: connections.connectionUuid,
  organizationUuid: connections.organizationUuid,
  organizationCode: organizations.organizationCode,
  connector: connections.connector,
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
  secretsSetAt: connections.secretsSetAt,
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
  filters: { connector?: string | undefined; organizationCode?: string | undefined },
  page: PageRequest,
): Promise<Page<ConnectionRow>> {
  const rows = await db
    .select(columns)
    .from(connections)
    .innerJoin(organizations, eq(organizations.organizationUuid, connections.organizationUuid))
    .where(
      and(
        within(scope),
        filters.connector === undefined ? undefined : eq(connections.connector, filters.connector),
        filters.organizationCode === undefined ? undefined : eq(organizations.organizationCode, filters.organizationCode),
        page.after === null ? undefined : gt(connections.connectionUuid, page.after),
      ),
    )
    .orderBy(asc(connections.connectionUuid))
    .limit(page.limit + 1);
  return pageOf(rows, page, (row) => row.connectionUuid);
}

export async function findConnection(db: Db, scope: string | null, connectionUuid: string): Promise<ConnectionRow | null> {
  const [row] = await db
    .select(columns)
    .from(connections)
    .innerJoin(organizations, eq(organizations.organizationUuid, connections.organizationUuid))
    .where(and(eq(connections.connectionUuid, connectionUuid), within(scope)));
  return row ?? null;
}

export interface ConnectionChanges {
  readonly instanceName?: string;
  readonly description?: string;
  readonly settings?: Record<string, unknown>;
  readonly remoteAgentUuid?: string | null;
  readonly isDefault?: true;
  readonly needsSecondPerson?: boolean;
  readonly feedsIntake?: boolean;
}

/** Other settings may lead elsewhere: what was tested before counts no longer. */
export async function updateConnection(db: Db, by: Principal, connection: ConnectionRow, changes: ConnectionChanges): Promise<void> {
  await db.transaction(async (transaction) => {
    if (changes.isDefault) {
      await transaction
        .update(connections)
        .set({ isDefault: false })
        .where(
          and(
            eq(connections.organizationUuid, connection.organizationUuid),
            eq(connections.connector, connection.connector),
            eq(connections.isDefault, true),
          ),
        );
    }
    const now = nowSeconds();
    // Another host is another connection to whoever waits for this one, and to what was cached of it.
    const elsewhere =
      changes.settings === undefined
        ? {}
        : { state: 'untested' as const, stateReason: null, stateSince: now, generation: sql`${connections.generation} + 1` };
    await transaction
      .update(connections)
      .set({ ...changes, ...elsewhere, modifiedAt: now })
      .where(eq(connections.connectionUuid, connection.connectionUuid));
    await auditConnection(transaction, by, connection, 'connection.update', { changed: Object.keys(changes) });
  });
}

/** New credentials in the place of those of the same name; whoever waits goes on when a test has found them to work. */
export async function replaceCredentials(
  db: Db,
  by: Principal,
  connection: ConnectionRow,
  given: { plainCredentials: Record<string, unknown>; secrets: readonly SealedSecret[] },
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
        secretsSetAt: now,
        modifiedAt: now,
      })
      .where(eq(connections.connectionUuid, connection.connectionUuid));
    await writeSecrets(transaction, connection.connectionUuid, given.secrets);
    await auditConnection(transaction, by, connection, 'connection.reconnect');
  });
}

/** One more secret, made by the third party at our request. */
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

/** Where a connection is in use; empty where it may go. */
export async function usesOf(db: Db, connectionUuid: string): Promise<string[]> {
  const rows = await db.execute<{ use: string }>(sql`
    (select 'investigation ' || workflow_id || ' waits for it' as use from connection_waiters where connection_uuid = ${connectionUuid} limit 10)
    union all
    (select 'a run of the skill ' || skill_id || ' is under way' from skill_runs
      where connection_uuid = ${connectionUuid} and state in ('running', 'proposed') limit 10)
    union all
    (select 'a remote agent performs ' || skill_id from agent_steps where connection_uuid = ${connectionUuid} limit 10)`);
  return rows.map((row) => row.use);
}

/** The kind's next oldest becomes the default. */
export async function deleteConnection(db: Db, by: Principal, connection: ConnectionRow): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.delete(connections).where(eq(connections.connectionUuid, connection.connectionUuid));
    await transaction.execute(sql`
      update connections set is_default = true where connection_uuid = (
        select connection_uuid from connections
        where organization_uuid = ${connection.organizationUuid} and connector = ${connection.connector}
          and not exists (select from connections where organization_uuid = ${connection.organizationUuid}
            and connector = ${connection.connector} and is_default)
        order by connection_uuid limit 1)`);
    await auditConnection(transaction, by, connection, 'connection.delete');
  });
}

/** Which connection of a kind an investigation gets. */
export interface ResolvedConnection {
  readonly connectionId: string;
  readonly instanceName: string;
  /** Whether a remote agent performs its steps. */
  readonly routed: boolean;
}

export async function resolveConnection(
  database: Sql,
  question: { alertId: string; kind: string; instanceName: string | null },
): Promise<ResolvedConnection | null> {
  const [row] = await executePrepared<ResolvedConnection>(
    database,
    sql`
    select connection_uuid as "connectionId", instance_name as "instanceName", remote_agent_uuid is not null as routed from connections
    where organization_uuid = (select organization_uuid from alerts where alert_id = ${question.alertId})
      and connector = ${question.kind} and (instance_name = ${question.instanceName}::text or (${question.instanceName}::text is null and is_default))`,
  );
  return row ?? null;
}

/** All that a call needs, read at the moment of the call: whose it is and what state it is in count now, not when it was asked for. */
export interface CallableConnection {
  readonly connectionUuid: string;
  readonly organizationUuid: string;
  readonly connector: string;
  readonly instanceName: string;
  readonly settings: Record<string, unknown>;
  readonly plainCredentials: Record<string, unknown>;
  readonly secrets: SealedSecret[];
  readonly remoteAgentUuid: string | null;
  readonly state: ConnectionState;
  readonly stateReason: string | null;
  readonly generation: number;
  /** null where nothing has to be waited for. */
  readonly blockedForSeconds: number | null;
  readonly blockReason: string | null;
  readonly failuresInARow: number;
  readonly refused: { reason: string; resolution: string | null } | null;
  readonly alertUuid: string | null;
}

/** null where the connection is gone, of another kind, or another organization's than the caller. */
export async function readForCall(
  database: Sql,
  call: { connectionUuid: string; connector: string; skillId: string; alertId: string | null; runUuid: string | null },
): Promise<CallableConnection | null> {
  return readCallable(
    database,
    call,
    sql`
    connections.connector = ${call.connector} and (connections.organization_uuid = alerts.organization_uuid or exists (
      select from skill_runs where run_uuid = ${call.runUuid}::uuid and skill_runs.connection_uuid = connections.connection_uuid))`,
  );
}

/** For its own test, which belongs to nobody's investigation. */
export async function readForTest(database: Sql, connectionUuid: string): Promise<CallableConnection | null> {
  return readCallable(database, { connectionUuid, skillId: '', alertId: null }, sql`true`);
}

/** For reading what it reports; null where it feeds the intake no longer. */
export async function readForSource(database: Sql, connectionUuid: string, skillId: string): Promise<CallableConnection | null> {
  return readCallable(database, { connectionUuid, skillId, alertId: null }, sql`feeds_intake`);
}

async function readCallable(
  database: Sql,
  call: { connectionUuid: string; skillId: string; alertId: string | null },
  allowed: SQL,
): Promise<CallableConnection | null> {
  const [row] = await executePrepared<CallableConnection>(
    database,
    sql`
    select connection_uuid as "connectionUuid", connections.organization_uuid as "organizationUuid", connector, instance_name as "instanceName",
      settings, plain_credentials as "plainCredentials", remote_agent_uuid as "remoteAgentUuid", state, state_reason as "stateReason",
      generation, block_reason as "blockReason", failures_in_a_row as "failuresInARow", alerts.alert_uuid as "alertUuid",
      case when blocked_until > now() then ceil(extract(epoch from blocked_until - now()))::float8 end as "blockedForSeconds",
      (select json_build_object('reason', reason, 'resolution', resolution) from connection_refusals
        where connection_refusals.connection_uuid = connections.connection_uuid and skill_id = ${call.skillId}) as refused,
      (select coalesce(json_agg(json_build_object('field', field, 'masterKeyId', master_key_id, 'wrappedKey', wrapped_key,
        'ciphertext', ciphertext)), '[]') from connection_secrets where connection_secrets.connection_uuid = connections.connection_uuid) as secrets
    from connections left join alerts on alerts.alert_id = ${call.alertId}::text
    where connection_uuid = ${call.connectionUuid} and ${allowed}`,
  );
  return row ?? null;
}

/** Only of the generation that failed: a reconnect that came meanwhile is not undone. */
async function markBroken(database: Sql, connectionUuid: string, generation: number, reason: string): Promise<void> {
  await executePrepared(
    database,
    sql`
    update connections set state = 'broken', state_reason = ${clip(reason, 1000)}, state_since = now(), modified_at = now()
    where connection_uuid = ${connectionUuid} and generation = ${generation} and state <> 'broken'`,
  );
}

/** Never shortens what another call was told. */
async function blockUntil(database: Sql, connectionUuid: string, seconds: number, reason: string): Promise<void> {
  await executePrepared(
    database,
    sql`
    update connections set blocked_until = greatest(blocked_until, now() + make_interval(secs => ${seconds})), block_reason = ${clip(reason, 300)}
    where connection_uuid = ${connectionUuid}`,
  );
}

const FAILURES_THAT_OPEN = 5;
const REST_SECONDS = 15;
const REST_AT_MOST_SECONDS = 300;

/** Five failures in a row give the third party a rest, longer each time; whoever calls meanwhile waits. */
async function countFailure(database: Sql, connectionUuid: string): Promise<void> {
  await executePrepared(
    database,
    sql`
    update connections set failures_in_a_row = failures_in_a_row + 1,
      blocked_until = case when failures_in_a_row + 1 >= ${FAILURES_THAT_OPEN}
        then greatest(blocked_until, now() + make_interval(secs => least(${REST_AT_MOST_SECONDS}, ${REST_SECONDS} * power(2, least(failures_in_a_row + 1 - ${FAILURES_THAT_OPEN}, 10)))))
        else blocked_until end,
      block_reason = case when failures_in_a_row + 1 >= ${FAILURES_THAT_OPEN} then 'it failed ' || failures_in_a_row + 1 || ' times in a row' else block_reason end
    where connection_uuid = ${connectionUuid}`,
  );
}

export async function forgetFailures(database: Sql, connectionUuid: string): Promise<void> {
  await executePrepared(
    database,
    sql`update connections set failures_in_a_row = 0 where connection_uuid = ${connectionUuid} and failures_in_a_row > 0`,
  );
}

async function markRefused(
  db: Db,
  connectionUuid: string,
  skillId: string,
  refusal: { reason: string; resolution: string | null },
): Promise<void> {
  const reason = clip(refusal.reason, 1000);
  await db
    .insert(connectionRefusals)
    .values({ connectionUuid, skillId, reason, resolution: refusal.resolution, since: nowSeconds() })
    .onConflictDoUpdate({
      target: [connectionRefusals.connectionUuid, connectionRefusals.skillId],
      set: { reason, resolution: refusal.resolution },
    });
}

/** What follows for everyone from one call's failure. */
export async function noteFailure(
  { db, sql: database }: { db: Db; sql: Sql },
  call: { connectionUuid: string; generation: number; skillId: string },
  error: { code: string; message: string; resolution: string | null; retryAfterSeconds: number | null; fromThirdParty: boolean },
): Promise<void> {
  switch (error.code) {
    case 'CredentialsRejected':
      return markBroken(database, call.connectionUuid, call.generation, error.message);
    case 'NotPermitted':
      return markRefused(db, call.connectionUuid, call.skillId, { reason: error.message, resolution: error.resolution });
    case 'RateLimited':
      // Our own limit is this process's affair: only what the third party asked for concerns the others.
      return error.fromThirdParty ? blockUntil(database, call.connectionUuid, error.retryAfterSeconds ?? 1, error.message) : undefined;
    case 'Unavailable':
    case 'SkillTimedOut':
      return countFailure(database, call.connectionUuid);
  }
}

/** What a test found. One that passes heals: refusals go, and what was broken or new gets a generation of its own. */
export async function recordTest(
  db: Db,
  connectionUuid: string,
  generation: number,
  outcome: { ok: true } | { ok: false; reason: string; broken: boolean },
): Promise<void> {
  await db.transaction(async (transaction) => {
    const now = nowSeconds();
    const tested = and(eq(connections.connectionUuid, connectionUuid), eq(connections.generation, generation));
    if (outcome.ok) {
      await transaction
        .update(connections)
        .set({
          state: 'working',
          stateReason: null,
          stateSince: sql`case when state = 'working' then state_since else to_timestamp(${now}) end`,
          generation: sql`case when state = 'broken' then generation + 1 else generation end`,
          failuresInARow: 0,
          testedAt: now,
        })
        .where(tested);
      await transaction.delete(connectionRefusals).where(eq(connectionRefusals.connectionUuid, connectionUuid));
      return;
    }
    const broken = outcome.broken ? { state: 'broken' as const, stateReason: clip(outcome.reason, 1000), stateSince: now } : {};
    await transaction
      .update(connections)
      .set({ ...broken, testedAt: now })
      .where(tested);
  });
}

export interface Waiter {
  readonly connectionUuid: string;
  readonly workflowId: string;
  readonly generation: number;
}

/**
 * Joins those who wait for a connection. False: it has been mended since, go on at once. The lock makes a reconnect and
 * a waiter that comes at the same moment see each other.
 */
export async function park(
  database: Sql,
  waiter: Waiter & { alertId: string | null; skillId: string; reason: string; untilSeconds: number },
): Promise<boolean> {
  const parked = await executePrepared(
    database,
    sql`
    with broken as (
      select connection_uuid from connections
      where connection_uuid = ${waiter.connectionUuid} and not (state = 'working' and generation > ${waiter.generation})
      for share
    )
    insert into connection_waiters (connection_uuid, workflow_id, alert_uuid, skill_id, generation, reason, since, until)
    select connection_uuid, ${waiter.workflowId}::text, (select alert_uuid from alerts where alert_id = ${waiter.alertId}::text), ${waiter.skillId}::text,
      ${waiter.generation}::int, ${clip(waiter.reason, 1000)}::text, now(), to_timestamp(${waiter.untilSeconds}) from broken
    on conflict (connection_uuid, workflow_id) do update set generation = greatest(connection_waiters.generation, excluded.generation), reason = excluded.reason
    returning connection_uuid`,
  );
  return parked.length > 0;
}

export async function leave(db: Db, connectionUuid: string, workflowId: string): Promise<void> {
  await db
    .delete(connectionWaiters)
    .where(and(eq(connectionWaiters.connectionUuid, connectionUuid), eq(connectionWaiters.workflowId, workflowId)));
}

/** Those who may go on: their connection works, and not only since before it failed them. */
export async function listResumable(db: Db, limit: number): Promise<(Waiter & { currentGeneration: number })[]> {
  return db
    .select({
      connectionUuid: connectionWaiters.connectionUuid,
      workflowId: connectionWaiters.workflowId,
      generation: connectionWaiters.generation,
      currentGeneration: connections.generation,
    })
    .from(connectionWaiters)
    .innerJoin(connections, eq(connections.connectionUuid, connectionWaiters.connectionUuid))
    .where(and(eq(connections.state, 'working'), gt(connections.generation, connectionWaiters.generation)))
    .limit(limit);
}

/** What the investigations of these alerts wait for. */
export async function listWaiting(db: Db, alertUuids: readonly string[]): Promise<Waiting[]> {
  const forReconnect = await db
    .select({
      connection_id: connections.connectionUuid,
      instance_name: connections.instanceName,
      skill_id: connectionWaiters.skillId,
      reason: connectionWaiters.reason,
      since: connectionWaiters.since,
      until: connectionWaiters.until,
    })
    .from(connectionWaiters)
    .innerJoin(connections, eq(connections.connectionUuid, connectionWaiters.connectionUuid))
    .where(inArray(connectionWaiters.alertUuid, [...alertUuids]));
  return [...forReconnect.map((waiting) => ({ ...waiting, remote_agent: null })), ...(await listParkedSteps(db, alertUuids))];
}

/** The same digest always has the same uuid; which key it stands for cannot be told from either. */
export async function keyUuidOf(database: Sql, digest: string): Promise<string> {
  const [row] = await executePrepared<{ key_uuid: string }>(
    database,
    sql`
    with added as (insert into key_uuids (digest, key_uuid) values (${digest}, ${newUuid()}) on conflict do nothing returning key_uuid)
    select key_uuid from added union all select key_uuid from key_uuids where digest = ${digest}`,
  );
  return row?.key_uuid ?? keyUuidOf(database, digest);
}
