import { lockAlert } from '../../db/investigations/lifecycle.js';
import { findReuseBefore, type Rerun } from '../../db/investigations/reuse.js';
import { type Context, inTransaction } from '../context.js';
import { type CommandError, conflict, invalid, notFound } from '../errors.js';
import { queueNextInvestigation } from './queue-next.js';

/** Requests the next investigation of an alert. */
export function investigateAgain(context: Context, alertId: string, rerun: Rerun | null): Promise<void> {
  return inTransaction(context, async (inside) => {
    const alert = await lockAlert(inside.db, inside.by.organizationUuid, alertId);
    if (alert === null) throw notFound('alert with this id');
    if (alert.completedAt === null) throw stillRunning();
    const found = rerun && (await findReuseBefore(inside.db, { ...alert, attempt: alert.retryCount + 1 }, rerun));
    if (found && 'steps' in found) throw unknownStep(found.steps);
    const request = { reuseBefore: found?.reuseBefore ?? null, how: describeRerun(rerun), details: { ...rerun } };
    const queued = await queueNextInvestigation(inside, { alertId, investigationNo: alert.investigationNo }, request);
    if (queued === null) throw stillRunning();
  });
}

function describeRerun(rerun: Rerun | null): string {
  if (rerun === null) return '';
  return 'from_step' in rerun ? `, from step ${rerun.from_step}` : ', asking only what has no answer yet';
}

function stillRunning(): CommandError {
  return conflict('The investigation of this alert is still running. Wait until its status is 15 or 20.');
}

function unknownStep(steps: readonly string[]): CommandError {
  const known =
    steps.length === 0 ? 'No step of the newest investigation has an answer' : `The steps with an answer are ${steps.join(', ')}`;
  return invalid([{ detail: `from_step: ${known}. To ask the unanswered questions again, send reuse.`, pointer: '#/from_step' }]);
}
