import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import { type Context, inTransaction } from '../context.js';
import { changeRules, releaseHeld } from './change-rules.js';

/** Returns the request if it waits for a second person. */
export async function resumeWrites(context: Context, organizationUuid: string, reason: string): Promise<PendingRuleChange | null> {
  const pending = await inTransaction(context, (inside) =>
    changeRules(inside, {
      organizationUuid,
      changed: { stoppedAt: null, stoppedBy: null, stoppedByUuid: null, stopReason: null },
      audit: { action: 'response.resume', details: { reason } },
      relaxes: { change: 'resume-writes', value: null, from: (current) => (current?.stoppedAt ?? null) !== null },
    }),
  );
  if (pending === null) await releaseHeld(context, organizationUuid);
  return pending;
}
