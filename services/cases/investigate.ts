import { listCaseAlerts } from '../../db/cases/cases.js';
import type { Context } from '../context.js';
import { type CommandError, conflict, notFound, requireRefusal } from '../errors.js';
import { investigateAgain } from '../investigations/investigate-again.js';

/** Investigates every alert of the case whose investigation ended. Refuses if none did. */
export async function investigateCase(context: Context, caseId: string): Promise<void> {
  const alertIds = await listCaseAlerts(context.db, context.by.organizationUuid, caseId);
  if (alertIds === null) throw notFound('case with this id');
  if (alertIds.length === 0) throw conflict('This case is merged into another case. Investigate the other case.');
  const refusals: CommandError[] = [];
  for (const alertId of alertIds) await investigateAgain(context, alertId, null).catch((error) => refusals.push(requireRefusal(error)));
  const [first] = refusals;
  if (first && refusals.length === alertIds.length) throw first;
}
