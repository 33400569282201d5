import { type SQL, sql } from 'drizzle-orm';
import type { LinkedAlert } from '../../domain/case/case.js';
import type { Entity, EntityKind } from '../../domain/entity/entity.js';
import type { SharedEntity } from '../../domain/investigation/investigation.js';
import type { KnowledgeEntry, OwnEntity } from '../../domain/organization/knowledge.js';
import { listOwn } from '../../domain/organization/own-entities.js';
import { listOwnDomains, type OwnNameSource } from '../../domain/organization/suggestions.js';
import type { Db, Queries, Transaction } from '../client.js';
import { type Run, readSpellings, runOn, runOnPool } from '../entities/names.js';
import { uuidFloor } from '../ids.js';
import { readOwnNamesForAlerts } from '../organization/suggestions.js';

const MAX_COUNTED = 1_000;
const MAX_NAMED = 5;

/**
 * Earlier alerts of the organization that share an entity with this alert in any spelling, without entities that belong to the organization.
 * The rarest entity first. Each entity costs bounded index ranges, sorted as the index is: otherwise Postgres may read the whole table.
 */
export async function findSharedEntities(
  pg: Queries,
  question: { alertId: string; kinds: readonly EntityKind[]; sinceSeconds: number },
): Promise<SharedEntity[]> {
  const run = runOnPool(pg);
  const alertUuids = sql`select alert_uuid from alerts where alert_id = ${question.alertId}`;
  const { names, own } = await findNames(run, alertUuids);
  const since = uuidFloor(question.sinceSeconds);
  return pg<SharedEntity[]>`
    with spelled as (
      select * from json_to_recordset(${JSON.stringify(names)}::text::json)
        as spelled (kind text, value text, as_kind text, as_value text, spelled_kind text, spelled_value text)
    ), mine as (
      select distinct mine.alert_uuid, mine.organization_uuid, coalesce(as_kind, mine.kind) as kind, coalesce(as_value, mine.value) as value
      from alerts join alert_entities as mine using (alert_uuid) left join spelled on spelled.kind = mine.kind and spelled.value = mine.value
      where alerts.alert_id = ${question.alertId} and mine.kind = any(${[...question.kinds]}::text[])
    )
    select mine.kind, mine.value, counted.alerts as "alertCount", counted.alert_ids as "alertIds", of_window.alerts as "alertsOfWindow"
    from mine
      cross join lateral (
        select count(*)::int as alerts, array(
            select alerts_before.alert_id from unnest((array_agg(alert_uuid order by alert_uuid desc))[:${MAX_NAMED}]) with ordinality as newest (alert_uuid, place)
              join alerts as alerts_before using (alert_uuid) order by place
          ) as alert_ids
        from (
          select distinct alert_uuid from (
            select mine.kind, md5(mine.value)::uuid as digest
            union select spelled_kind, md5(spelled_value)::uuid from spelled where as_kind = mine.kind and as_value = mine.value
          ) as spelling cross join lateral (
            select theirs.alert_uuid from alert_entities as theirs
            where theirs.organization_uuid = mine.organization_uuid and theirs.kind = spelling.kind and theirs.digest = spelling.digest
              and theirs.alert_uuid < mine.alert_uuid and theirs.alert_uuid >= ${since}::uuid
            order by theirs.alert_uuid desc limit ${MAX_COUNTED}
          ) as theirs
          order by alert_uuid desc limit ${MAX_COUNTED}
        ) as earlier
      ) as counted
      cross join lateral (
        select count(*)::int as alerts from (
          select from alerts as alerts_before
          where alerts_before.organization_uuid = mine.organization_uuid
            and alerts_before.alert_uuid < mine.alert_uuid and alerts_before.alert_uuid >= ${since}::uuid
          order by alerts_before.alert_uuid desc limit ${MAX_COUNTED}
        ) as earlier
      ) as of_window
    where counted.alerts > 0
      and not exists (
        select from json_to_recordset(${JSON.stringify(own)}::text::json) as own (kind text, value text)
        where own.kind = mine.kind and own.value = mine.value
      )
    order by counted.alerts, mine.kind, mine.value`;
}

/** A spelling of an entity that has several, with the entity as an alert has it and with its canonical spelling. */
interface SpelledName {
  readonly kind: EntityKind;
  readonly value: string;
  readonly as_kind: EntityKind;
  readonly as_value: string;
  readonly spelled_kind: EntityKind;
  readonly spelled_value: string;
}

/**
 * The spellings of the entities of these alerts, all of one organization, and the entities that belong to it, in their canonical spelling.
 * `likely`: counts as known unless an admin rejected it.
 */
async function findNames(
  run: Run,
  alertUuids: SQL,
  likely: readonly KnowledgeEntry[] = [],
): Promise<{ names: SpelledName[]; own: OwnEntity[] }> {
  const [row] = await run<KnownAndFound>(sql`
    with entries as (
      select kind, value, is_rejected from organization_knowledge
      where organization_uuid = (select organization_uuid from alerts where alert_uuid = any(array(${alertUuids})) limit 1)
    ), known as (
      select kind, value from entries where not is_rejected
      union
      select kind, value from json_to_recordset(${JSON.stringify(likely)}::text::json) as likely (kind text, value text)
      where not exists (select from entries where entries.kind = likely.kind and entries.value = likely.value and is_rejected)
    )
    select (select coalesce(json_agg(known), '[]') from known) as knowledge,
      (select organization_uuid from alerts where alert_uuid = any(array(${alertUuids})) limit 1) as "organizationUuid",
      (select coalesce(json_agg(distinct jsonb_build_object('kind', kind, 'value', value)), '[]') from alert_entities
        where alert_uuid = any(array(${alertUuids})) and (kind in ('host', 'user', 'email') or exists (select from known))) as entities`);
  if (!row || row.organizationUuid === null) return { names: [], own: [] };
  const spellings = await readSpellings(run, row.organizationUuid, row.entities);
  const names = row.entities.flatMap((entity) => {
    const { canonical, spellings: all } = spellings.of(entity);
    if (all.length === 1) return [];
    return all.map((each) => ({
      ...entity,
      as_kind: canonical.kind,
      as_value: canonical.value,
      spelled_kind: each.kind,
      spelled_value: each.value,
    }));
  });
  const canonical = row.entities.map((entity) => spellings.of(entity).canonical);
  return { names, own: listOwn(canonical, row.knowledge) };
}

type KnownAndFound = { knowledge: KnowledgeEntry[]; organizationUuid: string | null; entities: Pick<Entity, 'kind' | 'value'>[] };

const LINKED_WITHIN_SECONDS = 30 * 24 * 3600;
/** A value that more alerts share does not relate two of them. */
const COMMON_FROM = 100;
const MAX_LINKED = 50;
const MAX_SHARES_NAMED = 20;

/**
 * Other alerts of the organization, near in time, that share an entity with one of these in any spelling. Entities that belong to the organization
 * do not count, except its single computers and people. So do the domains of the machines and people that its platforms answered. Each entity costs one short index range. An entity counts more the fewer
 * alerts contain it: the alerts with the most weight first, then newest first.
 */
export async function findLinkedAlerts(
  db: Db | Transaction,
  members: readonly { alertUuid: string; createdAt: number }[],
  ownNameSources: readonly OwnNameSource[],
): Promise<{ linked: LinkedAlert[]; count: number }> {
  if (members.length === 0) return { linked: [], count: 0 };
  const given = members.map(({ alertUuid, createdAt }) => ({
    alert_uuid: alertUuid,
    since: uuidFloor(createdAt - LINKED_WITHIN_SECONDS),
    before: uuidFloor(createdAt + LINKED_WITHIN_SECONDS),
  }));
  const alertUuids = sql`select alert_uuid from json_to_recordset(${JSON.stringify(given)}::text::json) as given (alert_uuid uuid)`;
  const ownNames = await readOwnNamesForAlerts(
    db,
    members.map(({ alertUuid }) => alertUuid),
    ownNameSources,
  );
  const { names, own: owned } = await findNames(runOn(db), alertUuids, listOwnDomains(ownNames));
  const own = owned.filter(({ individual }) => !individual);
  const rows = await db.execute<{ [Column in keyof LinkedAlert]: LinkedAlert[Column] } & { count: number }>(sql`
    with members as (
      select * from json_to_recordset(${JSON.stringify(given)}::text::json) as given (alert_uuid uuid, since uuid, before uuid)
    ), spelled as (
      select * from json_to_recordset(${JSON.stringify(names)}::text::json)
        as spelled (kind text, value text, as_kind text, as_value text, spelled_kind text, spelled_value text)
    ), mine as (
      select distinct members.*, mine.organization_uuid, coalesce(as_kind, mine.kind) as kind, coalesce(as_value, mine.value) as value
      from members join alert_entities as mine using (alert_uuid) left join spelled on spelled.kind = mine.kind and spelled.value = mine.value
    ), shared as (
      select theirs.alert_uuid, mine.kind, mine.value, min(carriers) as carriers
      from mine
        cross join lateral (
          select alert_uuid, count(*) over () as carriers
          from (
            select distinct alert_uuid from (
              select mine.kind, md5(mine.value)::uuid as digest
              union select spelled_kind, md5(spelled_value)::uuid from spelled where as_kind = mine.kind and as_value = mine.value
            ) as spelling cross join lateral (
              select carrying.alert_uuid from alert_entities as carrying
              where carrying.organization_uuid = mine.organization_uuid and carrying.kind = spelling.kind and carrying.digest = spelling.digest
                and carrying.alert_uuid >= mine.since and carrying.alert_uuid < mine.before
              limit ${COMMON_FROM + 1}
            ) as carrying
          ) as carriers
        ) as theirs
      where carriers <= ${COMMON_FROM} and theirs.alert_uuid not in (select alert_uuid from members)
        and not exists (
          select from json_to_recordset(${JSON.stringify(own)}::text::json) as own (kind text, value text)
          where own.kind = mine.kind and own.value = mine.value
        )
      group by theirs.alert_uuid, mine.kind, mine.value
    ), linked as (
      select alert_uuid, sum(1.0 / carriers) as weight, count(*) over ()::int as count,
        json_agg(json_build_object('kind', kind, 'value', value) order by carriers, kind, value) as shares
      from shared group by alert_uuid order by weight desc, alert_uuid desc limit ${MAX_LINKED}
    )
    select alert_id, alert_type, case_id, newest.verdict, shares, linked.count
    from linked join alerts using (alert_uuid) left join case_alerts using (alert_uuid) left join cases on cases.case_uuid = case_alerts.case_uuid
      left join lateral (
        select verdict from investigations
        where investigations.alert_uuid = linked.alert_uuid and ended_at is not null order by investigation_no desc limit 1
      ) as newest on true
    order by weight desc, linked.alert_uuid desc`);
  return {
    linked: rows.map(({ shares, count: _count, ...alert }) => ({ ...alert, shares: shares.slice(0, MAX_SHARES_NAMED) })),
    count: rows[0]?.count ?? 0,
  };
}
