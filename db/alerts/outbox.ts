import { InvestigationStatus, type InvestigationStatusName, TRANSITIONS } from '../../domain/alert/alert.js';
import { ORDINARY_PRIORITY as ORDINARY, SEVERITIES_DESCENDING } from '../../domain/verdict/priority.js';
import type { PgClient } from '../client.js';
import { readTimestampMs, uuidFloor } from '../ids.js';

/** Wakes every dispatcher. A lost notification costs one poll interval. */
export const OUTBOX_CHANNEL = 'alerts_ready';

/** An alert that Temporal has not accepted yet, leased to one dispatcher. */
export interface OutboxAlert {
  readonly alertUuid: string;
  readonly alertId: string;
  readonly alertType: string;
  readonly alertTypeKey: string;
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly provider: string;
  readonly investigationNo: number;
  readonly createdAt: number;
}

/** The number of investigations that may start now for each organization; the rest waits in the outbox. */
export interface DispatchAllowance {
  readonly byOrganization: ReadonlyMap<string, number>;
  readonly forOthers: number;
}

/** An organization that sent an alert within this time limits the share of the others. */
const ACTIVE_WITHIN_SECONDS = 60;
/** A severe alert may overtake this many earlier alerts. */
const MAX_OVERTAKEN = 100;
const NO_LIMIT: DispatchAllowance = { byOrganization: new Map(), forOthers: MAX_OVERTAKEN };

/**
 * Leases up to `limit` alerts, round-robin between organizations; within an organization severe alerts first, then the oldest.
 * The lease expires, so that another dispatcher takes over the alerts of one that dies.
 */
export async function leaseOutbox(
  pg: PgClient,
  { limit, leaseSeconds, allowance = NO_LIMIT }: { limit: number; leaseSeconds: number; allowance?: DispatchAllowance },
): Promise<OutboxAlert[]> {
  return pg<OutboxAlert[]>`
    with ranks as (
      select types.organization_uuid, alert_type_key, array_position(${[...SEVERITIES_DESCENDING]}::text[], severity) as rank
      from playbook_alert_types as types join playbooks using (playbook_uuid) where severity is not null
    ), queue as (
      select waiting.alert_uuid, waiting.turn, organizations.organization_uuid
      from organizations
        left join unnest(${[...allowance.byOrganization.keys()]}::uuid[], ${[...allowance.byOrganization.values()]}::int[]) as busy (organization_uuid, allowance)
          on busy.organization_uuid = organizations.organization_uuid
        cross join lateral (
          select alert_uuid, row_number() over (order by coalesce(written.rank, made.rank, ${ORDINARY}), alert_uuid) as turn
          from (
            select alert_uuid, alert_type_key from alerts
            where organization_uuid = organizations.organization_uuid and dispatched_no < investigation_no
              and (lease_until is null or lease_until < now())
            order by alert_uuid limit ${MAX_OVERTAKEN}
          ) as oldest
            left join ranks as written on written.organization_uuid is null and written.alert_type_key = oldest.alert_type_key
            left join ranks as made
              on made.organization_uuid = organizations.organization_uuid and made.alert_type_key = oldest.alert_type_key
        ) as waiting
      where waiting.turn <= coalesce(busy.allowance, ${allowance.forOthers})
      order by turn, waiting.alert_uuid limit ${limit}
    ), leased as (
      select alert_uuid from alerts
      where alert_uuid in (select alert_uuid from queue) and dispatched_no < investigation_no
        and (lease_until is null or lease_until < now())
      for update skip locked
    ), taken as (
      update alerts set lease_until = now() + make_interval(secs => ${leaseSeconds})
      where alert_uuid in (select alert_uuid from leased)
      returning *
    )
    select taken.alert_uuid as "alertUuid", taken.alert_id as "alertId", taken.alert_type as "alertType",
      taken.alert_type_key as "alertTypeKey", taken.organization_uuid as "organizationUuid",
      organizations.organization_code as "organizationCode", providers.name as provider,
      taken.investigation_no as "investigationNo", extract(epoch from taken.created_at)::float8 as "createdAt"
    from taken join queue using (alert_uuid)
      join organizations on organizations.organization_uuid = taken.organization_uuid
      join providers on providers.provider_uuid = taken.provider_uuid
    order by queue.turn, taken.alert_uuid`;
}

/** Whether more than one organization sends alerts, so that each gets a limited share. */
export async function isShared(pg: PgClient): Promise<boolean> {
  const activeSince = uuidFloor(Date.now() / 1000 - ACTIVE_WITHIN_SECONDS);
  const active = await pg`
    select from organizations
    where exists (select from alerts where organization_uuid = organizations.organization_uuid and alert_uuid > ${activeSince}) limit 2`;
  return active.length > 1;
}

/** Whether these investigations have ended, and when they opened their case. */
export async function readProgress(
  pg: PgClient,
  alertUuids: readonly string[],
): Promise<Map<string, { hasEnded: boolean; begunAtMs: number | null }>> {
  if (alertUuids.length === 0) return new Map();
  const rows = await pg<{ alertUuid: string; hasEnded: boolean; caseUuid: string | null }[]>`
    select alert_uuid as "alertUuid", investigation_status >= ${InvestigationStatus.Completed} as "hasEnded", case_uuid as "caseUuid"
    from alerts left join case_alerts using (alert_uuid) where alert_uuid = any(${[...alertUuids]}::uuid[])`;
  return new Map(
    rows.map(({ alertUuid, hasEnded, caseUuid }) => [
      alertUuid,
      { hasEnded, begunAtMs: caseUuid === null ? null : readTimestampMs(caseUuid) },
    ]),
  );
}

/** Whether an alert waits that no dispatcher has leased. */
export async function hasWaitingAlerts(pg: PgClient): Promise<boolean> {
  const [row] = await pg<{ waits: boolean }[]>`
    select exists (select from alerts where dispatched_no < investigation_no and (lease_until is null or lease_until < now())) as waits`;
  return row?.waits ?? false;
}

interface Accepted {
  readonly alertUuid: string;
  readonly investigationNo: number;
  readonly playbookUuid: string;
  readonly playbookReason: string;
}

/** Status 0 → 5, unless the investigation has begun or a newer one was requested. */
export async function markDispatched(pg: PgClient, accepted: readonly Accepted[]): Promise<void> {
  const { from, to } = TRANSITIONS.dispatch;
  await pg`
    update alerts set
      dispatched_no = given.investigation_no,
      lease_until = null,
      playbook_uuid = given.playbook_uuid,
      playbook_reason = given.playbook_reason,
      modified_at = case when investigation_status = any(${[...from]}::int[]) then now() else modified_at end,
      investigation_status = case when investigation_status = any(${[...from]}::int[]) then ${to} else investigation_status end
    from (
      select * from unnest(
        ${accepted.map((each) => each.alertUuid)}::uuid[],
        ${accepted.map((each) => each.investigationNo)}::int[],
        ${accepted.map((each) => each.playbookUuid)}::uuid[],
        ${accepted.map((each) => each.playbookReason)}::text[]
      ) as given (alert_uuid, investigation_no, playbook_uuid, playbook_reason) order by alert_uuid
    ) as given
    where alerts.alert_uuid = given.alert_uuid and alerts.investigation_no = given.investigation_no`;
}

/** A header is at the start of a content, and the dispatcher has little time for each alert. */
const CONTENT_START_CHARACTERS = 16_384;

export async function readContentStart(pg: PgClient, alertUuid: string): Promise<string> {
  const [row] = await pg<{ start: string }[]>`
    select left(alert_content, ${CONTENT_START_CHARACTERS}) as start from alerts where alert_uuid = ${alertUuid}`;
  return row?.start ?? '';
}

/** Any dispatcher may try these alerts again after the delay. */
export async function releaseLeases(pg: PgClient, alertUuids: readonly string[], delaySeconds: number): Promise<void> {
  await pg`
    update alerts set lease_until = now() + make_interval(secs => ${delaySeconds})
    where alert_uuid = any(${[...alertUuids]}::uuid[]) and dispatched_no < investigation_no`;
}

const MAX_COUNTED = 10_000;

/** The size and age of the outbox; the count has a cap, so that a large backlog stays cheap. */
export async function measureOutbox(pg: PgClient): Promise<{ waiting: number; oldestAgeSeconds: number }> {
  const [row] = await pg<{ waiting: number; oldest: number | null }[]>`
    select count(*)::int as waiting, min(extract(epoch from created_at))::float8 as oldest
    from (select created_at from alerts where dispatched_no < investigation_no limit ${MAX_COUNTED}) as waiting`;
  return { waiting: row?.waiting ?? 0, oldestAgeSeconds: row?.oldest ? Math.max(0, Date.now() / 1000 - row.oldest) : 0 };
}

/** Unfinished alerts by status, each counted up to the same cap. */
export async function countUnfinished(pg: PgClient): Promise<{ status: InvestigationStatusName; count: number }[]> {
  const unfinished = ['Created', 'Submitted', 'InProgress'] as const;
  const counts = await Promise.all(
    unfinished.map(
      (name) => pg<{ count: number }[]>`
        select count(*)::int as count
        from (select 1 from alerts where investigation_status = ${InvestigationStatus[name]} limit ${MAX_COUNTED}) as unfinished`,
    ),
  );
  return unfinished.map((status, index) => ({ status, count: counts[index]?.[0]?.count ?? 0 }));
}
