import { z } from 'zod';
import { StatusCode } from '../alert/alert.js';
import { EntityCard } from '../alert/entity-cards.js';
import { type Entity, EntityKind, EntityRole } from '../entity/entity.js';
import { SkillKeyText } from '../skill-key.js';
import { Severity, Verdict } from '../verdict/evidence.js';
import { CaseStatus } from './case.js';

/** More alerts than this are not counted: a value in so many alerts is common, and an exact number would not help. */
export const COUNTED_ALERTS = 10_000;
export const COUNTED_DAYS = 30;

const EntityName = z.object({ kind: EntityKind, value: z.string() });

/** A stored answer of a third party to a question about the entity. */
export const EntityAnswer = z.object({
  result_id: z.uuid().describe('The full answer: `GET /platformapi/skill-results/{result_id}`.'),
  alert_id: z.string(),
  connector: z.string(),
  connection: z.string().describe('The instance name of the connection.'),
  skill_id: z.string(),
  skill_key: SkillKeyText,
  at: z.int(),
});
export type EntityAnswer = z.infer<typeof EntityAnswer>;

/** A skill that a person can run on the entity. */
export const EntityAction = z.object({
  connector: z.string(),
  slug: z.string().describe('The name of the skill in a URL.'),
  skill_id: z.string(),
  skill_key: SkillKeyText,
  purpose: z.string(),
  effect: z.enum(['read', 'write']),
  input: z.record(z.string(), z.string()).describe('The fields of the input that the entity fills.'),
});
export type EntityAction = z.infer<typeof EntityAction>;

export const EntityDetail = EntityName.extend({
  organization_code: z.string(),
  own: z.string().nullable().describe('Why it belongs to the organization; null where the organization does not know it.'),
  protected: z.array(z.string()).describe('The protected assets that it is.'),
  alert_count: z.int().describe(`At most ${COUNTED_ALERTS}.`),
  first_at: z.int().nullable().describe('The oldest alert that contains it.'),
  last_at: z.int().nullable(),
  days: z
    .array(z.object({ day: z.iso.date(), alerts: z.int() }))
    .describe(`The alerts of each of the last ${COUNTED_DAYS} days (UTC), oldest first, among the newest ${COUNTED_ALERTS}.`),
  spellings: z
    .array(EntityName)
    .describe('Other values of the organization for the same host or account. The counts include them; at most 20.'),
  similar: z.array(EntityName).describe('Other values that may be the same host or account, which nothing proves; at most 20.'),
  cards: z.array(EntityCard).describe('What the stored answers say about it.'),
  answers: z.array(EntityAnswer).describe('Stored answers to questions about it, newest first; at most 50.'),
  actions: z.array(EntityAction),
});
export type EntityDetail = z.infer<typeof EntityDetail>;

/** An alert that contains the entity, with its case. */
export const EntityAlert = z.object({
  alert_id: z.string(),
  alert_type: z.string(),
  created_at: z.int(),
  investigation_status: StatusCode,
  role: EntityRole.nullable(),
  case_id: z.string().nullable(),
  case_title: z.string().nullable(),
  case_status: CaseStatus.nullable(),
  verdict: Verdict.nullable(),
  severity: Severity.nullable(),
});
export type EntityAlert = z.infer<typeof EntityAlert>;

/** The address of the page of an entity. */
export function entityPage({ kind, value }: Pick<Entity, 'kind' | 'value'>, organizationCode: string): string {
  return `/entity?${new URLSearchParams({ kind, value, organization: organizationCode })}`;
}
