import { z } from 'zod';
import { clip } from '../text.js';
import { Severity, Verdict } from '../verdict/evidence.js';

export const InvestigationStatus = {
  Created: 0,
  Submitted: 5,
  InProgress: 10,
  Completed: 15,
  Failed: 20,
} as const;
export type InvestigationStatus = (typeof InvestigationStatus)[keyof typeof InvestigationStatus];
export type InvestigationStatusName = keyof typeof InvestigationStatus;

export function findStatusName(status: InvestigationStatus): string {
  return Object.entries(InvestigationStatus).find(([, code]) => code === status)?.[0] ?? String(status);
}

/** Every update of a status in `db/investigations/lifecycle.ts` names one of these causes. */
export type TransitionCause =
  | 'dispatch'
  | 'begin'
  | 'conclude'
  | 'fail'
  | 'reinvestigate'
  | 'refuse'
  | 'reconcile-requeue'
  | 'reconcile-fail';

const { Created, Submitted, InProgress, Completed, Failed } = InvestigationStatus;

/** All allowed changes of a status. A late or repeated write finds another status and changes nothing. */
export const TRANSITIONS = {
  /** Temporal accepted the workflow. */
  dispatch: { from: [Created], to: Submitted },
  /** The workflow runs; a retry begins again from InProgress. */
  begin: { from: [Created, Submitted, InProgress], to: InProgress },
  conclude: { from: [InProgress], to: Completed },
  /** No attempts are left. */
  fail: { from: [InProgress], to: Failed },
  /** A person or a follow-up requests another investigation. */
  reinvestigate: { from: [Completed, Failed], to: Submitted },
  /** Temporal permanently refuses the start. */
  refuse: { from: [Created, Submitted], to: Failed },
  /** The workflow is lost: the alert waits for a new one. */
  'reconcile-requeue': { from: [Created, Submitted, InProgress], to: Submitted },
  /** The workflow is lost and is not started again. */
  'reconcile-fail': { from: [Created, Submitted, InProgress], to: Failed },
} as const satisfies Record<TransitionCause, { from: readonly InvestigationStatus[]; to: InvestigationStatus }>;

/** `override` is the form in the OpenAPI document. */
export const StatusCode = z
  .union([z.literal(0), z.literal(5), z.literal(10), z.literal(15), z.literal(20)])
  .meta({ override: { type: 'integer', enum: Object.values(InvestigationStatus) } })
  .describe('0 Created, 5 Submitted, 10 InProgress, 15 Completed, 20 Failed');

export const ALERT_TYPE_MAX_LENGTH = 200;

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** A number where it is exact, otherwise a bigint. Both are plain JSON numbers on the wire. */
export const Int64 = z
  .union([z.int(), z.bigint().min(INT64_MIN).max(INT64_MAX)], { error: 'must be an integer that fits 64 bits' })
  .meta({ override: { type: 'integer', format: 'int64' } });
export type Int64 = z.infer<typeof Int64>;

export const Alert = z.object({
  alert_content: z.string(),
  alert_id: z.string().describe('`<org code>-<PROVIDER>-<sequence number>`'),
  alert_provider: z.string(),
  alert_type: z.string(),
  alert_uuid: z.uuid(),
  created_at: z.int(),
  created_at_source: Int64.nullable(),
  created_by: z.uuid().describe('The principal (API key) that created the alert.'),
  investigation_retry_count: z.int(),
  investigation_status: StatusCode,
  modified_at: z.int(),
  organization_code: z.string(),
  organization_uuid: z.uuid(),
});
export type Alert = z.infer<typeof Alert>;

export const AlertListItem = Alert.extend({
  case_id: z.string().nullable(),
  verdict: Verdict.nullable().describe('The verdict of its case; null until the investigation ends, and for a sender.'),
  severity: Severity.nullable().describe('The severity of its case; null until the investigation ends, and for a sender.'),
  playbook: z.string().nullable().describe('The playbook that investigates this alert.'),
  completed_at: z.int().nullable(),
});
export type AlertListItem = z.infer<typeof AlertListItem>;

/** Different spellings of an alert type share one key, and so one playbook. */
export function alertTypeKey(alertType: string): string {
  // Normalising can lengthen the text; the key has to fit an index entry.
  return clip(alertType.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase(), 500);
}
