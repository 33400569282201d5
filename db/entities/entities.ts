import { and, desc, eq, ilike, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { InvestigationStatus } from '../../domain/alert/alert.js';
import { CASE_TITLE_LENGTH } from '../../domain/case/case-title.js';
import {
  COUNTED_ALERTS,
  COUNTED_DAYS,
  type EntityAlert,
  type EntityDetail,
  isSpelling,
  sharedPart,
} from '../../domain/case/entity-page.js';
import type { Entity, EntityKind } from '../../domain/entity/entity.js';
import type { Db } from '../client.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { alertEntities, alerts, caseAlerts, cases, entityValues } from '../schema/index.js';
import { containing } from './containing.js';

/** One entity of one organization. */
export interface EntityRef extends Pick<Entity, 'kind' | 'value'> {
  readonly organizationUuid: string;
}

/** A range of the index `alert_entities_by_value`. */
export function isEntity({ organizationUuid, kind, value }: EntityRef): SQL | undefined {
  return and(
    eq(alertEntities.organizationUuid, organizationUuid),
    eq(alertEntities.kind, kind),
    eq(alertEntities.digest, sql`md5(${value}::text)::uuid`),
  );
}

/** The alerts that contain the entity, newest first. */
export async function listEntityAlerts(db: Db, entity: EntityRef, page: PageRequest): Promise<Page<EntityAlert>> {
  const rows = await db
    .select({
      key: alertEntities.alertUuid,
      alert_id: alerts.alertId,
      alert_type: alerts.alertType,
      created_at: alerts.createdAt,
      investigation_status: sql<InvestigationStatus>`${alerts.investigationStatus}`,
      role: alertEntities.role,
      case_id: cases.caseId,
      case_title: sql<
        string | null
      >`case when ${cases.caseId} is null then null else coalesce(nullif(${cases.title}, ''), left(${alerts.alertType}, ${CASE_TITLE_LENGTH})) end`,
      case_status: cases.status,
      verdict: cases.verdict,
      severity: cases.severity,
    })
    .from(alertEntities)
    .innerJoin(alerts, eq(alerts.alertUuid, alertEntities.alertUuid))
    .leftJoin(caseAlerts, eq(caseAlerts.alertUuid, alerts.alertUuid))
    .leftJoin(cases, eq(cases.caseUuid, caseAlerts.caseUuid))
    .where(and(isEntity(entity), page.after === null ? undefined : lt(alertEntities.alertUuid, page.after)))
    .orderBy(desc(alertEntities.alertUuid))
    .limit(page.limit + 1);
  const { items, next } = toPage(rows, page, ({ key }) => key);
  return { items: items.map(({ key: _, ...item }) => item), next };
}

type EntityCounts = Pick<EntityDetail, 'alert_count' | 'first_at' | 'last_at' | 'days'>;

/** The time of an alert is in its id, so the index answers alone. */
export async function countEntityAlerts(db: Db, entity: EntityRef): Promise<EntityCounts> {
  const at = sql`uuid_extract_timestamp(alert_uuid)`;
  const [row] = await db.execute<{ alert_count: number; first_at: number | null; last_at: number | null; days: EntityCounts['days'] }>(sql`
    with counted as (
      select ${at} as at from ${alertEntities} where ${isEntity(entity)} order by alert_uuid desc limit ${COUNTED_ALERTS}
    ), day as (
      select (now() at time zone 'utc')::date - n as day from generate_series(${COUNTED_DAYS - 1}::int, 0, -1) as n
    ), busy as (
      select (at at time zone 'utc')::date as day, count(*)::int as alerts from counted
      where at > now() - make_interval(days => ${COUNTED_DAYS + 1}) group by 1
    )
    select (select count(*)::int from counted) as alert_count,
      (select extract(epoch from ${at})::int from ${alertEntities} where ${isEntity(entity)} order by alert_uuid limit 1) as first_at,
      (select extract(epoch from max(at))::int from counted) as last_at,
      (select json_agg(json_build_object('day', day.day, 'alerts', coalesce(busy.alerts, 0)) order by day.day)
        from day left join busy using (day)) as days`);
  return row ?? { alert_count: 0, first_at: null, last_at: null, days: [] };
}

const MAX_SPELLINGS = 20;
/** A short name may be a part of many other values. */
const MAX_READ = 500;
const SHORTEST_PART = 3;
const NAMED_KINDS: readonly EntityKind[] = ['host', 'user', 'email'];

/** Other values for the same host or account. */
export async function listSpellings(db: Db, entity: EntityRef): Promise<Pick<Entity, 'kind' | 'value'>[]> {
  const part = sharedPart(entity);
  if (part === null || part.length < SHORTEST_PART) return [];
  const rows = await db
    .select({ kind: entityValues.kind, value: entityValues.value })
    .from(entityValues)
    .where(
      and(
        eq(entityValues.organizationUuid, entity.organizationUuid),
        inArray(entityValues.kind, [...NAMED_KINDS]),
        ilike(entityValues.value, containing(part)),
      ),
    )
    .limit(MAX_READ);
  return rows.filter((other) => isSpelling(entity, other)).slice(0, MAX_SPELLINGS);
}
