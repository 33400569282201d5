import { type Context, inTransaction } from '../context.js';
import { changeRules } from './change-rules.js';

/** Holds every pending and new write of the organization. */
export async function stopWrites(context: Context, organizationUuid: string, reason: string): Promise<void> {
  await inTransaction(context, (inside) =>
    changeRules(inside, {
      organizationUuid,
      changed: { stoppedAt: inside.now(), stoppedBy: inside.by.name, stoppedByUuid: inside.by.userUuid, stopReason: reason },
      audit: { action: 'response.stop', details: { reason } },
    }),
  );
}
