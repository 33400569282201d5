import { lockCaseByUuid } from '../../db/cases/case-rows.js';
import { executePrepared } from '../../db/client.js';
import { findChange, lockCaseOfAlert } from '../../db/investigations/investigations.js';
import { conclude, findConcludedAlert, type InvestigationRef } from '../../db/investigations/lifecycle.js';
import { saveSharedValues } from '../../db/organization/suggestions.js';
import { describeChange } from '../../domain/investigation/evidence-diff.js';
import { toKnowledge } from '../../domain/organization/suggestions.js';
import { clip } from '../../domain/text.js';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import type { Conclusion } from '../../domain/verdict/verdict.js';
import { recomputeCaseVerdict } from '../cases/recompute-verdict.js';
import { type Inside, inTransaction } from '../context.js';
import type { InvestigationContext } from './context.js';

interface Result {
  readonly attempt: number;
  readonly evidence: readonly EvidenceDraft[];
  readonly conclusion: Conclusion;
}

/** Writes verdict, evidence and status 15; a changed verdict reopens a closed case. False where the investigation is stale. */
export async function concludeInvestigation(context: InvestigationContext, ref: InvestigationRef, result: Result): Promise<boolean> {
  const conclusion = { ...result.conclusion, summary: clip(result.conclusion.summary, 10_000) };
  const concludedText = await describeConclusion(context, ref, result);
  await suggestSharedValues(context, ref, result.evidence);
  const end = { ...result, conclusion, concludedText, at: context.now() };
  if (ref.investigationNo > 1) return concludeAgain(context, ref, end);
  const concluded = await conclude((statement) => executePrepared(context.pg, statement), ref, end);
  // A repeated call may follow a first call that died between the two steps.
  if (concluded === null || concluded.needsRecompute) await inTransaction(context, (inside) => recomputeCaseOfAlert(inside, ref));
  return concluded !== null;
}

/** Values that many share are suggestions for the knowledge of the organization. A repeated call writes the same rows. */
async function suggestSharedValues({ db, now }: InvestigationContext, ref: InvestigationRef, evidence: readonly EvidenceDraft[]) {
  const found = evidence.flatMap(({ shared }) => {
    const entry = shared && toKnowledge(shared);
    return entry ? [{ ...shared, ...entry }] : [];
  });
  const distinct = [...new Map(found.map((each) => [`${each.kind} ${each.value}`, each])).values()];
  if (distinct.length > 0) await saveSharedValues(db, ref.alertId, now(), distinct);
}

/** Only a later investigation can reopen a case. No reader sees its status 15 before the case is open again. */
function concludeAgain(context: InvestigationContext, ref: InvestigationRef, end: Parameters<typeof conclude>[2]): Promise<boolean> {
  return inTransaction(context, async (inside) => {
    const concluded = await conclude((statement) => inside.db.execute(statement), ref, end);
    if (concluded === null || concluded.needsRecompute) await recomputeCaseOfAlert(inside, ref);
    return concluded !== null;
  });
}

async function describeConclusion({ db }: InvestigationContext, ref: InvestigationRef, result: Result): Promise<string> {
  const { evidence, conclusion } = result;
  const { verdict, score } = conclusion;
  const reused = new Set(evidence.flatMap(({ source }) => (source?.reused ? [source.result_id] : []))).size;
  const copied = new Set(evidence.flatMap(({ source }) => (source?.copied_at === undefined || source.reused ? [] : [source.result_id])))
    .size;
  const changed = ref.investigationNo === 1 ? null : await findChange(db, { ...ref, verdict, evidence });
  return [
    `Investigation ${ref.investigationNo}: ${verdict}, score ${score}`,
    ...(changed ? [describeChange(changed)] : []),
    ...(copied > 0 ? [`${copied} ${copied === 1 ? 'answer' : 'answers'} came from copied lists`] : []),
    ...(reused > 0 ? [`${reused} ${reused === 1 ? 'answer was' : 'answers were'} reused`] : []),
  ].join('. ');
}

async function recomputeCaseOfAlert(inside: Inside<InvestigationContext>, ref: InvestigationRef): Promise<void> {
  const { db } = inside;
  const alertUuid = await findConcludedAlert(db, ref);
  const caseUuid = alertUuid && (await lockCaseOfAlert(db, alertUuid));
  const found = caseUuid && (await lockCaseByUuid(db, caseUuid));
  if (found) await recomputeCaseVerdict(inside, found, { reopens: true });
}
