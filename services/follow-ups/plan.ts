import { countFollowUps, findFollowUp, lockInvestigatedAlert, upsertFollowUp } from '../../db/investigations/follow-ups.js';
import type { InvestigationRef } from '../../db/investigations/lifecycle.js';
import { clip } from '../../domain/text.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { announceFollowUp, MAX_FOLLOW_UPS } from './announce.js';
import { startFollowUp } from './start.js';

const MIN_HOURS = 1;
const MAX_HOURS = 90 * 24;

/** At most one for each investigation. False where this call planned none. */
export function planFollowUp(
  context: ServiceContext,
  ref: InvestigationRef,
  plan: { afterHours: number; reason: string },
): Promise<boolean> {
  return inTransaction(context, async (inside) => {
    const { db, now, afterCommit } = inside;
    const start = (dueAt: number) => afterCommit(() => startFollowUp(context, { ...ref, asksAgain: false }, dueAt));
    const alertUuid = await lockInvestigatedAlert(db, ref);
    if (alertUuid === null) return false;
    const present = await findFollowUp(db, alertUuid, ref);
    if (present?.endedAt === null) start(present.dueAt);
    if (present) return false;
    if ((await countFollowUps(db, alertUuid, 'by playbook')) >= MAX_FOLLOW_UPS) return false;
    const dueAt = now() + Math.max(MIN_HOURS, Math.min(MAX_HOURS, Math.round(plan.afterHours))) * 3600;
    const reason = clip(plan.reason, 1000);
    await upsertFollowUp(db, { alertUuid, investigationNo: ref.investigationNo, reason, dueAt, createdAt: now() });
    await announceFollowUp(inside, { alertUuid, ...ref }, { dueAt, reason });
    start(dueAt);
    return true;
  });
}
