import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { AuditEntry } from '../../domain/identity/audit.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { auditLog, organizations } from '../schema/index.js';

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

/** By principal or target, entries of alerts that came are left out: an alert says itself who sent it. */
export interface AuditFilters {
  readonly action?: string | undefined;
  readonly principalName?: string | undefined;
  readonly target?: string | undefined;
  /** Epoch seconds; `from` is within, `before` is not. */
  readonly from?: number | undefined;
  readonly before?: number | undefined;
}

/** An entry's number and its moment come from two clocks, and a transaction may take a while: they differ by less than this. */
const DISORDER_SECONDS = 3_600;
/** The last second of the year 9999: nothing is asked for beyond it. */
const LAST_SECOND = 253_402_300_799;

/**
 * The number of the first entry of this moment, found by halving: numbers rise with time, so that time needs no index
 * of its own, which every alert would pay for.
 */
function firstEntryAt(seconds: number): SQL {
  return sql`(
    with recursive narrowed (low, high) as (
      select coalesce(min(entry_no), 0), coalesce(max(entry_no), 0) + 1 from audit_log
      union all
      select case when is_before then middle + 1 else low end, case when is_before then high else middle end
      from narrowed
      cross join lateral (select (low + high) / 2 as middle) as halved
      cross join lateral (
        select at < to_timestamp(${seconds}) as is_before from audit_log where entry_no >= middle order by entry_no limit 1
      ) as found
      where low < high
    )
    select low from narrowed where low >= high
  )`;
}

function isWanted({ action, principalName, target, ...time }: AuditFilters): (SQL | undefined)[] {
  const isIndexed = principalName !== undefined || target !== undefined || (action !== undefined && action !== 'alert.create');
  const [from, before] = [time.from, time.before].map((seconds) => (seconds === undefined ? undefined : Math.min(seconds, LAST_SECOND)));
  return [
    action === undefined ? undefined : eq(auditLog.action, action),
    // What the indexes of actions, principals and targets are made without.
    isIndexed ? sql`${auditLog.action} <> 'alert.create'` : undefined,
    principalName === undefined ? undefined : eq(auditLog.principalName, principalName),
    target === undefined ? undefined : eq(auditLog.target, target),
    ...(from === undefined ? [] : [gte(auditLog.at, from), gte(auditLog.entryNo, firstEntryAt(from - DISORDER_SECONDS))]),
    ...(before === undefined ? [] : [lt(auditLog.at, before), lt(auditLog.entryNo, firstEntryAt(before + DISORDER_SECONDS))]),
  ];
}

export async function listAudit(
  db: Db,
  organizationUuid: string | null,
  filters: AuditFilters,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
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
        ...isWanted(filters),
      ),
    )
    .orderBy(desc(auditLog.entryNo))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => String(row.entry_no));
}
