import { findMergeTarget, lockCasesWithAlerts, returnAlerts } from '../../db/cases/case-rows.js';
import { recordAudit } from '../../db/identity/audit.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, notFound } from '../errors.js';
import { changeCaseRow } from './change-case-row.js';
import { describeAlerts } from './merge.js';
import { recomputeCaseVerdict } from './recompute-verdict.js';
import { addToTimeline } from './timeline.js';
import type { UnmergeCase } from './wire.js';

/** Moves its own alerts back to a merged case and restores its status. */
export function unmergeCase(context: Context, caseId: string, { reason }: UnmergeCase): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const targetId = await findMergeTarget(db, by.organizationUuid, caseId);
    const found = await lockCasesWithAlerts(db, by.organizationUuid, [caseId, ...(targetId === null ? [] : [targetId])]);
    const source = found.get(caseId);
    const target = targetId === null ? undefined : found.get(targetId);
    if (!source) throw notFound('case with this id');
    if (!target || source.mergedInto !== target.caseUuid) throw conflict(`${caseId} is not merged into another case.`);
    const returned = await returnAlerts(db, target.caseUuid, source.caseUuid);
    const status = source.statusBeforeMerge ?? 'open';
    const restored = {
      mergedInto: null,
      statusBeforeMerge: null,
      status,
      closedAt: status === 'closed' ? source.closedAt : null,
      modifiedAt: now(),
    };
    await changeCaseRow(inside, source, restored);
    const add = (caseUuid: string, text: string) => addToTimeline(inside, caseUuid, { kind: 'merge', by: by.name, text });
    await add(source.caseUuid, `Unmerged from ${target.caseId}: ${reason}`);
    await add(target.caseUuid, `${caseId} was unmerged from this case (${describeAlerts(returned)}): ${reason}`);
    // Unmerging changes the verdict as expected, so a closed case stays closed.
    for (const each of [{ ...source, ...restored }, target]) await recomputeCaseVerdict(inside, each, { reopens: false });
    const { organizationUuid } = source;
    await recordAudit(db, { by, organizationUuid, action: 'case.unmerge', target: caseId, details: { from: target.caseId } });
  });
}
