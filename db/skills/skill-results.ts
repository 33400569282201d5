import { and, desc, eq, ne, sql } from 'drizzle-orm';
import type { TruncatedAnswer } from '../../domain/connection/skill-call.js';
import type { SkillKey } from '../../domain/skill-key.js';
import type { Db, PgClient, Transaction } from '../client.js';
import { executePrepared } from '../client.js';
import { nowSeconds } from '../columns.js';
import { connections, skillResults } from '../schema/index.js';

export interface SkillCall {
  readonly resultUuid: string;
  readonly organizationUuid: string;
  readonly connectionUuid: string;
  readonly connectorKind: string;
  readonly skillKey: SkillKey;
  readonly skillId: string;
  readonly alertUuid: string | null;
  readonly runUuid: string | null;
  readonly input: unknown;
  readonly requestDigest: string;
  readonly attempts: number;
}

/** Replaces characters that jsonb cannot store. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'string' ? each.toWellFormed().replaceAll('\u0000', '\uFFFD') : each,
  );
}

export interface SkillEnd {
  /** The answer, without the part that is too large for a workflow history. */
  readonly shown: TruncatedAnswer;
  /** The whole answer, as the database stores it. */
  readonly json: string;
  readonly replyDigest: string;
  readonly durationMs: number;
  /** Epoch seconds: the time of the copy that gave the answer. */
  readonly copiedAt?: number;
}

/** Stores a read with its full answer. */
export async function storeResult(pg: PgClient, call: SkillCall, end: SkillEnd): Promise<void> {
  await executePrepared(
    pg,
    sql`
    insert into skill_results (result_uuid, organization_uuid, connection_uuid, connector_kind, skill_key, skill_id, alert_uuid, run_uuid, status,
      input, request_digest, attempts, started_at, output, reply_digest, duration_ms, copied_at)
    values (${call.resultUuid}, ${call.organizationUuid}, ${call.connectionUuid}, ${call.connectorKind}, ${call.skillKey}, ${call.skillId},
      ${call.alertUuid}::uuid, ${call.runUuid}::uuid, 'done', ${storableJson(call.input)}::text::jsonb, ${call.requestDigest}, ${call.attempts},
      now() - make_interval(secs => ${end.durationMs / 1000}), ${end.json}::text::jsonb, ${end.replyDigest}, ${end.durationMs},
      to_timestamp(${end.copiedAt ?? null}::float8))`,
  );
}

export type Reservation =
  /** No earlier try, or the third party refused it. */
  | { readonly state: 'ours'; readonly resultUuid: string }
  /** An earlier try has no recorded outcome. */
  | { readonly state: 'unknown'; readonly resultUuid: string; readonly secondsAgo: number }
  | { readonly state: 'done'; readonly resultUuid: string; readonly output: unknown };

/** The unique key guarantees one write for each operation key. */
export async function reserveWrite(transaction: Transaction, call: SkillCall, operationKey: string): Promise<Reservation> {
  const [ours] = await transaction.execute<{ result_uuid: string }>(sql`
    insert into skill_results (result_uuid, organization_uuid, connection_uuid, connector_kind, skill_key, skill_id, alert_uuid, run_uuid,
      operation_key, status, input, request_digest, attempts, started_at)
    values (${call.resultUuid}, ${call.organizationUuid}, ${call.connectionUuid}, ${call.connectorKind}, ${call.skillKey}, ${call.skillId},
      ${call.alertUuid}::uuid, ${call.runUuid}::uuid, ${operationKey}, 'started', ${storableJson(call.input)}::text::jsonb, ${call.requestDigest}, ${call.attempts}, now())
    on conflict (operation_key) do update set status = 'started', attempts = skill_results.attempts + 1, error = null, started_at = now(),
      sent_at = null where skill_results.status = 'failed'
    returning result_uuid`);
  if (ours) return { state: 'ours', resultUuid: ours.result_uuid };
  const [earlier] = await transaction.execute<{ result_uuid: string; status: string; output: unknown; seconds_ago: number }>(
    sql`select result_uuid, status, output, extract(epoch from now() - started_at)::float8 as seconds_ago from skill_results where operation_key = ${operationKey}`,
  );
  const resultUuid = earlier?.result_uuid ?? call.resultUuid;
  return earlier?.status === 'done'
    ? { state: 'done', resultUuid, output: earlier.output }
    : { state: 'unknown', resultUuid, secondsAgo: earlier?.seconds_ago ?? 0 };
}

/** Whether a try of the write was sent, or may have been. */
export async function isReserved(transaction: Transaction, operationKey: string): Promise<boolean> {
  const isSame = and(eq(skillResults.operationKey, operationKey), ne(skillResults.status, 'failed'));
  return (await transaction.$count(skillResults, isSame)) > 0;
}

/** From now on the write may have an effect. */
export async function markSent(db: Db | Transaction, operationKey: string): Promise<void> {
  await db.update(skillResults).set({ sentAt: nowSeconds() }).where(eq(skillResults.operationKey, operationKey));
}

/** For an earlier try that provably did not happen. */
export async function retryWrite(pg: PgClient, resultUuid: string): Promise<void> {
  await executePrepared(pg, sql`update skill_results set attempts = attempts + 1, started_at = now() where result_uuid = ${resultUuid}`);
}

export async function endWrite(pg: PgClient, resultUuid: string, end: SkillEnd): Promise<void> {
  await executePrepared(
    pg,
    sql`
    update skill_results set status = 'done', output = ${end.json}::text::jsonb, reply_digest = ${end.replyDigest},
      duration_ms = ${end.durationMs} where result_uuid = ${resultUuid}`,
  );
}

/** The reserved row of this write, and the time since its last try. */
export async function findWrite(pg: PgClient, operationKey: string): Promise<{ resultUuid: string; secondsAgo: number } | null> {
  const [row] = await executePrepared<{ resultUuid: string; secondsAgo: number }>(
    pg,
    sql`select result_uuid as "resultUuid", extract(epoch from now() - started_at)::float8 as "secondsAgo"
      from skill_results where operation_key = ${operationKey}`,
  );
  return row ?? null;
}

/** The third party refused the write, so it may be tried again. */
export async function refuseWrite(pg: PgClient, resultUuid: string, error: Record<string, unknown>): Promise<void> {
  await executePrepared(
    pg,
    sql`update skill_results set status = 'failed', error = ${storableJson(error)}::text::jsonb where result_uuid = ${resultUuid}`,
  );
}

export async function findResult(db: Db, resultUuid: string): Promise<typeof skillResults.$inferSelect | null> {
  const [row] = await db.select().from(skillResults).where(eq(skillResults.resultUuid, resultUuid));
  return row ?? null;
}

/** The whole answer to a question of the alert's organization. Another alert may have asked it. */
export async function findAnswer(
  pg: PgClient,
  { resultUuid, alertId }: { resultUuid: string; alertId: string },
): Promise<{ output: unknown } | null> {
  const [found] = await executePrepared<{ output: unknown }>(
    pg,
    sql`select output from skill_results join alerts using (organization_uuid)
      where result_uuid = ${resultUuid} and alert_id = ${alertId} and status = 'done' and output is not null`,
  );
  return found ?? null;
}

const ANSWERS_SHOWN = 200;

/** The answered questions of an alert, oldest first. */
export async function listAnswers(db: Db, alertUuid: string) {
  const newest = await db
    .select({
      result_id: skillResults.resultUuid,
      skill_id: skillResults.skillId,
      skill_key: skillResults.skillKey,
      connection: connections.instanceName,
      at: skillResults.startedAt,
      duration_ms: skillResults.durationMs,
      tries: skillResults.attempts,
    })
    .from(skillResults)
    .innerJoin(connections, eq(connections.connectionUuid, skillResults.connectionUuid))
    .where(and(eq(skillResults.alertUuid, alertUuid), eq(skillResults.status, 'done')))
    .orderBy(desc(skillResults.resultUuid))
    .limit(ANSWERS_SHOWN);
  return newest.reverse();
}
