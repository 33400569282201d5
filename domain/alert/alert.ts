import { z } from 'zod';
import { Waiting } from '../connection/connection.js';
import { clip, storable, text } from '../text.js';
import { Entity } from './entity.js';

export const InvestigationStatus = {
  Created: 0,
  Submitted: 5,
  InProgress: 10,
  Completed: 15,
  Failed: 20,
} as const;
export type InvestigationStatus = (typeof InvestigationStatus)[keyof typeof InvestigationStatus];
export type InvestigationStatusName = keyof typeof InvestigationStatus;

/** Who may move an alert; the updates in `db/lifecycle.ts` name themselves by one of these. */
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

/** Every way an alert may move. A late or repeated write finds its status elsewhere and changes nothing. */
export const TRANSITIONS = {
  /** Temporal has accepted the workflow. */
  dispatch: { from: [Created], to: Submitted },
  /** The workflow runs; a retried attempt begins again at InProgress. */
  begin: { from: [Created, Submitted, InProgress], to: InProgress },
  conclude: { from: [InProgress], to: Completed },
  /** Attempts are spent. */
  fail: { from: [InProgress], to: Failed },
  /** An operator asks for another investigation. */
  reinvestigate: { from: [Completed, Failed], to: Submitted },
  /** Temporal will never accept this start. */
  refuse: { from: [Created, Submitted], to: Failed },
  /** The workflow is gone: the alert waits for a new one. */
  'reconcile-requeue': { from: [Created, Submitted, InProgress], to: Submitted },
  /** The workflow is gone for good. */
  'reconcile-fail': { from: [Created, Submitted, InProgress], to: Failed },
} as const satisfies Record<TransitionCause, { from: readonly InvestigationStatus[]; to: InvestigationStatus }>;

/** The status as it travels; `override` is how documents write it. */
export const StatusCode = z
  .union([z.literal(0), z.literal(5), z.literal(10), z.literal(15), z.literal(20)])
  .meta({ override: { type: 'integer', enum: Object.values(InvestigationStatus) } })
  .describe('0 Created, 5 Submitted, 10 InProgress, 15 Completed, 20 Failed');

export const ALERT_TYPE_MAX_LENGTH = 200;

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** A number where JavaScript can hold it exactly, a bigint beyond that: both travel as plain JSON numbers. */
export const Int64 = z
  .union([z.int(), z.bigint().min(INT64_MIN).max(INT64_MAX)], { error: 'must be an integer that fits 64 bits' })
  .meta({ override: { type: 'integer', format: 'int64' } });
export type Int64 = z.infer<typeof Int64>;

export const CreateAlert = z.strictObject({
  alert_content: text(1024 * 1024).describe('Body of the alert.'),
  alert_provider: storable(64).describe('The system that sent the alert; `GET /platformapi/providers` lists them.'),
  organization_code: storable(32).describe('The organization the alert belongs to; `GET /platformapi/organizations` lists them.'),
  alert_type: text(ALERT_TYPE_MAX_LENGTH).describe('Type or category of the alert; decides which playbook investigates it.'),
  created_at_source: Int64.nullish().describe('When the source created the alert, Unix epoch seconds.'),
});
export type CreateAlert = z.infer<typeof CreateAlert>;

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
  playbook: z.string().nullable().describe('The investigator: the playbook chosen or made for this alert.'),
  completed_at: z.int().nullable(),
});
export type AlertListItem = z.infer<typeof AlertListItem>;

/** A question that was put to a third party for the alert. */
export const AnsweredQuestion = z.object({
  result_id: z.uuid().describe('Where the whole answer lies: `GET /platformapi/skill-results/{result_id}`.'),
  skill_id: z.string(),
  connection: z.string().describe('The instance name of the connection that was asked.'),
  at: z.int(),
  duration_ms: z.int().nullable(),
  tries: z.int().describe('How often it was asked until it was answered.'),
});
export type AnsweredQuestion = z.infer<typeof AnsweredQuestion>;

/** What keeps a question from being answered at once. */
const WaitsFor = z.enum(['answer', 'worker', 'retry', 'rate-limit', 'remote-agent', 'reconnect']);

/** A question that is being put to a third party now. Neither what is asked nor what was said is told here. */
export const QuestionUnderWay = z.object({
  skill_id: z.string(),
  connection: z.string().nullable().describe('The instance name of the connection that is asked; null where it is not known.'),
  since: z.int(),
  attempt: z.int().describe('1 for the first.'),
  waits_for: WaitsFor.describe(
    'answer: of the third party; worker: a free one; retry: it failed and is tried again; rate-limit: the third party asked to wait, or is given a rest; remote-agent: to come for it; reconnect: of the connection.',
  ),
  until: z.int().nullable().describe('When it goes on by itself, or is given up where it waits for a reconnect.'),
  problem: z.string().nullable().describe('The code of what the last attempt failed with.'),
});
export type QuestionUnderWay = z.infer<typeof QuestionUnderWay>;

export const AlertDetail = AlertListItem.extend({
  entities: z.array(Entity).describe('What the alert speaks of, found when its investigation began.'),
  answers: z.array(AnsweredQuestion).describe('As they come, oldest first; the newest 200, of all its investigations.'),
  waiting_on: z.array(Waiting).describe('What its investigation waits for.'),
  under_way: z
    .array(QuestionUnderWay)
    .nullable()
    .describe('What its investigation asks at this moment, oldest first; null where that cannot be told now.'),
});
export type AlertDetail = z.infer<typeof AlertDetail>;

/** Two spellings of one alert type are one type: they share a playbook. */
export function alertTypeKey(alertType: string): string {
  // Normalising can lengthen; the key has to fit an index entry.
  return clip(alertType.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase(), 500);
}
