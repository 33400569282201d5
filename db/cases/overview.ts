import { InvestigationStatus } from '../../domain/alert/alert.js';
import type { Overview } from '../../domain/case/overview.js';
import { EXPIRY_WARNING_DAYS } from '../../domain/connection/secret-expiry.js';
import type { PgClient } from '../client.js';
import { uuidFloor } from '../ids.js';
import { readSlaFigures } from '../sla/figures.js';

const { Created, Submitted, InProgress, Completed, Failed } = InvestigationStatus;
const MAX_COUNTED = 10_000;
/** The number of newest investigations for the time to verdict. */
const MAX_TIMED = 1_000;
const CONNECTIONS_LISTED = 50;
const HOUR_SECONDS = 3_600;

/** Reads only the index range of the window, not the history before it. */
export async function readOverview(pg: PgClient, scope: string | null, hours: number): Promise<Overview> {
  const now = Math.floor(Date.now() / 1000);
  const bucketSeconds = hours <= 48 ? HOUR_SECONDS : 24 * HOUR_SECONDS;
  const since = Math.floor((now - hours * HOUR_SECONDS) / bucketSeconds + 1) * bucketSeconds;
  const floor = uuidFloor(since);
  const ours = scope === null ? pg`true` : pg`organization_uuid = ${scope}`;
  const [buckets, [time], verdicts, [cases], [proposals], [runs], connections, expiring, sla] = await Promise.all([
    pg<{ at: number; status: number; count: number }[]>`
      select (floor(extract(epoch from created_at) / ${bucketSeconds}) * ${bucketSeconds})::float8 as at,
        investigation_status as status, count(*)::int as count
      from alerts where alert_uuid >= ${floor}::uuid and ${ours} group by 1, 2`,
    pg<{ p50: number | null; p95: number | null; count: number }[]>`
      select percentile_cont(0.5) within group (order by took) as p50, percentile_cont(0.95) within group (order by took) as p95, count(*)::int as count
      from (
        select extract(epoch from completed_at - created_at)::float8 as took from alerts
        where alert_uuid >= ${floor}::uuid and investigation_status = ${Completed} and ${ours}
        order by alert_uuid desc limit ${MAX_TIMED}
      ) as newest`,
    pg<Overview['verdicts']>`
      select verdict, count(*)::int as cases from cases
      where case_uuid >= ${floor}::uuid and verdict is not null and ${ours} group by verdict order by verdict`,
    pg<{ open: number; unassigned: number }[]>`
      select count(*)::int as open, count(*) filter (where assignee is null)::int as unassigned
      from (select assignee from cases where status = 'open' and ${ours} limit ${MAX_COUNTED}) as open`,
    pg<{ count: number }[]>`
      select count(*)::int as count from (select 1 from proposals where state = 'waiting' and ended_at is null and alert_uuid is not null and ${ours} limit ${MAX_COUNTED}) as waiting`,
    pg<{ count: number }[]>`
      select count(*)::int as count from (select 1 from proposals where state = 'waiting' and ended_at is null and alert_uuid is null and ${ours} limit ${MAX_COUNTED}) as waiting`,
    pg<Overview['connections']>`
      select connection_uuid as connection_id, organization_code, connector_kind as connector, instance_name, state, state_reason as reason,
        (select count(*)::int from connection_waiters where connection_waiters.connection_uuid = connections.connection_uuid) as waiting
      from connections join organizations using (organization_uuid) where state = 'broken' and ${ours} order by state_since desc limit ${CONNECTIONS_LISTED}`,
    pg<Overview['expiring_secrets']>`
      select connection_uuid as connection_id, organization_code, connector_kind as connector, instance_name, secret_expires_on::text
      from connections join organizations using (organization_uuid)
      where secret_expires_on <= (now() at time zone 'utc')::date + ${EXPIRY_WARNING_DAYS}::int and ${ours}
      order by secret_expires_on, connection_uuid limit ${CONNECTIONS_LISTED}`,
    readSlaFigures(pg, scope, since),
  ]);
  return {
    since,
    bucket_seconds: bucketSeconds,
    alerts: bucketsFrom(since, now, bucketSeconds, buckets),
    counted_at: now,
    time_to_verdict:
      time?.p50 == null || time.p95 == null ? null : { p50_seconds: time.p50, p95_seconds: time.p95, investigations: time.count },
    verdicts: [...verdicts],
    open_cases: cases?.open ?? 0,
    unassigned_cases: cases?.unassigned ?? 0,
    proposals_waiting: proposals?.count ?? 0,
    skill_runs_waiting: runs?.count ?? 0,
    sla,
    connections: [...connections],
    expiring_secrets: [...expiring],
  };
}

/** Adds empty buckets for hours without alerts. */
function bucketsFrom(since: number, now: number, width: number, rows: readonly { at: number; status: number; count: number }[]) {
  const buckets: Overview['alerts'] = [];
  for (let at = since; at <= now; at += width) {
    const of = (wanted: number) => rows.find(({ at: bucket, status }) => bucket === at && status === wanted)?.count ?? 0;
    buckets.push({
      at,
      created: of(Created),
      submitted: of(Submitted),
      in_progress: of(InProgress),
      completed: of(Completed),
      failed: of(Failed),
    });
  }
  return buckets;
}
