import { lockUnended, updateProposal } from '../../db/response/proposal-rows.js';
import { addTimelineEntry } from '../../db/response/proposals.js';
import { PROPOSAL_EXPIRES_AFTER_HOURS } from '../../domain/response/proposal.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { countApprovals } from './count-approvals.js';
import { recordProposalEvent } from './record-proposal-event.js';

/** Marks a proposal as running, if it is approved or due and has the approvals that it needs now. */
export function beginProposal(context: ServiceContext, proposalUuid: string): Promise<boolean> {
  return inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const row = await lockUnended(db, proposalUuid);
    if (row === null) return false;
    // A restarted workflow finds its earlier write by the operation key.
    if (row.state === 'running') return true;
    const isDue = row.state === 'scheduled' && row.runAt !== null && row.runAt <= now();
    if (row.state !== 'approved' && !isDue) return false;
    const { given, needed, caution } = await countApprovals(db, row);
    if (given >= needed) {
      await updateProposal(db, proposalUuid, { state: 'running', heldBecause: null });
      return true;
    }
    const expiresAt = now() + PROPOSAL_EXPIRES_AFTER_HOURS * 3600;
    await updateProposal(db, proposalUuid, { state: 'waiting', expiresAt, heldBecause: null });
    const text = [`${row.skillId} now needs ${needed} approvals and has ${given}.`, ...caution].join(' ');
    await addTimelineEntry(db, row.alertUuid, { kind: 'decided', by: null, text });
    await recordProposalEvent(inside, row, { name: 'proposal.waiting' });
    return false;
  });
}
