import { and, eq, gte, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { type AlertListItem, alertTypeKey, type InvestigationStatus } from '../../domain/alert/alert.js';
import { type AlertSort, NEWEST_ALERTS } from '../../domain/alert/alert-sort.js';
import type { Entity } from '../../domain/entity/entity.js';
import { readSort } from '../../domain/sort.js';
import type { Db } from '../client.js';
import { uuidFloor } from '../ids.js';
import { limitBytes, type Page, type PageRequest, toPage } from '../page.js';
import { alertEntities, alerts, caseAlerts, cases, organizations, playbooks, providers } from '../schema/index.js';
import { inOrganization } from '../scope.js';
import { isAfterPosition, orderRows, type SortColumn, timeFromText, timeToText, writePosition } from '../sorted-page.js';
import { matchWords, readNewestWithWords } from './alert-search.js';

/** The alerts that a caller may see, derived from its key only. */
export interface AlertScope {
  readonly organizationUuid: string | null;
  readonly createdBy: string | null;
}

export interface AlertFilters {
  readonly status?: InvestigationStatus | undefined;
  readonly organizationCode?: string | undefined;
  readonly provider?: string | undefined;
  readonly alertType?: string | undefined;
  readonly createdFrom?: number | undefined;
  readonly createdBefore?: number | undefined;
  readonly text?: string | undefined;
}

const MAX_ENTITIES = 2_000;

const columns = {
  alert_content: alerts.alertContent,
  alert_id: alerts.alertId,
  alert_provider: providers.name,
  alert_type: alerts.alertType,
  alert_uuid: alerts.alertUuid,
  created_at: alerts.createdAt,
  created_at_source: alerts.createdAtSource,
  created_by: alerts.createdBy,
  investigation_retry_count: alerts.investigationRetryCount,
  investigation_status: sql<InvestigationStatus>`${alerts.investigationStatus}`,
  modified_at: alerts.modifiedAt,
  organization_code: organizations.organizationCode,
  organization_uuid: alerts.organizationUuid,
  case_id: cases.caseId,
  verdict: cases.verdict,
  severity: cases.severity,
  playbook: playbooks.name,
  completed_at: alerts.completedAt,
};

function alertQuery(db: Db) {
  return db
    .select(columns)
    .from(alerts)
    .innerJoin(organizations, eq(organizations.organizationUuid, alerts.organizationUuid))
    .innerJoin(providers, eq(providers.providerUuid, alerts.providerUuid))
    .leftJoin(caseAlerts, eq(caseAlerts.alertUuid, alerts.alertUuid))
    .leftJoin(cases, eq(cases.caseUuid, caseAlerts.caseUuid))
    .leftJoin(playbooks, eq(playbooks.playbookUuid, alerts.playbookUuid))
    .$dynamic();
}

function inAlertScope({ organizationUuid, createdBy }: AlertScope): SQL | undefined {
  return and(inOrganization(alerts.organizationUuid, organizationUuid), createdBy === null ? undefined : eq(alerts.createdBy, createdBy));
}

export async function findAlert(db: Db, scope: AlertScope, alertId: string): Promise<AlertListItem | null> {
  const [found] = await alertQuery(db).where(and(eq(alerts.alertId, alertId), inAlertScope(scope)));
  return found ?? null;
}

export async function readPlaybookReason(db: Db, alertUuid: string): Promise<string | null> {
  const [row] = await db.select({ reason: alerts.playbookReason }).from(alerts).where(eq(alerts.alertUuid, alertUuid));
  return row?.reason ?? null;
}

export async function listAlertEntities(db: Db, alertUuid: string): Promise<Entity[]> {
  const rows = await db
    .select({ kind: alertEntities.kind, value: alertEntities.value, role: alertEntities.role })
    .from(alertEntities)
    .where(eq(alertEntities.alertUuid, alertUuid))
    .orderBy(alertEntities.kind, alertEntities.value);
  return rows.map(({ kind, value, role }) => ({ kind, value, ...(role === null ? {} : { role }) }));
}

/** Each entity of these alerts once. */
export async function listEntitiesForAlerts(db: Db, alertIds: readonly string[]): Promise<Entity[]> {
  return db
    .selectDistinct({ kind: alertEntities.kind, value: alertEntities.value })
    .from(alertEntities)
    .innerJoin(alerts, eq(alerts.alertUuid, alertEntities.alertUuid))
    .where(inArray(alerts.alertId, [...alertIds]))
    .orderBy(alertEntities.kind, alertEntities.value)
    .limit(MAX_ENTITIES);
}

/** null: the key is the order. */
const SORT_COLUMNS: Readonly<Record<'created_at' | 'completed_at' | 'alert_type' | 'status', SortColumn | null>> = {
  created_at: null,
  completed_at: { column: alerts.completedAt, toText: timeToText(alerts.completedAt), fromText: timeFromText },
  alert_type: { column: alerts.alertTypeKey, toText: sql<string>`${alerts.alertTypeKey}`, fromText: (text) => sql`${text}` },
  status: {
    column: alerts.investigationStatus,
    toText: sql<string>`${alerts.investigationStatus}::text`,
    fromText: (text) => sql`${text}::int2`,
  },
};

/**
 * Names become ids first, so that each filter is an indexed column. The contents are read for a page of bounded size. Sorted by
 * completion, the list has only completed alerts.
 */
export async function listAlerts(
  db: Db,
  scope: AlertScope,
  filters: AlertFilters,
  page: PageRequest,
  sort: AlertSort = NEWEST_ALERTS,
): Promise<Page<AlertListItem>> {
  const { column: name, isDescending } = readSort<keyof typeof SORT_COLUMNS>(sort);
  const sortColumn = SORT_COLUMNS[name];
  const [organizationUuid, providerUuid] = await Promise.all([
    resolveAlertId(db, organizations, organizations.organizationUuid, organizations.organizationCode, filters.organizationCode),
    resolveAlertId(db, providers, providers.providerUuid, providers.name, filters.provider),
  ]);
  if (organizationUuid === null || providerUuid === null) return { items: [], next: null };
  const readKeys = (matches?: SQL) =>
    db
      .select({
        alertUuid: alerts.alertUuid,
        bytes: sql<number>`octet_length(${alerts.alertContent})`,
        value: sortColumn?.toText ?? sql<null>`null`,
      })
      .from(alerts)
      .where(
        and(
          inAlertScope(scope),
          organizationUuid === undefined ? undefined : eq(alerts.organizationUuid, organizationUuid),
          providerUuid === undefined ? undefined : eq(alerts.providerUuid, providerUuid),
          filters.status === undefined ? undefined : eq(alerts.investigationStatus, filters.status),
          filters.alertType === undefined ? undefined : eq(alerts.alertTypeKey, alertTypeKey(filters.alertType)),
          filters.createdFrom === undefined ? undefined : gte(alerts.alertUuid, uuidFloor(filters.createdFrom)),
          filters.createdBefore === undefined ? undefined : lt(alerts.alertUuid, uuidFloor(filters.createdBefore)),
          matches,
          name === 'completed_at' ? isNotNull(alerts.completedAt) : undefined,
          page.after === null ? undefined : isAfterPosition(sortColumn, alerts.alertUuid, isDescending, page.after),
        ),
      )
      .orderBy(...orderRows(sortColumn, alerts.alertUuid, isDescending))
      .limit(page.limit + 1);
  const readWithText = async (text: string) => {
    if (await isAlertId(db, scope, text)) return readKeys(eq(alerts.alertId, text));
    const words = { search: text, organizationUuid: organizationUuid ?? scope.organizationUuid };
    if (sort !== NEWEST_ALERTS) return readKeys(await matchWords(db, alerts.alertUuid, words));
    return readNewestWithWords(db, { ...words, alertUuid: alerts.alertUuid, before: page.after, limit: page.limit + 1 }, readKeys);
  };
  const found = await (filters.text === undefined ? readKeys() : readWithText(filters.text));
  const { items: keys, next } = toPage(found, limitBytes(found, page), ({ alertUuid, value }) => writePosition(alertUuid, value));
  const uuids = keys.map(({ alertUuid }) => alertUuid);
  const read = await alertQuery(db).where(inArray(alerts.alertUuid, uuids));
  const byUuid = new Map(read.map((alert) => [alert.alert_uuid, alert]));
  return { items: uuids.flatMap((uuid) => byUuid.get(uuid) ?? []), next };
}

const ALERT_ID = /^.+-[A-Z0-9_]+-\d+$/;

/** `CVE-2024-3400` looks like the id of an alert too. An alert that the caller cannot see must not change the result. */
async function isAlertId(db: Db, scope: AlertScope, text: string): Promise<boolean> {
  return ALERT_ID.test(text) && (await db.$count(alerts, and(eq(alerts.alertId, text), inAlertScope(scope)))) > 0;
}

async function resolveAlertId(
  db: Db,
  table: typeof organizations | typeof providers,
  id: typeof organizations.organizationUuid | typeof providers.providerUuid,
  nameColumn: typeof organizations.organizationCode | typeof providers.name,
  name: string | undefined,
): Promise<string | undefined | null> {
  if (name === undefined) return undefined;
  const [found] = await db.select({ id }).from(table).where(eq(nameColumn, name));
  return found?.id ?? null;
}
