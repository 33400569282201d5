import { and, asc, desc, eq, gt, gte, or, type SQL, sql } from 'drizzle-orm';
import { type RecordKind, searchValues } from '../../domain/record/record.js';
import type { ListedRecord, RecordCopy } from '../../domain/record/record-list.js';
import type { Db } from '../client.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { connections, organizations, recordCopies, thirdPartyRecords } from '../schema/index.js';

export interface RecordFilters {
  readonly text?: string | undefined;
  readonly kind?: RecordKind | undefined;
  readonly connectionUuid?: string | undefined;
  readonly organizationCode?: string | undefined;
  /** Epoch seconds, inclusive. */
  readonly since?: number | undefined;
}

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;
const MICROSECONDS = 1_000_000;

/** The time in microseconds and the id of the last record of a page. */
const position = sql<string>`(extract(epoch from ${thirdPartyRecords.listedAt}) * ${sql.raw(String(MICROSECONDS))})::int8 || '.' || ${thirdPartyRecords.recordUuid}`;

/** Newest first. */
export async function listRecords(
  db: Db,
  organizationUuid: string | null,
  filters: RecordFilters,
  page: PageRequest,
): Promise<Page<ListedRecord>> {
  const rows = await db
    .select({
      record_uuid: thirdPartyRecords.recordUuid,
      record_id: thirdPartyRecords.recordId,
      kind: sql<RecordKind>`${thirdPartyRecords.kind}`,
      connection_id: thirdPartyRecords.connectionUuid,
      connection: connections.instanceName,
      connector: connections.connectorKind,
      organization_code: organizations.organizationCode,
      title: thirdPartyRecords.title,
      severity: sql<ListedRecord['severity']>`${thirdPartyRecords.severity}`,
      is_open: thirdPartyRecords.isOpen,
      state: thirdPartyRecords.state,
      conclusion: sql<ListedRecord['conclusion']>`${thirdPartyRecords.conclusion}`,
      happened_at: thirdPartyRecords.happenedAt,
      updated_at: thirdPartyRecords.updatedAt,
      merged_into: thirdPartyRecords.mergedInto,
      techniques: thirdPartyRecords.techniques,
      values: thirdPartyRecords.values,
      position,
    })
    .from(thirdPartyRecords)
    .innerJoin(connections, eq(connections.connectionUuid, thirdPartyRecords.connectionUuid))
    .innerJoin(organizations, eq(organizations.organizationUuid, thirdPartyRecords.organizationUuid))
    .where(
      and(
        organizationUuid === null ? undefined : eq(thirdPartyRecords.organizationUuid, organizationUuid),
        filters.organizationCode === undefined ? undefined : isOfOrganization(filters.organizationCode),
        filters.kind === undefined ? undefined : eq(thirdPartyRecords.kind, filters.kind),
        filters.connectionUuid === undefined ? undefined : eq(thirdPartyRecords.connectionUuid, filters.connectionUuid),
        filters.since === undefined ? undefined : gte(thirdPartyRecords.listedAt, Math.min(filters.since, LAST_SECOND)),
        filters.text === undefined ? undefined : matchesText(organizationUuid, filters.text),
        page.after === null ? undefined : isAfter(page.after),
      ),
    )
    .orderBy(desc(thirdPartyRecords.listedAt), desc(thirdPartyRecords.recordUuid))
    .limit(page.limit + 1);
  const { items, next } = toPage(rows, page, (row) => row.position);
  return { items: items.map(({ position: _, ...record }) => record), next };
}

/** A subquery, so that the order of the index of the organization can be used. */
function isOfOrganization(code: string): SQL {
  return sql`${thirdPartyRecords.organizationUuid} = (select organization_uuid from organizations where organization_code = ${code})`;
}

function isAfter(key: string): SQL {
  const [microseconds, uuid] = key.split('.');
  return sql`(${thirdPartyRecords.listedAt}, ${thirdPartyRecords.recordUuid})
    < (to_timestamp(0) + ${microseconds} * interval '1 microsecond', ${uuid}::uuid)`;
}

/** The records with this entity, in any of its spellings, and those with all these words in the title. Both are found through indexes. */
function matchesText(organizationUuid: string | null, text: string): SQL {
  const wanted = text.trim();
  const values = searchValues({ kind: 'domain', value: wanted }).map((value) => sql`${value}`);
  const isInScope = organizationUuid === null ? sql`true` : sql`organization_uuid = ${organizationUuid}`;
  return sql`(${thirdPartyRecords.connectionUuid}, ${thirdPartyRecords.kind}, ${thirdPartyRecords.recordId}) in (
    select connection_uuid, kind, record_id from connections join record_values using (connection_uuid)
    where ${isInScope} and value in (${sql.join(values, sql`, `)})
    union
    select connection_uuid, kind, record_id from third_party_records
    where ${isInScope} and to_tsvector('simple', title) @@ websearch_to_tsquery('simple', ${wanted}))`;
}

/** The copies of the connections, by connection and kind. */
export async function listRecordCopies(db: Db, organizationUuid: string | null, page: PageRequest): Promise<Page<RecordCopy>> {
  const [afterConnection, afterKind = ''] = page.after?.split('.') ?? [];
  const rows = await db
    .select({
      connection_id: recordCopies.connectionUuid,
      connection: connections.instanceName,
      connector: connections.connectorKind,
      organization_code: organizations.organizationCode,
      kind: sql<RecordKind>`${recordCopies.kind}`,
      covered_from: recordCopies.coveredFrom,
      read_at: recordCopies.coveredUntil,
      is_reading: sql<boolean>`coalesce(${recordCopies.readingUntil} > now(), false)`,
      last_error: recordCopies.lastError,
    })
    .from(recordCopies)
    .innerJoin(connections, eq(connections.connectionUuid, recordCopies.connectionUuid))
    .innerJoin(organizations, eq(organizations.organizationUuid, connections.organizationUuid))
    .where(
      and(
        organizationUuid === null ? undefined : eq(connections.organizationUuid, organizationUuid),
        afterConnection === undefined
          ? undefined
          : or(
              gt(recordCopies.connectionUuid, afterConnection),
              and(eq(recordCopies.connectionUuid, afterConnection), gt(recordCopies.kind, afterKind)),
            ),
      ),
    )
    .orderBy(asc(recordCopies.connectionUuid), asc(recordCopies.kind))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => `${row.connection_id}.${row.kind}`);
}
