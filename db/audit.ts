import { and, desc, eq, lt } from 'drizzle-orm';
import type { AuditEntry } from '../domain/audit.js';
import type { Principal } from '../domain/identity.js';
import type { Db, Transaction } from './client.js';
import { nowSeconds } from './columns.js';
import { type Page, type PageRequest, pageOf } from './page.js';
import { auditLog, organizations } from './schema.js';

export interface AuditRecord {
  readonly by: Principal | null;
  readonly organizationUuid: string | null;
  readonly action: string;
  readonly target: string;
  readonly details?: Record<string, unknown>;
}

/** Takes the transaction of the change it speaks of: neither is ever there without the other. */
export async function recordAudit(transaction: Transaction, record: AuditRecord): Promise<void> {
  await transaction.insert(auditLog).values({
    at: nowSeconds(),
    principalUuid: record.by?.uuid ?? null,
    principalName: record.by?.name ?? 'service',
    organizationUuid: record.organizationUuid,
    action: record.action,
    target: record.target,
    details: record.details ?? null,
  });
}

export async function listAudit(db: Db, organizationUuid: string | null, page: PageRequest): Promise<Page<AuditEntry>> {
  const rows = await db
    .select({
      entry_no: auditLog.entryNo,
      at: auditLog.at,
      principal_uuid: auditLog.principalUuid,
      principal_name: auditLog.principalName,
      organization_code: organizations.organizationCode,
      action: auditLog.action,
      target: auditLog.target,
      details: auditLog.details,
    })
    .from(auditLog)
    .leftJoin(organizations, eq(organizations.organizationUuid, auditLog.organizationUuid))
    .where(
      and(
        page.after === null ? undefined : lt(auditLog.entryNo, Number(page.after)),
        organizationUuid === null ? undefined : eq(auditLog.organizationUuid, organizationUuid),
      ),
    )
    .orderBy(desc(auditLog.entryNo))
    .limit(page.limit + 1);
  return pageOf(rows, page, (row) => String(row.entry_no));
}
