import { and, eq, isNull } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import { NO_POLICY, type SaveSlaPolicy, type SlaPolicy } from '../../domain/sla/policy.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { caseClocks, organizations, slaPolicies } from '../schema/index.js';

export async function readPolicy(db: Db | Transaction, organizationUuid: string): Promise<SlaPolicy> {
  const [found] = await db
    .select({
      organization_code: organizations.organizationCode,
      saved: {
        time_zone: slaPolicies.timeZone,
        hours: slaPolicies.hours,
        holidays: slaPolicies.holidays,
        warn_percent: slaPolicies.warnPercent,
        targets: slaPolicies.targets,
        modified_at: slaPolicies.modifiedAt,
      },
    })
    .from(organizations)
    .leftJoin(slaPolicies, eq(slaPolicies.organizationUuid, organizations.organizationUuid))
    .where(eq(organizations.organizationUuid, organizationUuid));
  return { organization_code: found?.organization_code ?? '', ...(found?.saved ?? { ...NO_POLICY, modified_at: null }) };
}

/** Also lets the due times of all running clocks be computed again. */
export async function savePolicy(db: Db, by: Principal, organizationUuid: string, given: SaveSlaPolicy): Promise<SlaPolicy> {
  const { time_zone: timeZone, hours, holidays, warn_percent: warnPercent, targets } = given;
  const columns = { timeZone, hours, holidays, warnPercent, targets, modifiedAt: nowSeconds() };
  return db.transaction(async (transaction) => {
    await transaction
      .insert(slaPolicies)
      .values({ organizationUuid, ...columns })
      .onConflictDoUpdate({ target: slaPolicies.organizationUuid, set: columns });
    await transaction
      .update(caseClocks)
      .set({ isStale: true })
      .where(and(eq(caseClocks.organizationUuid, organizationUuid), isNull(caseClocks.stoppedAt), isNull(caseClocks.breachedAt)));
    const saved = await readPolicy(transaction, organizationUuid);
    await recordAudit(transaction, {
      by,
      organizationUuid,
      action: 'sla.update',
      target: saved.organization_code,
      details: { ...given },
    });
    return saved;
  });
}
