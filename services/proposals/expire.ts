import { lockUnended, updateProposal } from '../../db/response/proposal-rows.js';
import { addToTimelineOfAlert } from '../cases/timeline.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { recordProposalEvent } from './record-proposal-event.js';

/** Releases the key: the same write becomes a new proposal. */
export function expireProposal(context: ServiceContext, proposalUuid: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const row = await lockUnended(db, proposalUuid);
    if (row?.state !== 'waiting') return;
    const proposalKey = `${row.proposalKey}/expired/${proposalUuid}`;
    await updateProposal(db, proposalUuid, { state: 'expired', endedAt: now(), proposalKey });
    const text = `${row.skillId} expired without approval and was not sent`;
    await addToTimelineOfAlert(inside, row.alertUuid, { kind: 'decided', by: null, text });
    await recordProposalEvent(inside, row, { name: 'proposal.decided', decision: 'expired' });
  });
}
