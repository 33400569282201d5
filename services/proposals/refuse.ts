import { isManualWrite, replaceDecision, updateProposal } from '../../db/response/proposal-rows.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { explainDecision } from '../../domain/response/proposal-result.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { lockVisibleProposal } from './lock-visible-proposal.js';
import { noteDecision } from './note-decision.js';
import { recordProposalEvent } from './record-proposal-event.js';
import { requireProposal } from './require-proposal.js';
import { wakeProposals } from './wake.js';

/** An approved proposal that is not sent yet can still be refused, also by its approver. */
export async function refuseProposal(context: Context, proposalUuid: string, reason: string | null): Promise<Proposal> {
  await inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const row = await lockVisibleProposal(inside, proposalUuid);
    if (row.state !== 'waiting' && row.state !== 'approved')
      throw conflict(explainDecision('decided', 'refuse', { isManual: isManualWrite(row) }));
    await replaceDecision(db, {
      proposalUuid,
      principalUuid: by.uuid,
      by: by.name,
      byUuid: by.userUuid,
      decision: 'refuse',
      reason,
      at: now(),
    });
    await updateProposal(db, proposalUuid, { state: 'refused', heldBecause: null, error: null, endedAt: now() });
    await noteDecision(inside, row, 'refuse', `${row.skillId} refused`, { reason });
    await recordProposalEvent(inside, row, { name: 'proposal.decided', decision: 'refused' });
    wakeProposals(inside, [row]);
  });
  return requireProposal(context, proposalUuid);
}
