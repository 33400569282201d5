import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { caseAlerts, cases } from '../schema/index.js';
import { inOrganization } from '../scope.js';

export interface FoundCase {
  readonly caseUuid: string;
  readonly organizationUuid: string;
}

const columns = { caseUuid: cases.caseUuid, organizationUuid: cases.organizationUuid };

/** null where the scope has no such case. */
export async function findCaseUuid(db: Db | Transaction, scope: string | null, caseId: string): Promise<FoundCase | null> {
  const [found] = await db
    .select(columns)
    .from(cases)
    .where(and(eq(cases.caseId, caseId), inOrganization(cases.organizationUuid, scope)));
  return found ?? null;
}

/** Marks the case as changed. The lock makes concurrent additions keep the limits of a case. */
export async function touchCase(transaction: Transaction, scope: string | null, caseId: string, at: number): Promise<FoundCase | null> {
  const [found] = await transaction
    .update(cases)
    .set({ modifiedAt: at })
    .where(and(eq(cases.caseId, caseId), inOrganization(cases.organizationUuid, scope)))
    .returning(columns);
  return found ?? null;
}

/** Marks the current case of the alert as changed. null: the alert has no case yet. */
export async function touchCaseOfAlert(transaction: Transaction, alertUuid: string, at: number): Promise<string | null> {
  const [found] = await transaction
    .update(cases)
    .set({ modifiedAt: at })
    .from(caseAlerts)
    .where(and(eq(caseAlerts.alertUuid, alertUuid), eq(cases.caseUuid, caseAlerts.caseUuid)))
    .returning({ caseUuid: cases.caseUuid });
  return found?.caseUuid ?? null;
}

/** The ids of the case and of the cases that were merged into it: their tasks and files stay visible. */
export function withMerged(caseUuid: string): SQL {
  return sql`(select ${caseUuid}::uuid union all select merged.case_uuid from cases as merged where merged.merged_into = ${caseUuid}::uuid)`;
}
