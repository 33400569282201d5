import { recordAudit } from '../../db/identity/audit.js';
import { type Context, inTransaction } from '../context.js';

/** Records who takes data out of the service. */
export function recordExport(
  context: Context,
  given: { action: 'alert.export' | 'case.export'; organizationUuid: string | null; target: string; details: Record<string, unknown> },
): Promise<void> {
  return inTransaction(context, ({ db, by }) => recordAudit(db, { by, ...given }));
}
