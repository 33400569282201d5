import { z } from 'zod';
import { ALERT_TYPE_MAX_LENGTH, AlertListItem, Int64 } from '../../domain/alert/alert.js';
import { Waiting } from '../../domain/connection/connection.js';
import { Entity } from '../../domain/entity/entity.js';
import { OwnEntity } from '../../domain/organization/knowledge.js';
import { SkillKeyText } from '../../domain/skill-key.js';
import { storable, text } from '../../domain/text.js';

export const CreateAlert = z.strictObject({
  alert_content: text(1024 * 1024).describe('Body of the alert.'),
  alert_provider: storable(64).describe('The system that sent the alert; `GET /platformapi/providers` lists them.'),
  organization_code: storable(32).describe('The organization the alert belongs to; `GET /platformapi/organizations` lists them.'),
  alert_type: text(ALERT_TYPE_MAX_LENGTH).describe('Type or category of the alert; decides which playbook investigates it.'),
  created_at_source: Int64.nullish().describe('When the source created the alert, Unix epoch seconds.'),
});
export type CreateAlert = z.infer<typeof CreateAlert>;

export const AnsweredQuestion = z.object({
  result_id: z.uuid().describe('The full answer: `GET /platformapi/skill-results/{result_id}`.'),
  skill_id: z.string(),
  skill_key: SkillKeyText,
  connection: z.string().describe('The instance name of the connection.'),
  at: z.int(),
  duration_ms: z.int().nullable(),
  tries: z.int().describe('The number of tries until the answer.'),
});
export type AnsweredQuestion = z.infer<typeof AnsweredQuestion>;

const WaitsFor = z.enum(['answer', 'worker', 'retry', 'rate-limit', 'remote-agent', 'reconnect']);

/** A pending question to a third party, without its input and its errors' messages. */
export const QuestionUnderWay = z.object({
  skill_id: z.string(),
  skill_key: SkillKeyText,
  connection: z.string().nullable().describe('The instance name of the connection; null where it is not known.'),
  since: z.int(),
  attempt: z.int().describe('The first attempt is 1.'),
  waits_for: WaitsFor.describe(
    'answer: the third party has to answer; worker: no worker is free; retry: the last attempt failed; rate-limit: the connection is paused; remote-agent: the agent has to claim the step; reconnect: the connection is broken.',
  ),
  until: z.int().nullable().describe('The time when the step continues. For a reconnect: the time when the investigation stops waiting.'),
  problem: z.string().nullable().describe('The error code of the last attempt.'),
});
export type QuestionUnderWay = z.infer<typeof QuestionUnderWay>;

export const AlertDetail = AlertListItem.extend({
  playbook_reason: z.string().nullable().describe('Why this playbook investigates it; null for an alert of an older release.'),
  entities: z.array(Entity).describe('The entities found in the alert when its investigation began.'),
  own: z.array(OwnEntity).describe('The entities that belong to the organization, as far as it knows now.'),
  answers: z.array(AnsweredQuestion).describe('Answers of all its investigations, oldest first; the newest 200.'),
  waiting_on: z.array(Waiting).describe('The reasons why its investigation waits.'),
  under_way: z
    .array(QuestionUnderWay)
    .nullable()
    .describe('The pending questions of its investigation, oldest first; null where Temporal does not answer.'),
});
export type AlertDetail = z.infer<typeof AlertDetail>;

export const InvestigateAgain = z
  .strictObject({
    from_step: text(100).describe('A step in the evidence of the newest investigation. Answers from earlier steps are reused.'),
    reuse: z.literal(true).describe('Reuse all answers and ask only the questions without one.'),
  })
  .partial()
  .refine(({ from_step, reuse }) => from_step === undefined || reuse === undefined, 'send either from_step or reuse, not both');
export type InvestigateAgain = z.infer<typeof InvestigateAgain>;
