import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { ConnectionState } from '../../domain/connection/connection.js';
import { clip } from '../../domain/text.js';
import { type Db, executePrepared, type PgClient } from '../client.js';
import { nowSeconds } from '../columns.js';
import { connectionRefusals, connections } from '../schema/index.js';
import type { SealedSecret } from './connections.js';

/** Which connection of a kind an investigation gets. */
export interface ResolvedConnection {
  readonly connectionId: string;
  readonly instanceName: string;
  /** Whether a remote agent performs its steps. */
  readonly routed: boolean;
}

export async function resolveConnection(
  pg: PgClient,
  question: { alertId: string; kind: string; instanceName: string | null },
): Promise<ResolvedConnection | null> {
  const [row] = await executePrepared<ResolvedConnection>(
    pg,
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
  /** Of a re-run: answers that were stored before this one are used again. */
  readonly reuseBefore: string | null;
}

/** null where the connection is gone, of another kind, or another organization's than the caller. */
export async function readForCall(
  pg: PgClient,
  call: { connectionUuid: string; connector: string; skillId: string; alertId: string | null; runUuid: string | null },
): Promise<CallableConnection | null> {
  return readCallable(
    pg,
    call,
    sql`
    connections.connector = ${call.connector} and (connections.organization_uuid = alerts.organization_uuid or exists (
      select from skill_runs where run_uuid = ${call.runUuid}::uuid and skill_runs.connection_uuid = connections.connection_uuid))`,
  );
}

/** For its own test, which belongs to nobody's investigation. */
export async function readForTest(pg: PgClient, connectionUuid: string): Promise<CallableConnection | null> {
  return readCallable(pg, { connectionUuid, skillId: '', alertId: null }, sql`true`);
}

/** For reading what it reports; null where it feeds the intake no longer. */
export async function readForSource(pg: PgClient, connectionUuid: string, skillId: string): Promise<CallableConnection | null> {
  return readCallable(pg, { connectionUuid, skillId, alertId: null }, sql`feeds_intake`);
}

async function readCallable(
  pg: PgClient,
  call: { connectionUuid: string; skillId: string; alertId: string | null },
  allowed: SQL,
): Promise<CallableConnection | null> {
  const [row] = await executePrepared<CallableConnection>(
    pg,
    sql`
    select connection_uuid as "connectionUuid", connections.organization_uuid as "organizationUuid", connector, instance_name as "instanceName",
      settings, plain_credentials as "plainCredentials", remote_agent_uuid as "remoteAgentUuid", state, state_reason as "stateReason",
      generation, block_reason as "blockReason", failures_in_a_row as "failuresInARow", alerts.alert_uuid as "alertUuid",
      alerts.reuse_before as "reuseBefore",
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
async function markBroken(pg: PgClient, connectionUuid: string, generation: number, reason: string): Promise<void> {
  await executePrepared(
    pg,
    sql`
    update connections set state = 'broken', state_reason = ${clip(reason, 1000)}, state_since = now(), modified_at = now()
    where connection_uuid = ${connectionUuid} and generation = ${generation} and state <> 'broken'`,
  );
}

/** Never shortens what another call was told. */
async function blockUntil(pg: PgClient, connectionUuid: string, seconds: number, reason: string): Promise<void> {
  await executePrepared(
    pg,
    sql`
    update connections set blocked_until = greatest(blocked_until, now() + make_interval(secs => ${seconds})), block_reason = ${clip(reason, 300)}
    where connection_uuid = ${connectionUuid}`,
  );
}

const FAILURES_THAT_OPEN = 5;
const REST_SECONDS = 15;
const REST_AT_MOST_SECONDS = 300;

/** Five failures in a row give the third party a rest, longer each time; whoever calls meanwhile waits. */
async function countFailure(pg: PgClient, connectionUuid: string): Promise<void> {
  await executePrepared(
    pg,
    sql`
    update connections set failures_in_a_row = failures_in_a_row + 1,
      blocked_until = case when failures_in_a_row + 1 >= ${FAILURES_THAT_OPEN}
        then greatest(blocked_until, now() + make_interval(secs => least(${REST_AT_MOST_SECONDS}, ${REST_SECONDS} * power(2, least(failures_in_a_row + 1 - ${FAILURES_THAT_OPEN}, 10)))))
        else blocked_until end,
      block_reason = case when failures_in_a_row + 1 >= ${FAILURES_THAT_OPEN} then 'it failed ' || failures_in_a_row + 1 || ' times in a row' else block_reason end
    where connection_uuid = ${connectionUuid}`,
  );
}

export async function forgetFailures(pg: PgClient, connectionUuid: string): Promise<void> {
  await executePrepared(
    pg,
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
  { db, pg: database }: { db: Db; pg: PgClient },
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

/** Counts one request of the connection, whichever worker sends it. Answers for how many seconds it has to wait instead, or 0. */
export async function acquireSlot(pg: PgClient, connectionUuid: string, requestsPerMinute: number): Promise<number> {
  const [row] = await pg<
    { wait: number }[]
  >`select take_turn(${connectionUuid}::uuid, ${Math.min(requestsPerMinute, 2 ** 31 - 1)}::int) as wait`;
  return row?.wait ?? 0;
}
