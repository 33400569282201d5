import { type SQL, sql } from 'drizzle-orm';
import { CASE_TITLE_LENGTH } from '../../domain/case/case-title.js';
import { COUNTED_ALERTS, COUNTED_DAYS, type EntityAlert, type EntityDetail } from '../../domain/case/entity-page.js';
import { canonicalEntity } from '../../domain/entity/canonical.js';
import type { Entity } from '../../domain/entity/entity.js';
import { mayBeSame } from '../../domain/entity/names.js';
import type { Db } from '../client.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { listValuesOfName, readSpellings, runOn } from './names.js';

/** One entity of one organization, with all its spellings. */
export interface EntityRef {
  readonly organizationUuid: string;
  readonly canonical: Pick<Entity, 'kind' | 'value'>;
  readonly spellings: readonly Pick<Entity, 'kind' | 'value'>[];
}

/** The entity that a value of any spelling is. */
export async function findEntity(db: Db, organizationUuid: string, given: Pick<Entity, 'kind' | 'value'>): Promise<EntityRef> {
  const entity = canonicalEntity(given);
  const group = (await readSpellings(runOn(db), organizationUuid, [entity])).of(entity);
  const isStored = group.spellings.some(({ kind, value }) => kind === given.kind && value === given.value);
  // Alerts of earlier versions can have the spelling of their content.
  return { organizationUuid, canonical: group.canonical, spellings: isStored ? group.spellings : [...group.spellings, given] };
}

/**
 * A subquery with the newest alerts of the entity, each once, with its role. Each spelling costs one bounded range of the index
 * `alert_entities_by_value`.
 */
export function newestCarriers({ organizationUuid, spellings }: EntityRef, limit: number, before: string | null = null): SQL {
  const isOlder = before === null ? sql`` : sql`and alert_uuid < ${before}::uuid`;
  return sql`(
    select alert_uuid, max(role) as role from json_to_recordset(${JSON.stringify(spellings)}::text::json) as spelling (kind text, value text)
      cross join lateral (
        select alert_uuid, role from alert_entities
        where organization_uuid = ${organizationUuid} and kind = spelling.kind and digest = md5(spelling.value)::uuid ${isOlder}
        order by alert_uuid desc limit ${limit}
      ) as carrying
    group by alert_uuid order by alert_uuid desc limit ${limit})`;
}

/** The alerts that contain the entity, newest first. */
export async function listEntityAlerts(db: Db, entity: EntityRef, page: PageRequest): Promise<Page<EntityAlert>> {
  const carriers = newestCarriers(entity, page.limit + 1, page.after);
  const rows = await db.execute<{ [Name in keyof EntityAlert]: EntityAlert[Name] } & { key: string }>(sql`
    select newest.alert_uuid as key, alerts.alert_id, alert_type, extract(epoch from alerts.created_at)::int as created_at, investigation_status,
      newest.role, case_id, cases.status as case_status, cases.verdict, cases.severity,
      case when case_id is null then null else coalesce(nullif(cases.title, ''), left(alert_type, ${CASE_TITLE_LENGTH})) end as case_title
    from ${carriers} as newest join alerts using (alert_uuid) left join case_alerts using (alert_uuid)
      left join cases on cases.case_uuid = case_alerts.case_uuid
    order by newest.alert_uuid desc`);
  const { items, next } = toPage([...rows], page, ({ key }) => key);
  return { items: items.map(({ key: _, ...item }) => item), next };
}

type EntityCounts = Pick<EntityDetail, 'alert_count' | 'first_at' | 'last_at' | 'days'>;

/** The time of an alert is in its id, so the index answers alone. */
export async function countEntityAlerts(db: Db, entity: EntityRef): Promise<EntityCounts> {
  const at = sql`uuid_extract_timestamp(alert_uuid)`;
  const [row] = await db.execute<{ alert_count: number; first_at: number | null; last_at: number | null; days: EntityCounts['days'] }>(sql`
    with counted as (
      select ${at} as at from ${newestCarriers(entity, COUNTED_ALERTS)} as newest
    ), day as (
      select (now() at time zone 'utc')::date - n as day from generate_series(${COUNTED_DAYS - 1}::int, 0, -1) as n
    ), busy as (
      select (at at time zone 'utc')::date as day, count(*)::int as alerts from counted
      where at > now() - make_interval(days => ${COUNTED_DAYS + 1}) group by 1
    )
    select (select count(*)::int from counted) as alert_count,
      (select extract(epoch from min(at))::int from json_to_recordset(${JSON.stringify(entity.spellings)}::text::json) as spelling (kind text, value text)
        cross join lateral (
          select ${at} as at from alert_entities
          where organization_uuid = ${entity.organizationUuid} and kind = spelling.kind and digest = md5(spelling.value)::uuid
          order by alert_uuid limit 1
        ) as oldest) as first_at,
      (select extract(epoch from max(at))::int from counted) as last_at,
      (select json_agg(json_build_object('day', day.day, 'alerts', coalesce(busy.alerts, 0)) order by day.day)
        from day left join busy using (day)) as days`);
  return row ?? { alert_count: 0, first_at: null, last_at: null, days: [] };
}

const MAX_SPELLINGS = 20;

/** Other values of the organization: those that are the same entity, and those that may be, which nothing proves. */
export async function listOtherNames(
  db: Db,
  { organizationUuid, canonical, spellings }: EntityRef,
): Promise<Pick<EntityDetail, 'spellings' | 'similar'>> {
  const values = await listValuesOfName(runOn(db), organizationUuid, canonical);
  const isAmong = (entities: EntityRef['spellings'], { kind, value }: EntityRef['canonical']) =>
    entities.some((each) => each.kind === kind && each.value === value);
  const others = values.filter((each) => !isAmong([canonical], each));
  return {
    spellings: others.filter((each) => isAmong(spellings, each)).slice(0, MAX_SPELLINGS),
    similar: others.filter((each) => !isAmong(spellings, each) && mayBeSame(canonical, each)).slice(0, MAX_SPELLINGS),
  };
}
