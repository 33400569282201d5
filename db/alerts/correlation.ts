import { sql } from 'drizzle-orm';
import type { EntityKind } from '../../domain/alert/entity.js';
import type { LinkedAlert } from '../../domain/case/case.js';
import type { SharedEntity } from '../../domain/investigation/investigation.js';
import type { Db, PgClient } from '../client.js';
import { uuidFloor } from '../ids.js';

const COUNTED_AT_MOST = 100;
const NAMED_AT_MOST = 5;

/** Earlier alerts of the organization that share an entity with this alert. Each entity costs one index range. */
export async function findSharedEntities(
  pg: PgClient,
  question: { alertId: string; kinds: readonly EntityKind[]; sinceSeconds: number },
): Promise<SharedEntity[]> {
  return pg<SharedEntity[]>`
    select mine.kind, mine.value, count(*)::int as "alertCount",
      (array_agg(earlier.alert_id order by earlier.alert_uuid desc))[1:${pg.unsafe(String(NAMED_AT_MOST))}] as "alertIds"
    from alerts join alert_entities as mine using (alert_uuid)
      cross join lateral (
        select alerts_before.alert_id, alerts_before.alert_uuid
        from alert_entities as theirs join alerts as alerts_before on alerts_before.alert_uuid = theirs.alert_uuid
        where theirs.organization_uuid = mine.organization_uuid and theirs.kind = mine.kind and theirs.digest = mine.digest
          and theirs.alert_uuid < mine.alert_uuid and theirs.alert_uuid >= ${uuidFloor(question.sinceSeconds)}::uuid
        order by theirs.alert_uuid desc limit ${COUNTED_AT_MOST}
      ) as earlier
    where alerts.alert_id = ${question.alertId} and mine.kind = any(${[...question.kinds]}::text[])
    group by mine.kind, mine.value
    order by count(*) desc, mine.kind, mine.value`;
}

const LINKED_WITHIN_SECONDS = 30 * 24 * 3600;
/** A value that more alerts share does not relate two of them. */
const COMMON_FROM = 100;
const LINKED_AT_MOST = 50;
const SHARES_NAMED_AT_MOST = 20;

/**
 * Other alerts of the organization, near in time, that share an entity with one of these. Each entity costs one short index
 * range. Most shared entities first, then newest first.
 */
export async function findLinkedAlerts(db: Db, members: readonly { alertUuid: string; createdAt: number }[]): Promise<LinkedAlert[]> {
  if (members.length === 0) return [];
  const given = members.map(({ alertUuid, createdAt }) => ({
    alert_uuid: alertUuid,
    since: uuidFloor(createdAt - LINKED_WITHIN_SECONDS),
    before: uuidFloor(createdAt + LINKED_WITHIN_SECONDS),
  }));
  const rows = await db.execute<{ [Column in keyof LinkedAlert]: LinkedAlert[Column] }>(sql`
    with members as (
      select * from json_to_recordset(${JSON.stringify(given)}::text::json) as given (alert_uuid uuid, since uuid, before uuid)
    ), shared as (
      select distinct theirs.alert_uuid, mine.kind, mine.value
      from members join alert_entities as mine using (alert_uuid)
        cross join lateral (
          select alert_uuid, count(*) over () as carriers
          from (
            select alert_uuid from alert_entities as carrying
            where carrying.organization_uuid = mine.organization_uuid and carrying.kind = mine.kind and carrying.digest = mine.digest
              and carrying.alert_uuid >= members.since and carrying.alert_uuid < members.before
            limit ${COMMON_FROM + 1}
          ) as carriers
        ) as theirs
      where carriers <= ${COMMON_FROM} and theirs.alert_uuid not in (select alert_uuid from members)
    ), linked as (
      select alert_uuid, json_agg(json_build_object('kind', kind, 'value', value) order by kind, value) as shares
      from shared group by alert_uuid order by count(*) desc, alert_uuid desc limit ${LINKED_AT_MOST}
    )
    select alert_id, alert_type, case_id, newest.verdict, shares
    from linked join alerts using (alert_uuid) left join case_alerts using (alert_uuid) left join cases on cases.case_uuid = case_alerts.case_uuid
      left join lateral (
        select verdict from investigations
        where investigations.alert_uuid = linked.alert_uuid and ended_at is not null order by investigation_no desc limit 1
      ) as newest on true
    order by json_array_length(shares) desc, linked.alert_uuid desc`);
  return rows.map(({ shares, ...alert }) => ({ ...alert, shares: shares.slice(0, SHARES_NAMED_AT_MOST) }));
}
