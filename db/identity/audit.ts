import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Queries, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { type PageRequest, toPage } from '../page.js';
import { apiKeys, auditLog, organizations, users } from '../schema/index.js';
import { inOrganization } from '../scope.js';

export interface AuditRecord {
  /** null: the service itself. */
  readonly by: Pick<Principal, 'uuid' | 'name' | 'via'> | null;
  readonly organizationUuid: string | null;
  readonly action: string;
  readonly target: string;
  readonly details?: Record<string, unknown>;
}

/** Call it with the transaction of the change, so that both are committed together. */
export async function recordAudit(transaction: Transaction, record: AuditRecord): Promise<void> {
  await transaction.insert(auditLog).values(toRow(record));
}

const ENTRIES_AT_ONCE = 1_000;

export async function recordAudits(transaction: Transaction, records: readonly AuditRecord[]): Promise<void> {
  for (let first = 0; first < records.length; first += ENTRIES_AT_ONCE)
    await transaction.insert(auditLog).values(records.slice(first, first + ENTRIES_AT_ONCE).map(toRow));
}

function toRow({ by, organizationUuid, action, target, details }: AuditRecord): typeof auditLog.$inferInsert {
  return {
    at: nowSeconds(),
    principalUuid: by?.uuid ?? null,
    principalName: by?.name ?? 'service',
    organizationUuid,
    action,
    target,
    details: by?.via === undefined ? (details ?? null) : { ...details, via: by.via },
  };
}

/** An entry of the service itself, for a transaction without drizzle. */
export async function insertAuditEntry(pg: Queries, entry: Omit<AuditRecord, 'by'>): Promise<void> {
  const { organizationUuid, action, target, details } = entry;
  await pg`
    insert into audit_log (at, principal_name, organization_uuid, action, target, details)
    values (now(), 'service', ${organizationUuid}, ${action}, ${target}, ${details === undefined ? null : JSON.stringify(details)}::text::jsonb)`;
}

/** Serialises counting and writing entries with this action. */
export async function lockRecentEntries(transaction: Transaction, action: string): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`audit entries ${action}`}, 0))`);
}

/** The entries of the last hour with this action, of the organization and of all; counts up to `limit` entries. */
export async function countRecentEntries(
  db: Db | Transaction,
  { action, organizationUuid, limit }: { action: string; organizationUuid: string | null; limit: number },
): Promise<{ organization: number; all: number }> {
  const [counted] = await db.execute<{ organization: number; all: number }>(sql`
    select count(*)::int as "all", count(*) filter (where organization_uuid is not distinct from ${organizationUuid}::uuid)::int as organization
    from (
      select at, organization_uuid from ${auditLog} where action = ${action} and action <> 'alert.create' order by entry_no desc limit ${limit}
    ) as recent where at > now() - interval '1 hour'`);
  return counted ?? { organization: 0, all: 0 };
}

/** Filters by principal or target exclude `alert.create`: the alert itself names its sender. */
export interface AuditFilters {
  readonly action?: string | undefined;
  readonly principalName?: string | undefined;
  readonly target?: string | undefined;
  /** Epoch seconds; `from` is inclusive, `before` exclusive. */
  readonly from?: number | undefined;
  readonly before?: number | undefined;
}

/** Numbers and times of entries may be out of order by less than this, because transactions take time. */
export const DISORDER_SECONDS = 3_600;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

/** Binary search for the first entry at this time: numbers rise with time, so the intake does not pay for an index on time. */
export function firstEntryAt(seconds: number): SQL {
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
    // The partial indexes exclude this action.
    isIndexed ? sql`${auditLog.action} <> 'alert.create'` : undefined,
    principalName === undefined ? undefined : eq(auditLog.principalName, principalName),
    target === undefined ? undefined : eq(auditLog.target, target),
    ...(from === undefined ? [] : [gte(auditLog.at, from), gte(auditLog.entryNo, firstEntryAt(from - DISORDER_SECONDS))]),
    ...(before === undefined ? [] : [lt(auditLog.at, before), lt(auditLog.entryNo, firstEntryAt(before + DISORDER_SECONDS))]),
  ];
}

export async function listAudit(db: Db, organizationUuid: string | null, filters: AuditFilters, page: PageRequest) {
  const rows = await db
    .select({
      entry_no: auditLog.entryNo,
      at: auditLog.at,
      principal_uuid: auditLog.principalUuid,
      principal_name: auditLog.principalName,
      // A principal is a key or a user. Neither is ever deleted, and a key never changes its owner.
      user_uuid: sql<string | null>`coalesce(${apiKeys.ownerUuid}, ${users.userUuid})`,
      key_name: apiKeys.name,
      organization_code: organizations.organizationCode,
      action: auditLog.action,
      target: auditLog.target,
      details: auditLog.details,
    })
    .from(auditLog)
    .leftJoin(organizations, eq(organizations.organizationUuid, auditLog.organizationUuid))
    .leftJoin(apiKeys, eq(apiKeys.keyUuid, auditLog.principalUuid))
    .leftJoin(users, eq(users.userUuid, auditLog.principalUuid))
    .where(
      and(
        page.after === null ? undefined : lt(auditLog.entryNo, Number(page.after)),
        inOrganization(auditLog.organizationUuid, organizationUuid),
        ...isWanted(filters),
      ),
    )
    .orderBy(desc(auditLog.entryNo))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => String(row.entry_no));
}
