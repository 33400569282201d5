import { countFollowUps, findFollowUp, lockInvestigatedAlert, upsertFollowUp } from '../../db/investigations/follow-ups.js';
import type { InvestigationRef } from '../../db/investigations/lifecycle.js';
import type { UnansweredQuestion } from '../../domain/investigation/investigation.js';
import { clip } from '../../domain/text.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { announceFollowUp, MAX_FOLLOW_UPS } from './announce.js';
import { startFollowUp } from './start.js';

const MINUTE_SECONDS = 60;
/** The waits before a question is asked again. The last one repeats. */
const ASK_AGAIN_AFTER_SECONDS = [5, 15, 60, 4 * 60, 24 * 60].map((minutes) => minutes * MINUTE_SECONDS);
const NAMED_IN_REASON = 5;

/**
 * Plans to ask again what a third party could not answer, later each time. Replaces the later follow-up of the same
 * investigation: the next investigation plans its own. False where this call planned none.
 */
export function planToAskAgain(
  context: ServiceContext,
  ref: InvestigationRef,
  unanswered: readonly UnansweredQuestion[],
): Promise<boolean> {
  return inTransaction(context, async (inside) => {
    const { db, now, afterCommit } = inside;
    const start = (dueAt: number) => afterCommit(() => startFollowUp(context, { ...ref, asksAgain: true }, dueAt));
    const alertUuid = await lockInvestigatedAlert(db, ref);
    if (alertUuid === null) return false;
    const present = await findFollowUp(db, alertUuid, ref);
    if (present?.waitsFor && present.endedAt === null) start(present.dueAt);
    if (present?.waitsFor) return false;
    const earlier = await countFollowUps(db, alertUuid, 'to ask again');
    if (earlier >= MAX_FOLLOW_UPS) return false;
    const waitSeconds = ASK_AGAIN_AFTER_SECONDS[Math.min(earlier, ASK_AGAIN_AFTER_SECONDS.length - 1)] ?? 0;
    // The jitter keeps the alerts of one outage from asking all at once.
    const dueAt = now() + Math.round(waitSeconds * (1 + Math.random() / 5));
    const reason = clip(describeUnanswered(unanswered), 1000);
    const { investigationNo } = ref;
    await upsertFollowUp(db, { alertUuid, investigationNo, reason, waitsFor: [...unanswered], dueAt, createdAt: now() });
    await announceFollowUp(inside, { alertUuid, ...ref }, { dueAt, reason });
    start(dueAt);
    return true;
  });
}

function describeUnanswered(unanswered: readonly UnansweredQuestion[]): string {
  const named = [...new Set(unanswered.map(({ instanceName, skillId }) => `${skillId} (${instanceName})`))];
  const others = named.length > NAMED_IN_REASON ? ` and ${named.length - NAMED_IN_REASON} more` : '';
  return `no answer to ${named.slice(0, NAMED_IN_REASON).join(', ')}${others}`;
}
