import { countFollowUps, findFollowUp, lockInvestigatedAlert, upsertFollowUp } from '../../db/investigations/follow-ups.js';
import type { InvestigationRef } from '../../db/investigations/lifecycle.js';
import { clip } from '../../domain/text.js';
import { inTransaction, type WorkContext } from '../context.js';
import { announceFollowUp, MAX_FOLLOW_UPS, type PlannedFollowUp } from './announce.js';

/** At most one for each investigation. null where none is planned. */
export function planFollowUp(
  context: WorkContext,
  ref: InvestigationRef,
  plan: { afterHours: number; reason: string },
): Promise<PlannedFollowUp | null> {
  return inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const alertUuid = await lockInvestigatedAlert(db, ref);
    if (alertUuid === null) return null;
    const present = await findFollowUp(db, alertUuid, ref);
    if (present) return present.endedAt === null ? { dueAt: present.dueAt, isNew: false } : null;
    if ((await countFollowUps(db, alertUuid, 'by playbook')) >= MAX_FOLLOW_UPS) return null;
    const dueAt = now() + plan.afterHours * 3600;
    const reason = clip(plan.reason, 1000);
    await upsertFollowUp(db, { alertUuid, investigationNo: ref.investigationNo, reason, dueAt, createdAt: now() });
    await announceFollowUp(inside, { alertUuid, ...ref }, { dueAt, reason });
    return { dueAt, isNew: true };
  });
}
