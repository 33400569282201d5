import { eq } from 'drizzle-orm';
import { NO_POLICY } from '../../domain/sla/policy.js';
import type { Db, Transaction } from '../client.js';
import { organizations, slaPolicies } from '../schema/index.js';

export async function readPolicy(db: Db | Transaction, organizationUuid: string) {
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

export async function upsertPolicy(transaction: Transaction, policy: typeof slaPolicies.$inferInsert): Promise<void> {
  await transaction.insert(slaPolicies).values(policy).onConflictDoUpdate({ target: slaPolicies.organizationUuid, set: policy });
}
