import type { Db } from '../../db/client.js';
import { reinvestigate } from '../../db/investigations/lifecycle.js';
import type { Rerun } from '../../db/investigations/reuse.js';
import type { Principal } from '../../domain/identity/identity.js';
import { type CommandError, conflict, invalid, notFound } from '../errors.js';

/** Requests the next investigation of an alert. */
export async function investigateAgain(db: Db, by: Principal, alertId: string, rerun: Rerun | null): Promise<void> {
  const result = await reinvestigate(db, by, alertId, rerun);
  if (result.outcome === 'unknown') throw notFound('alert with this id');
  if (result.outcome === 'running') throw conflict('The investigation of this alert is still running. Wait until its status is 15 or 20.');
  if (result.outcome === 'unknown-step') throw unknownStep(result.steps);
}

function unknownStep(steps: readonly string[]): CommandError {
  const known =
    steps.length === 0 ? 'No step of the newest investigation has an answer' : `The steps with an answer are ${steps.join(', ')}`;
  return invalid([{ detail: `from_step: ${known}. To ask the unanswered questions again, send reuse.`, pointer: '#/from_step' }]);
}
