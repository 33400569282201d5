import type { StandInAction } from '../../connectors/endpoint-detection/stand-in.js';
import type { PgClient } from '../../db/client.js';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { findRepeated, readComments } from '../load/performed-writes.js';

/** An alert that a sender knows to be accepted. */
export interface AcknowledgedAlert {
  readonly alertId: string;
  /** Unique for each alert that the load sends. */
  readonly content: string;
}

export interface StoredAlert extends AcknowledgedAlert {
  readonly status: number;
  readonly investigationNo: number;
  readonly openedCases: number;
  readonly inCases: number;
  /** How many times an investigation ended, by the timeline of the case. */
  readonly ends: number;
  readonly summary: string | null;
}

/** A write that the load requested. */
export interface RequestedWrite {
  /** Unique for each write. It is the beginning of the comment at the third party. */
  readonly comment: string;
  /** The API replied that the third party performed the write. */
  readonly isDone: boolean;
}

export interface Outcome {
  readonly alerts: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly open: readonly string[];
  readonly failed: readonly string[];
  readonly failedWithoutReason: readonly string[];
  readonly writes: number;
  readonly lostWrites: readonly string[];
  readonly doubledWrites: readonly string[];
}

const { Completed, Failed } = InvestigationStatus;

/** Each acknowledged alert must exist once, with one case, and have one end. Each write must be at the third party at most once. */
export function judgeOutcome(given: {
  readonly acknowledged: readonly AcknowledgedAlert[];
  readonly stored: readonly StoredAlert[];
  readonly requested: readonly RequestedWrite[];
  readonly performed: readonly Pick<StandInAction, 'requestorComment'>[];
}): Outcome {
  const { acknowledged, stored, requested } = given;
  const byId = new Map(stored.map((alert) => [alert.alertId, alert]));
  const open = stored.filter(({ status }) => status !== Completed && status !== Failed);
  const ended = stored.filter((alert) => !open.includes(alert));
  const failed = stored.filter(({ status }) => status === Failed);
  const performed = readComments(given.performed);
  return {
    alerts: acknowledged.length,
    lost: [
      ...acknowledged.filter(({ alertId, content }) => byId.get(alertId)?.content !== content),
      ...ended.filter(({ openedCases, inCases }) => openedCases === 0 || inCases === 0),
    ].map(({ alertId }) => alertId),
    doubled: [
      ...findRepeated(stored.map(({ content }) => content)),
      ...findRepeated(acknowledged.map(({ alertId }) => alertId)),
      ...stored
        .filter(({ openedCases, inCases, ends, investigationNo }) => openedCases > 1 || inCases > 1 || ends > investigationNo)
        .map(({ alertId }) => alertId),
    ],
    open: open.map(({ alertId }) => alertId),
    failed: failed.map(({ alertId }) => alertId),
    failedWithoutReason: failed.filter(({ summary }) => !summary).map(({ alertId }) => alertId),
    writes: requested.length,
    lostWrites: requested.filter(({ comment, isDone }) => isDone && !performed.includes(comment)).map(({ comment }) => comment),
    doubledWrites: findRepeated(performed),
  };
}

/** Reads the alerts of the load with this label. */
export async function readStoredAlerts(pg: PgClient, label: string): Promise<StoredAlert[]> {
  return await pg<StoredAlert[]>`
    select alert_id as "alertId", alert_content as content, investigation_status as status, investigation_no as "investigationNo",
      (select count(*)::int from cases where cases.alert_uuid = alerts.alert_uuid) as "openedCases",
      (select count(*)::int from case_alerts where case_alerts.alert_uuid = alerts.alert_uuid) as "inCases",
      (select count(*)::int from case_timeline join case_alerts using (case_uuid)
        where case_alerts.alert_uuid = alerts.alert_uuid and kind in ('concluded', 'failed')) as ends,
      (select summary from cases where cases.alert_uuid = alerts.alert_uuid limit 1) as summary
    from alerts where strpos(alert_content, ${`${label} alert `}) > 0`;
}
