import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { cases } from '../schema/index.js';

export interface FoundCase {
  readonly caseUuid: string;
  readonly organizationUuid: string;
}

/** The case, or null where the key cannot see it. */
export async function findCaseUuid(db: Db | Transaction, by: Principal, caseId: string): Promise<FoundCase | null> {
  const [found] = await db
    .select({ caseUuid: cases.caseUuid, organizationUuid: cases.organizationUuid })
    .from(cases)
    .where(isVisible(by, caseId));
  return found ?? null;
}

/** The same with a lock, so that concurrent additions keep the limits of a case. */
export async function lockCase(transaction: Transaction, by: Principal, caseId: string): Promise<FoundCase | null> {
  const [found] = await transaction
    .update(cases)
    .set({ modifiedAt: nowSeconds() })
    .where(isVisible(by, caseId))
    .returning({ caseUuid: cases.caseUuid, organizationUuid: cases.organizationUuid });
  return found ?? null;
}

function isVisible(by: Principal, caseId: string): SQL | undefined {
  const scope = by.organizationUuid;
  return and(eq(cases.caseId, caseId), scope === null ? undefined : eq(cases.organizationUuid, scope));
}

/** The ids of the case and of the cases that were merged into it: their tasks and files stay visible. */
export function withMerged(caseUuid: string): SQL {
  return sql`(select ${caseUuid}::uuid union all select merged.case_uuid from cases as merged where merged.merged_into = ${caseUuid}::uuid)`;
}
