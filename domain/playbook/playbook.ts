import { z } from 'zod';
import { EntityKind } from '../alert/entity.js';
import { Severity } from '../case/evidence.js';
import { storable, text } from '../text.js';

export const PlaybookOrigin = z.enum(['written', 'generated']);
export type PlaybookOrigin = z.infer<typeof PlaybookOrigin>;

const WHY = text(500);
const StepId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'may hold lower-case letters, digits and hyphens');
/** Where something stands in an answer: `score`, `items[].riskScore`. */
const Path = z
  .string()
  .max(200)
  .regex(/^\w+(\[\])?(\.\w+(\[\])?)*$/, 'must look like items[].riskScore');

/** What an answer is compared with the alert itself by: it needs no value. */
export const ALERT_COMPARISONS = ['alert-place', 'every-alert-place', 'by-alert-time'] as const;

export const Condition = z.strictObject({
  path: z.union([Path, z.array(Path).min(1).max(5)]).describe('Where in the answer; several together.'),
  is: z
    .enum(['at-least', 'below', 'equals', 'contains', 'has-length', 'true', 'present', 'absent', ...ALERT_COMPARISONS])
    .describe(
      'alert-place: a place there is one that the alert names; every-alert-place: each place that the alert names is there; by-alert-time: a date there has begun when the alert happened.',
    ),
  value: z.union([z.number(), storable(500)]).optional(),
});
export type Condition = z.infer<typeof Condition>;

/** What an answer proves: the first proof whose conditions all hold counts. */
export const Proof = z.strictObject({
  inOne: Path.optional().describe('A list in the answer: one of its items has to fulfil all conditions, whose paths begin there.'),
  when: z.array(Condition).min(1).max(5),
  points: z.int().min(-100).max(100).describe('For (+) or against (−) the alert being malicious.'),
  says: text(200),
  techniques: z
    .array(z.string().regex(/^T\d{4}(\.\d{3})?$/))
    .max(10)
    .default([]),
});
export type Proof = z.infer<typeof Proof>;

const InputSource = z.discriminatedUnion('take', [
  z.strictObject({ take: z.literal('value'), value: z.union([storable(500), z.number(), z.boolean()]) }),
  z.strictObject({ take: z.literal('item') }).describe('The entity, or the item of an earlier answer.'),
  z.strictObject({ take: z.literal('item-in-list') }).describe('The same, for a field that takes several.'),
  z.strictObject({ take: z.literal('alert-time'), as: z.enum(['seconds', 'iso']), minusDays: z.int().min(0).max(365).optional() }),
]);
const Input = z.record(z.string().max(100).regex(/^\w+$/, 'must be the name of a field'), InputSource);

const SkillName = z.string().regex(/^\w+\.\w+$/, 'must look like connectorName.skillName');
const AtMost = z.int().min(1).max(20).default(5);
/** What a question is asked about: each entity of a kind that an alert carries, or each item of an earlier answer. */
const Each = z.discriminatedUnion('of', [
  z.strictObject({
    of: z.literal('entity'),
    kind: EntityKind,
    only: z.literal('public').optional().describe('Addresses of networks of one’s own are nobody’s business outside.'),
    atMost: AtMost,
  }),
  z.strictObject({
    of: z.literal('answer'),
    step: StepId,
    path: Path,
    when: z.array(Condition).min(1).max(5).optional().describe('Only of answers for which all of these hold.'),
    atMost: AtMost,
  }),
]);

/** Steps are data: nothing in a plan is ever evaluated. */
export const PlanStep = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('extract-indicators'), why: WHY, of: z.array(EntityKind).min(1) }),
  z.strictObject({
    do: z.literal('ask'),
    id: StepId,
    why: WHY,
    skill: SkillName,
    each: Each,
    input: Input,
    proves: z.array(Proof).max(10),
    shows: z.array(Path).max(10).describe('What of the answer is worth reading.'),
  }),
  z.strictObject({
    do: z.literal('propose'),
    id: StepId,
    why: WHY,
    skill: SkillName,
    each: Each,
    input: Input,
    from: z.enum(['suspicious', 'malicious']).describe('Proposed to a person when the evidence says at least this; never sent by itself.'),
    releaseAfterHours: z.int().min(1).max(720).optional().describe('Undone after this time unless somebody reconfirms it.'),
  }),
  z.strictObject({ do: z.literal('correlate'), why: WHY, by: z.array(EntityKind).min(1), withinDays: z.int().min(1).max(365) }),
  z.strictObject({ do: z.literal('summarise'), why: WHY }),
]);
export type PlanStep = z.infer<typeof PlanStep>;
export type AskStep = Extract<PlanStep, { do: 'ask' }>;
export type ProposeStep = Extract<PlanStep, { do: 'propose' }>;

export const Plan = z.strictObject({ steps: z.array(PlanStep).min(1).max(50) });
export type Plan = z.infer<typeof Plan>;

export const Playbook = z.object({
  playbook_id: z.uuid(),
  name: z.string(),
  origin: PlaybookOrigin,
  organization_code: z.string().nullable().describe('null: serves every organization.'),
  alert_types: z.array(z.string()),
  workflow_type: z.string().describe('The workflow type an engineer sees in Temporal Web.'),
  severity: Severity.nullable().describe('Severe first, when there is more to do than can be done at once.'),
  version: z.int().describe('The newest version of its plan.'),
  pinned_version: z.int().nullable().describe('The version that new investigations take; null: the newest.'),
  runs: z
    .object({ counted: z.int(), completed: z.int(), typical_seconds: z.number().nullable() })
    .describe('Of its newest investigations, at most 500, those of the caller’s organization; typical is the median.'),
  plan: Plan.nullable().describe('The steps that new investigations take; null for a playbook written in TypeScript.'),
  created_at: z.int(),
  modified_at: z.int(),
});
export type Playbook = z.infer<typeof Playbook>;

/** One version of a generated playbook's plan. */
export const PlanVersion = z.object({
  playbook_id: z.uuid(),
  version: z.int(),
  newest_version: z.int(),
  pinned_version: z.int().nullable(),
  plan: Plan,
  author: z.string().nullable().describe('null: the service made it.'),
  made_from: z.int().nullable(),
  created_at: z.int(),
});
export type PlanVersion = z.infer<typeof PlanVersion>;

/** What a list of versions says of each. */
export const PlanVersionSummary = PlanVersion.pick({ version: true, author: true, made_from: true, created_at: true });
export type PlanVersionSummary = z.infer<typeof PlanVersionSummary>;

export const EditPlan = z.strictObject({
  made_from: z.int().min(1).describe('The version that was edited; refused where there is a newer one.'),
  plan: Plan,
});
export type EditPlan = z.infer<typeof EditPlan>;

export const PinPlan = z.strictObject({ version: z.int().min(1).nullable().describe('null: new investigations take the newest again.') });

/** What the author of a written playbook declares, and what a starting worker registers. */
export interface PlaybookDeclaration {
  readonly name: string;
  readonly alertTypes: readonly string[];
  readonly severity?: Severity;
}

/** The workflow type that runs every stored plan. */
export const GENERATED_WORKFLOW_TYPE = 'generated';
