import { newUuid } from '../../db/ids.js';
import { endFollowUp, lockFollowUp } from '../../db/investigations/follow-ups.js';
import type { InvestigationRef } from '../../db/investigations/lifecycle.js';
import { inTransaction, type WorkContext } from '../context.js';
import { queueNextInvestigation } from '../investigations/queue-next.js';

/** The answers of an alert this young are still valid, so asking again asks only what has no answer. */
const REUSE_WITHIN_SECONDS = 2 * 3600;

/**
 * Requests the next investigation, unless a newer one exists. While the investigation that planned the follow-up still runs, the
 * follow-up stays open, and the reconciler begins it later. Returns the outcome, also when it is called again.
 */
export function beginFollowUp(context: WorkContext, ref: InvestigationRef): Promise<string> {
  return inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const due = await lockFollowUp(db, ref);
    if (due === null) return 'There is no such follow-up.';
    const { followUp, newestNo, alertCreatedAt } = due;
    if (followUp.endedAt !== null) return followUp.outcome ?? '';
    const end = async (outcome: string): Promise<string> => {
      await endFollowUp(db, { ...ref, alertUuid: followUp.alertUuid }, { at: now(), outcome });
      return outcome;
    };
    if (newestNo !== ref.investigationNo) return end(`Skipped: investigation ${newestNo} was requested first.`);
    const how = `, as planned by investigation ${ref.investigationNo}: ${followUp.reason}`;
    const mayReuse = followUp.waitsFor !== null && now() - alertCreatedAt < REUSE_WITHIN_SECONDS;
    const next = await queueNextInvestigation(inside, ref, { reuseBefore: mayReuse ? newUuid() : null, how, details: { follow_up: true } });
    if (next === null) return `Investigation ${ref.investigationNo} still runs. The follow-up begins after it.`;
    return end(`Requested investigation ${next}.`);
  });
}
