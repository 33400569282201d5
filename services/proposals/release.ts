import { writeContracts } from '../../connectors/skill-index.js';
import { hasUndo, lockUndo, type ProposalRow, updateProposal } from '../../db/response/proposal-rows.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { type Context, type Inside, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { lockVisibleProposal } from './lock-visible-proposal.js';
import { noteDecision } from './note-decision.js';
import { requireProposal } from './require-proposal.js';
import { scheduleUndo } from './schedule-undo.js';
import { replaceRun } from './start-workflow.js';

/** Undoes a write now: earlier than scheduled, or although a person had decided to keep it. */
export async function releaseProposal(context: Context, proposalUuid: string, reason: string): Promise<Proposal> {
  await inTransaction(context, async (inside) => {
    const row = await lockVisibleProposal(inside, proposalUuid);
    const undo = (await moveUndo(inside, row)) ?? (await addUndo(inside, row));
    if (undo === null) throw conflict('The service cannot undo this proposal: it was not done, it has no undo, or its undo has started.');
    await noteDecision(inside, undo, 'release', `${undo.skillId} runs now`, { reason });
    inside.afterCommit(() => replaceRun(context, undo.proposalUuid));
  });
  return requireProposal(context, proposalUuid);
}

/** An undo that waits for its time, or that a person withdrew, runs now. */
async function moveUndo({ db, now }: Inside<Context>, { proposalUuid }: ProposalRow): Promise<ProposalRow | null> {
  const undo = await lockUndo(db, proposalUuid, ['scheduled', 'withdrawn']);
  if (undo === null) return null;
  await updateProposal(db, undo.proposalUuid, { state: 'scheduled', runAt: now(), heldBecause: null, endedAt: null, outcome: null });
  return undo;
}

async function addUndo(inside: Inside<Context>, row: ProposalRow): Promise<ProposalRow | null> {
  const undo = row.state === 'done' && row.undoOf === null ? writeContracts.planUndo(row) : null;
  if (undo === null || (await hasUndo(inside.db, row.proposalUuid))) return null;
  return scheduleUndo(inside, row, undo, { runAt: inside.now(), reason: `A person ended ${row.skillId}.` });
}
