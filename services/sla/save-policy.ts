import { recordAudit } from '../../db/identity/audit.js';
import { markRunningClocksStale } from '../../db/sla/clocks.js';
import { readPolicy, upsertPolicy } from '../../db/sla/policies.js';
import type { SaveSlaPolicy } from '../../domain/sla/policy.js';
import { type Context, inTransaction } from '../context.js';
import type { SlaPolicy } from './wire.js';

/** Replaces the policy. The timekeeper computes the due times of all running clocks again. */
export function savePolicy(context: Context, organizationUuid: string, given: SaveSlaPolicy): Promise<SlaPolicy> {
  const { time_zone: timeZone, hours, holidays, warn_percent: warnPercent, targets } = given;
  return inTransaction(context, async ({ db, by, now }) => {
    await upsertPolicy(db, { organizationUuid, timeZone, hours, holidays, warnPercent, targets, modifiedAt: now() });
    await markRunningClocksStale(db, organizationUuid);
    const saved = await readPolicy(db, organizationUuid);
    await recordAudit(db, { by, organizationUuid, action: 'sla.update', target: saved.organization_code, details: { ...given } });
    return saved;
  });
}
