import { DEFAULT_WRITES_PER_HOUR } from '../../domain/response/response-rules.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import { type Context, inTransaction } from '../context.js';
import { changeRules, releaseHeld } from './change-rules.js';
import type { UpdateResponseRules } from './wire.js';

/** Limits the writes for each hour. Returns the request if it waits for a second person. */
export async function updateRules(
  context: Context,
  organizationUuid: string,
  { writes_per_hour: writesPerHour }: Pick<UpdateResponseRules, 'writes_per_hour'>,
): Promise<PendingRuleChange | null> {
  const pending = await inTransaction(context, (inside) =>
    changeRules(inside, {
      organizationUuid,
      changed: { writesPerHour },
      audit: { action: 'response.update', details: { writes_per_hour: writesPerHour } },
      relaxes: {
        change: 'raise-limit',
        value: writesPerHour,
        from: (current) => writesPerHour > (current?.writesPerHour ?? DEFAULT_WRITES_PER_HOUR),
      },
    }),
  );
  if (pending === null) await releaseHeld(context, organizationUuid);
  return pending;
}
