import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { TRANSITIONS } from '../../domain/alert/alert.js';
import type { ConnectionState } from '../../domain/connection/connection.js';
import { type CalledSkill, CIRCUIT_BREAKER, THROTTLE_BACKOFF } from '../../domain/connection/skill-call.js';
import type { SkillKey } from '../../domain/skill-key.js';
import { type Db, executePrepared, type PgClient, type Transaction } from '../client.js';
import { connectionRefusals, connections, rateLimitBuckets } from '../schema/index.js';
import { storableJson } from '../skills/skill-results.js';
import type { SealedSecret } from './connections.js';

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
      and connector_kind = ${question.kind} and (instance_name = ${question.instanceName}::text or (${question.instanceName}::text is null and is_default))`,
  );
  return row ?? null;
}

/** Read at the moment of the call: its owner and its state may have changed since the call was requested. */
export interface CallableConnection {
  readonly connectionUuid: string;
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly connectorKind: string;
  readonly instanceName: string;
  readonly settings: Record<string, unknown>;
  readonly plainCredentials: Record<string, unknown>;
  readonly secrets: SealedSecret[];
  readonly remoteAgentUuid: string | null;
  readonly state: ConnectionState;
  readonly stateReason: string | null;
  readonly generation: number;
  readonly blockedForSeconds: number | null;
  readonly blockReason: string | null;
  readonly failuresInARow: number;
  readonly throttledInARow: number;
  readonly refused: { reason: string; resolution: string | null } | null;
  readonly alertUuid: string | null;
  /** A re-run uses the answers again that were stored before this result. */
  readonly reuseBefore: string | null;
}

/** The rows that a call of a skill names. null: its text is no id. */
export interface CallRows {
  readonly connectionUuid: string | null;
  readonly alertId: string | null;
  readonly runUuid: string | null;
  readonly proposalUuid: string | null;
  readonly input: unknown;
}

/**
 * null where the connection does not exist or has another kind, or where neither an unfinished alert of its organization nor an
 * unfinished proposal or skill run of the connection has this call.
 */
export async function readForCall(
  pg: PgClient,
  { connectorKind, skillKey }: CalledSkill,
  call: CallRows,
): Promise<CallableConnection | null> {
  const { connectionUuid, alertId, runUuid, proposalUuid } = call;
  return readCallable(
    pg,
    { connectionUuid, skillKey, alertId },
    sql`
    connections.connector_kind = ${connectorKind} and (
      (connections.organization_uuid = alerts.organization_uuid and alerts.investigation_status in ${TRANSITIONS.begin.from})
      or exists (select from skill_runs where run_uuid = ${runUuid}::uuid and skill_runs.connection_uuid = connections.connection_uuid
        and skill_runs.organization_uuid = connections.organization_uuid and skill_runs.skill_key = ${skillKey}::text and state = 'running'
        and input = ${storableJson(call.input ?? null)}::text::jsonb)
      or exists (select from proposals where proposal_uuid = ${proposalUuid}::uuid and proposals.connection_uuid = connections.connection_uuid
        and proposals.organization_uuid = connections.organization_uuid and proposals.alert_uuid is not distinct from alerts.alert_uuid
        and ended_at is null))`,
  );
}

/** The organization of the connection; null where it does not exist. */
export async function findConnectionOwner(pg: PgClient, connectionUuid: string): Promise<string | null> {
  const [row] = await executePrepared<{ organizationUuid: string }>(
    pg,
    sql`select organization_uuid as "organizationUuid" from connections where connection_uuid = ${connectionUuid}`,
  );
  return row?.organizationUuid ?? null;
}

/** For the test of the connection, which belongs to no investigation. */
export async function readForTest(pg: PgClient, connectionUuid: string): Promise<CallableConnection | null> {
  return readCallable(pg, { connectionUuid, skillKey: null, alertId: null }, sql`true`);
}

/** For reading alerts from the connection; null where it no longer feeds the intake. */
export async function readForSource(pg: PgClient, connectionUuid: string, skillKey: SkillKey): Promise<CallableConnection | null> {
  return readCallable(pg, { connectionUuid, skillKey, alertId: null }, sql`feeds_intake`);
}

/** For copying the records of the connection. */
export async function readForRecords(pg: PgClient, connectionUuid: string, skillKey: SkillKey): Promise<CallableConnection | null> {
  return readCallable(pg, { connectionUuid, skillKey, alertId: null }, sql`true`);
}

async function readCallable(
  pg: PgClient,
  call: { connectionUuid: string | null; skillKey: SkillKey | null; alertId: string | null },
  allowed: SQL,
): Promise<CallableConnection | null> {
  const [row] = await executePrepared<CallableConnection>(
    pg,
    sql`
    select connection_uuid as "connectionUuid", connections.organization_uuid as "organizationUuid", connector_kind as "connectorKind",
      (select organization_code from organizations where organizations.organization_uuid = connections.organization_uuid) as "organizationCode",
      instance_name as "instanceName", settings, plain_credentials as "plainCredentials", remote_agent_uuid as "remoteAgentUuid", state, state_reason as "stateReason",
      generation, block_reason as "blockReason", failures_in_a_row as "failuresInARow", throttled_in_a_row as "throttledInARow", alerts.alert_uuid as "alertUuid",
      alerts.reuse_before as "reuseBefore",
      case when blocked_until > now() then ceil(extract(epoch from blocked_until - now()))::float8 end as "blockedForSeconds",
      (select json_build_object('reason', reason, 'resolution', resolution) from connection_refusals
        where connection_refusals.connection_uuid = connections.connection_uuid and skill_key = ${call.skillKey}::text) as refused,
      (select coalesce(json_agg(json_build_object('field', field, 'masterKeyId', master_key_id, 'wrappedKey', wrapped_key,
        'ciphertext', ciphertext)), '[]') from connection_secrets where connection_secrets.connection_uuid = connections.connection_uuid) as secrets
    from connections left join alerts on alerts.alert_id = ${call.alertId}::text
    where connection_uuid = ${call.connectionUuid}::uuid and ${allowed}`,
  );
  return row ?? null;
}

const event = {
  connectionUuid: connections.connectionUuid,
  organizationUuid: connections.organizationUuid,
  connectorKind: connections.connectorKind,
  instanceName: connections.instanceName,
};
type EventFacts = Pick<CallableConnection, keyof typeof event>;

interface Generation {
  readonly connectionUuid: string;
  readonly generation: number;
}

function isGeneration({ connectionUuid, generation }: Generation): SQL | undefined {
  return and(eq(connections.connectionUuid, connectionUuid), eq(connections.generation, generation));
}

/** null where the connection is broken already or has a newer generation. */
export async function breakConnection(
  transaction: Transaction,
  failed: Generation,
  reason: string,
  at: number,
): Promise<EventFacts | null> {
  const [broken] = await transaction
    .update(connections)
    .set({ state: 'broken', stateReason: reason, stateSince: at, modifiedAt: at })
    .where(and(isGeneration(failed), ne(connections.state, 'broken')))
    .returning(event);
  return broken ?? null;
}

/** null where the connection has a newer generation. */
export async function lockGeneration(
  transaction: Transaction,
  tested: Generation,
): Promise<(EventFacts & Pick<CallableConnection, 'state' | 'failuresInARow'>) | null> {
  const [row] = await transaction
    .select({ ...event, state: connections.state, failuresInARow: connections.failuresInARow })
    .from(connections)
    .where(isGeneration(tested))
    .for('no key update');
  return row ?? null;
}

export async function deleteRefusals(transaction: Transaction, connectionUuid: string): Promise<void> {
  await transaction.delete(connectionRefusals).where(eq(connectionRefusals.connectionUuid, connectionUuid));
}

/**
 * Never shortens an earlier pause. Without a time from the third party the pause doubles with each reply. Calls that were
 * already under way when the pause began do not count.
 */
export async function pauseConnection(pg: PgClient, connectionUuid: string, seconds: number | null, reason: string): Promise<void> {
  const { firstPauseSeconds, maxPauseSeconds } = THROTTLE_BACKOFF;
  await executePrepared(
    pg,
    sql`
    update connections set
      throttled_in_a_row = case when blocked_until > now() then throttled_in_a_row else throttled_in_a_row + 1 end,
      blocked_until = case when ${seconds}::float8 is null and blocked_until > now() then blocked_until
        else greatest(blocked_until, now() + make_interval(secs => coalesce(${seconds}::float8,
          least(${maxPauseSeconds}::float8, ${firstPauseSeconds} * power(2, least(throttled_in_a_row, 10))) * (0.75 + random() / 2)))) end,
      block_reason = ${reason}
    where connection_uuid = ${connectionUuid}`,
  );
}

/** Calls that were already under way when the pause began do not count: ten parallel failures are one. */
export async function countFailure(pg: PgClient, connectionUuid: string): Promise<void> {
  const { opensAfterFailures, firstPauseSeconds, maxPauseSeconds } = CIRCUIT_BREAKER;
  await executePrepared(
    pg,
    sql`
    update connections set failures_in_a_row = failures_in_a_row + 1,
      blocked_until = case when failures_in_a_row + 1 >= ${opensAfterFailures}
        then greatest(blocked_until, now() + make_interval(secs => least(${maxPauseSeconds}, ${firstPauseSeconds} * power(2, least(failures_in_a_row + 1 - ${opensAfterFailures}, 10)))))
        else blocked_until end
    where connection_uuid = ${connectionUuid} and (blocked_until is null or blocked_until <= now() or failures_in_a_row < ${opensAfterFailures})`,
  );
}

export async function forgetFailures(pg: PgClient, connectionUuid: string): Promise<void> {
  await executePrepared(
    pg,
    sql`update connections set failures_in_a_row = 0, throttled_in_a_row = 0 where connection_uuid = ${connectionUuid}`,
  );
}

export async function refuseSkill(db: Db | Transaction, refusal: typeof connectionRefusals.$inferInsert): Promise<void> {
  const { skillId, reason, resolution } = refusal;
  await db
    .insert(connectionRefusals)
    .values(refusal)
    .onConflictDoUpdate({ target: [connectionRefusals.connectionUuid, connectionRefusals.skillKey], set: { skillId, reason, resolution } });
}

/** Forgets the requests of the last minute. */
export async function freeSlots(transaction: Transaction, connectionUuid: string): Promise<void> {
  await transaction.delete(rateLimitBuckets).where(eq(rateLimitBuckets.connectionUuid, connectionUuid));
}

/** Counts one request of the connection for all workers together. Returns the seconds that the request has to wait, or 0. */
export async function acquireSlot(pg: PgClient, connectionUuid: string, requestsPerMinute: number): Promise<number> {
  const [row] = await pg<
    { wait: number }[]
  >`select acquire_slot(${connectionUuid}::uuid, ${Math.min(requestsPerMinute, 2 ** 31 - 1)}::int) as wait`;
  return row?.wait ?? 0;
}
