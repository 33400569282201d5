import { InvestigationStatus } from '../../domain/alert/alert.js';
import type { PgClient } from '../client.js';

/** An alert that Temporal accepted and that has not ended. Only Temporal knows whether its workflow still runs. */
export interface UnfinishedAlert {
  readonly alertUuid: string;
  readonly alertId: string;
  readonly status: number;
  readonly investigationNo: number;
  readonly requeueCount: number;
}

/** Null if the alert has no investigation that Temporal accepted and that has not ended. */
export async function findUnfinished(pg: PgClient, alertId: string): Promise<UnfinishedAlert | null> {
  const { Created, Submitted, InProgress } = InvestigationStatus;
  const [found] = await pg<UnfinishedAlert[]>`
    select alert_uuid as "alertUuid", alert_id as "alertId", investigation_status as status, investigation_no as "investigationNo",
      requeue_count as "requeueCount"
    from alerts where alert_id = ${alertId} and investigation_status = any(${[Created, Submitted, InProgress]}::int[])`;
  return found ?? null;
}

/** In the order of the key, so that many long-running investigations do not hide a lost one. */
export async function listUnfinished(
  pg: PgClient,
  options: { untouchedForSeconds: number; after: string | null; limit: number },
): Promise<UnfinishedAlert[]> {
  const { Created, Submitted, InProgress } = InvestigationStatus;
  return pg<UnfinishedAlert[]>`
    select alert_uuid as "alertUuid", alert_id as "alertId", investigation_status as status, investigation_no as "investigationNo",
      requeue_count as "requeueCount"
    from alerts
    where investigation_status = any(${[Created, Submitted, InProgress]}::int[])
      and dispatched_no = investigation_no
      and modified_at < now() - make_interval(secs => ${options.untouchedForSeconds})
      and (${options.after}::uuid is null or alert_uuid > ${options.after}::uuid)
    order by alert_uuid limit ${options.limit}`;
}
