import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { CaseDetail } from '../../domain/case/case.js';
import { type AskedQuestion, type Evidence, evidenceId } from '../../domain/verdict/evidence.js';
import type { Db, Transaction } from '../client.js';
import { alerts, evidence, skillResults } from '../schema/index.js';

export interface CaseMember {
  readonly alertUuid: string;
  readonly alertId: string;
  readonly investigationNo: number;
  readonly retryCount: number;
}

interface CaseEvidence extends Pick<CaseDetail, 'evidence' | 'earlier_evidence' | 'techniques'> {
  /** From all investigations and attempts. */
  readonly all: readonly Evidence[];
}

const MAX_SHOWN = 500;

export async function readEvidence(db: Db | Transaction, organizationUuid: string, members: readonly CaseMember[]): Promise<CaseEvidence> {
  const byUuid = new Map(members.map((member) => [member.alertUuid, member]));
  const rows = await db
    .select()
    .from(evidence)
    .where(inArray(evidence.alertUuid, [...byUuid.keys()]))
    .orderBy(desc(evidence.investigationNo), desc(evidence.attempt), evidence.at, evidence.step);
  const current: Evidence[] = [];
  const earlier: Evidence[] = [];
  for (const row of rows) {
    const member = byUuid.get(row.alertUuid);
    if (!member) continue;
    const { alertUuid: _, investigationNo, ...rest } = row;
    const place = { alertId: member.alertId, investigationNo, attempt: row.attempt, step: row.step };
    const counts = investigationNo === member.investigationNo && row.attempt === member.retryCount + 1;
    (counts ? current : earlier).push({
      ...rest,
      evidence_id: evidenceId(place),
      alert_id: member.alertId,
      investigation_no: investigationNo,
    });
  }
  const shown = await withQuestions(db, organizationUuid, [...current, ...earlier.slice(0, MAX_SHOWN)]);
  return {
    evidence: shown.slice(0, current.length),
    earlier_evidence: shown.slice(current.length),
    techniques: [...new Set(current.flatMap(({ techniques }) => techniques))].sort(),
    all: [...current, ...earlier],
  };
}

/** `skill_results` stores each call once; evidence refers to it. */
async function withQuestions(db: Db | Transaction, organizationUuid: string, entries: readonly Evidence[]): Promise<Evidence[]> {
  const resultIds = new Set(entries.flatMap(({ source }) => source?.result_id ?? []));
  if (resultIds.size === 0) return [...entries];
  const rows = await db
    .select({
      resultUuid: skillResults.resultUuid,
      input: shortened(sql`${skillResults.input}`),
      at: skillResults.startedAt,
      alert_id: alerts.alertId,
      duration_ms: skillResults.durationMs,
      request_digest: skillResults.requestDigest,
      reply_digest: skillResults.replyDigest,
    })
    .from(skillResults)
    .leftJoin(alerts, eq(alerts.alertUuid, skillResults.alertUuid))
    .where(and(inArray(skillResults.resultUuid, [...resultIds]), eq(skillResults.organizationUuid, organizationUuid)));
  const questions = new Map(rows.map(({ resultUuid, ...asked }): [string, AskedQuestion] => [resultUuid, asked]));
  return entries.map((entry) => {
    const asked = entry.source?.result_id === undefined ? undefined : questions.get(entry.source.result_id);
    return entry.source && asked ? { ...entry, source: { ...entry.source, asked } } : entry;
  });
}

const QUESTION_LENGTH = 2_000;

function shortened(input: SQL): SQL<unknown> {
  return sql`case when length(${input}::text) <= ${QUESTION_LENGTH} then ${input} else to_jsonb(left(${input}::text, ${QUESTION_LENGTH}) || '…') end`;
}
