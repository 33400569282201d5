import { and, eq, sql } from 'drizzle-orm';
import { executePrepared, type PgClient, type Transaction } from '../client.js';
import { newUuid, uuidFloor } from '../ids.js';
import { evidence } from '../schema/index.js';
import type { SkillCall } from '../skills/skill-results.js';

/** Which earlier answers a re-run uses again. */
export type Rerun = { readonly from_step: string } | { readonly reuse: true };

export type ReuseBefore = { readonly reuseBefore: string } | { readonly unknownStep: string; readonly steps: string[] };

/** The first result that the re-run asks for again: the earliest of the step, or a new id, which is later than all results. */
export async function findReuseBefore(
  transaction: Transaction,
  newest: { alertUuid: string; investigationNo: number; attempt: number },
  rerun: Rerun,
): Promise<ReuseBefore> {
  if ('reuse' in rerun) return { reuseBefore: newUuid() };
  const answered = await transaction
    .select({ step: evidence.step, resultId: sql<string>`${evidence.source}->>'result_id'` })
    .from(evidence)
    .where(
      and(
        eq(evidence.alertUuid, newest.alertUuid),
        eq(evidence.investigationNo, newest.investigationNo),
        eq(evidence.attempt, newest.attempt),
        sql`${evidence.source} ? 'result_id'`,
      ),
    )
    .orderBy(sql`2`, evidence.step);
  const first = answered.find(({ step }) => step === rerun.from_step);
  return first ? { reuseBefore: first.resultId } : { unknownStep: rerun.from_step, steps: answered.map(({ step }) => step) };
}

export interface ReusableResult {
  readonly resultUuid: string;
  readonly output: unknown;
  /** Epoch seconds; null: the third party gave the answer. */
  readonly copiedAt: number | null;
}

/** The newest answer of the third party to the same question over the connection, for any alert of its organization. */
export async function findRecent(pg: PgClient, call: SkillCall, sinceSeconds: number): Promise<ReusableResult | null> {
  const [found] = await executePrepared<ReusableResult>(
    pg,
    sql`
    select result_uuid as "resultUuid", output, null as "copiedAt" from skill_results
    where connection_uuid = ${call.connectionUuid} and skill_key = ${call.skillKey} and request_digest = ${call.requestDigest}
      and result_uuid >= ${uuidFloor(sinceSeconds)}::uuid and operation_key is null and status = 'done' and copied_at is null
    order by result_uuid desc limit 1`,
  );
  return found ?? null;
}

/** The newest earlier answer to the same question, stored before `reuseBefore`. */
export async function findReusable(pg: PgClient, call: SkillCall, reuseBefore: string): Promise<ReusableResult | null> {
  const [found] = await executePrepared<ReusableResult>(
    pg,
    sql`
    select result_uuid as "resultUuid", output, extract(epoch from copied_at)::float8 as "copiedAt" from skill_results
    where alert_uuid = ${call.alertUuid}::uuid and result_uuid < ${reuseBefore}::uuid and connection_uuid = ${call.connectionUuid}
      and skill_key = ${call.skillKey} and request_digest = ${call.requestDigest} and status = 'done' and operation_key is null
    order by result_uuid desc limit 1`,
  );
  return found ?? null;
}
