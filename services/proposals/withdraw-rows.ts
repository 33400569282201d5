import { type ProposalRow, updateProposal } from '../../db/response/proposal-rows.js';
import type { Inside, ServiceContext } from '../context.js';
import { noteDecision } from './note-decision.js';
import { recordProposalEvent } from './record-proposal-event.js';

/** Ends locked proposals. */
export async function withdrawRows(inside: Inside<ServiceContext>, rows: readonly ProposalRow[], reason: string): Promise<void> {
  const { db, now } = inside;
  for (const row of rows) {
    await updateProposal(db, row.proposalUuid, { state: 'withdrawn', heldBecause: null, endedAt: now(), outcome: reason });
    await noteDecision(inside, row, 'withdraw', `${row.skillId} is withdrawn`, { reason });
    // People did not decide about a scheduled undo, so its end is no decision.
    if (row.state !== 'scheduled') await recordProposalEvent(inside, row, { name: 'proposal.decided', decision: 'withdrawn' });
  }
}
