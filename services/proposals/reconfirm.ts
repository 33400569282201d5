import { lockUndo, updateProposal } from '../../db/response/proposal-rows.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, invalid } from '../errors.js';
import { countApprovals } from './count-approvals.js';
import { lockVisibleProposal } from './lock-visible-proposal.js';
import { noteDecision } from './note-decision.js';
import { requireProposal } from './require-proposal.js';
import { replaceRun } from './start-workflow.js';
import type { ReconfirmProposal } from './wire.js';

const HOUR_SECONDS = 3600;

/** Postpones or withdraws the scheduled undo of a write. */
export async function reconfirmProposal(context: Context, proposalUuid: string, { hours, reason }: ReconfirmProposal): Promise<Proposal> {
  await inTransaction(context, async (inside) => {
    const { db, now, afterCommit } = inside;
    const row = await lockVisibleProposal(inside, proposalUuid);
    const undo = await lockUndo(db, proposalUuid, ['scheduled']);
    if (undo === null) throw conflict('This proposal has no scheduled undo.');
    const runAt = hours === null ? null : now() + hours * HOUR_SECONDS;
    if (runAt !== null && undo.runAt !== null && runAt < undo.runAt && (await countApprovals(db, row)).needsTwoPeople)
      throw invalid([
        { pointer: '#/hours', detail: 'hours: is earlier than the scheduled undo. Two people end this action early: use release.' },
      ]);
    const withdrawn = { state: 'withdrawn', endedAt: now(), outcome: reason } as const;
    await updateProposal(db, undo.proposalUuid, { heldBecause: null, ...(runAt === null ? withdrawn : { runAt }) });
    const change = runAt === null ? 'is withdrawn' : `is postponed until ${new Date(runAt * 1000).toISOString()}`;
    await noteDecision(inside, undo, 'reconfirm', `${undo.skillId} ${change}`, { reason, hours });
    if (runAt !== null) afterCommit(() => replaceRun(context, undo.proposalUuid));
  });
  return requireProposal(context, proposalUuid);
}
