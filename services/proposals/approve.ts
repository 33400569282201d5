import { writeContracts } from '../../connectors/skill-index.js';
import { hasApproved, insertDecision, isManualWrite, updateProposal } from '../../db/response/proposal-rows.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { explainDecision } from '../../domain/response/proposal-result.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, invalid } from '../errors.js';
import { countApprovals } from './count-approvals.js';
import { lockVisibleProposal } from './lock-visible-proposal.js';
import { needsSecondPerson } from './needs-second-person.js';
import { noteDecision } from './note-decision.js';
import { recordProposalEvent } from './record-proposal-event.js';
import { requireProposal } from './require-proposal.js';
import { wakeProposals } from './wake.js';
import type { ApproveProposal } from './wire.js';

/** The workflow sends the write after the last required approval. */
export async function approveProposal(context: Context, proposalUuid: string, approval: ApproveProposal): Promise<Proposal> {
  await inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const row = await lockVisibleProposal(inside, proposalUuid);
    const { reason = null, release_after_hours: release } = approval;
    if (release !== undefined && !writeContracts.canBeUndone(row))
      throw invalid([{ pointer: '#/release_after_hours', detail: `${row.skillId} cannot be undone. Remove release_after_hours.` }]);
    // A proposal past `expires_at` is expired, even if its workflow has not recorded that yet.
    if (row.state !== 'waiting' || (row.expiresAt !== null && row.expiresAt <= now()))
      throw conflict(explainDecision('decided', 'approve', { isManual: isManualWrite(row) }));
    // One person counts once, with any of their keys, also for a write and its undo. The request of a person is an approval.
    const isRepeated = await hasApproved(db, by, [proposalUuid, ...(row.undoOf === null ? [] : [row.undoOf])]);
    if (!isRepeated)
      await insertDecision(db, {
        proposalUuid,
        principalUuid: by.uuid,
        by: by.name,
        byUuid: by.userUuid,
        decision: 'approve',
        reason,
        at: now(),
      });
    const { given, needed, uncounted, needsTwoPeople, explain } = await countApprovals(db, row);
    if (release !== undefined && needsTwoPeople && uncounted.length > 1 && release < (row.releaseAfterHours ?? Number.POSITIVE_INFINITY))
      throw invalid([{ pointer: '#/release_after_hours', detail: describeShortened(row.releaseAfterHours) }]);
    const isApproved = given >= needed;
    // A repeated approval takes effect if the approvals suffice by now, for example after the operator vouched for an account.
    if (isRepeated && !isApproved) {
      const reasons = new Set(uncounted.filter((each) => each !== null));
      throw conflict([explainDecision('repeated', 'approve', { isManual: isManualWrite(row) }), ...reasons].join(' '));
    }
    const notCounted = explain(by.uuid);
    await updateProposal(db, proposalUuid, {
      state: isApproved ? 'approved' : 'waiting',
      error: isApproved || notCounted === null || !isManualWrite(row) ? null : { ...needsSecondPerson(notCounted) },
      ...(release === undefined ? {} : { releaseAfterHours: release }),
    });
    const progress = needed > 1 ? ` (${given} of ${needed} approvals)` : '';
    const doubt = notCounted === null ? '' : `. This approval does not count. ${notCounted}`;
    await noteDecision(inside, row, 'approve', `${row.skillId} approved${progress}${doubt}`, {
      reason,
      ...(notCounted === null ? {} : { not_counted: notCounted }),
      ...(release === undefined ? {} : { release_after_hours: release }),
    });
    if (isApproved) await recordProposalEvent(inside, row, { name: 'proposal.decided', decision: 'approved' });
    wakeProposals(inside, [row]);
  });
  return requireProposal(context, proposalUuid);
}

function describeShortened(hours: number | null): string {
  const agreed = hours === null ? 'without an end' : `for ${hours} hours`;
  return `release_after_hours: another person approved the action ${agreed}. Leave it out, or end the action early after it is done.`;
}
