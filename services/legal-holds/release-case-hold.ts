import { lockCaseForHold } from '../../db/lifecycle/legal-holds.js';
import { addToTimeline } from '../cases/timeline.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, notFound } from '../errors.js';
import { releaseHold } from './write-hold.js';

export function releaseCaseHold(context: Context, caseId: string, reason: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, by } = inside;
    const found = await lockCaseForHold(db, by.organizationUuid, caseId);
    if (found === null) throw notFound('case with this id');
    if (!(await releaseHold(inside, { ...found, target: caseId }, reason))) throw conflict('The case has no legal hold.');
    await addToTimeline(inside, found.caseUuid, { kind: 'legal-hold', by: by.name, text: `Released: ${reason}` });
  });
}
