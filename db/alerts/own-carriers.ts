import { sql } from 'drizzle-orm';
import type { EntityKind } from '../../domain/entity/entity.js';
import type { RecordConclusion } from '../../domain/record/record.js';
import { executePrepared, type Queries } from '../client.js';
import { uuidFloor } from '../ids.js';

const DAY_SECONDS = 24 * 3600;
const MAX_DAYS_BACK = 30;
/** Of a frequent value, the newest days with it are read, and a few alerts of each: some show what all would. */
const MAX_DAYS = 8;
const MAX_ALERTS_OF_DAY = 8;
const MAX_CARRYING = 3000;
const MAX_NAMES_OF_ALERT = 20;

/** An alert of the organization with one of the values. */
export interface OwnCarrier {
  readonly alertId: string;
  readonly caseId: string | null;
  /** What a person concluded about the case. */
  readonly conclusion: RecordConclusion | null;
  /** Epoch seconds. */
  readonly at: number;
  readonly named: readonly string[];
  readonly names: readonly { readonly kind: EntityKind; readonly value: string }[];
}

/**
 * The organization's alerts of the days before an alert that contain one of the values, with the people and machines in them. Each value costs
 * a few short ranges of the index `alert_entities_by_value`, however many alerts contain it.
 */
export async function findOwnCarriers(
  pg: Queries,
  alertId: string,
  around: number,
  asked: readonly { readonly kind: EntityKind; readonly value: string }[],
): Promise<OwnCarrier[]> {
  if (asked.length === 0) return [];
  const today = Math.floor(around / DAY_SECONDS) * DAY_SECONDS;
  const oldest = sql`${uuidFloor(today - MAX_DAYS_BACK * DAY_SECONDS)}::uuid`;
  return executePrepared<OwnCarrier>(
    pg,
    sql`
    with recursive owner as (
      select organization_uuid from alerts where alert_id = ${alertId}
    ), asked as (
      select organization_uuid, kind, value, md5(value)::uuid as digest
      from owner, json_to_recordset(${JSON.stringify(asked)}::text::json) as asked (kind text, value text)
    ), days as (
      select asked.*, ${uuidFloor(today)}::uuid as until, null::uuid as since, 0 as place from asked
      union all
      select days.organization_uuid, days.kind, days.value, days.digest, coalesce(days.since, days.until), newest.since, place + 1
      from days cross join lateral (
        select rpad(lpad(to_hex((extract(epoch from date_trunc('day', uuid_extract_timestamp(alert_uuid), 'utc')) * 1000)::bigint), 12, '0'), 32, '0')::uuid as since
        from alert_entities
        where alert_entities.organization_uuid = days.organization_uuid and alert_entities.kind = days.kind and alert_entities.digest = days.digest
          and alert_uuid < coalesce(days.since, days.until) and alert_uuid >= ${oldest}
        order by alert_uuid desc limit 1
      ) as newest
      where place < ${MAX_DAYS}
    ), carrying as (
      select found.alert_uuid, array_agg(distinct days.value) as named
      from days cross join lateral (
        select alert_uuid from alert_entities
        where alert_entities.organization_uuid = days.organization_uuid and alert_entities.kind = days.kind and alert_entities.digest = days.digest
          and alert_uuid >= days.since and alert_uuid < days.until
        order by alert_uuid desc limit ${MAX_ALERTS_OF_DAY}
      ) as found
      where days.since is not null
      group by found.alert_uuid limit ${MAX_CARRYING}
    )
    select alerts.alert_id as "alertId", case_id as "caseId", extract(epoch from alerts.created_at)::float8 as at, named, names.names,
      case analyst_verdict when 'malicious' then 'malicious' when 'benign' then 'benign' end as conclusion
    from carrying join alerts using (alert_uuid) left join case_alerts using (alert_uuid) left join cases on cases.case_uuid = case_alerts.case_uuid
      cross join lateral (
        select coalesce(json_agg(json_build_object('kind', kind, 'value', value)), '[]') as names from (
          select kind, value from alert_entities
          where alert_entities.alert_uuid = carrying.alert_uuid and kind in ('host', 'user', 'email', 'machine-id')
            and coalesce(role, '') not in ('sender', 'reporter')
          order by kind, value limit ${MAX_NAMES_OF_ALERT}
        ) as named_entities
      ) as names`,
  );
}
