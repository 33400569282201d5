import { z } from 'zod';
import { alertTypeKey } from '../alert/alert.js';
import type { Category } from '../alert/category.js';
import { EntityKind } from '../entity/entity.js';
import { storable, text } from '../text.js';
import type { Severity } from '../verdict/evidence.js';
import { FactName } from '../verdict/fact.js';
import { playbookFile } from './error-place.js';

export const PlaybookOrigin = z.enum(['written', 'generated']);
export type PlaybookOrigin = z.infer<typeof PlaybookOrigin>;

const WHY = text(500);
const StepId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'may contain only lower-case letters, digits and hyphens');
/** The path of a value in an answer: `score`, `items[].riskScore`. */
const Path = z
  .string()
  .max(200)
  .regex(/^\w+(\[\])?(\.\w+(\[\])?)*$/, 'must look like items[].riskScore');

/** Comparisons of an answer with the alert. They need no value. */
const ALERT_COMPARISONS = [
  'alert-place',
  'every-alert-place',
  'by-alert-time',
  'near-alert-time',
  'alert-entity',
  'alert-has-place',
] as const;

export const Condition = z.strictObject({
  path: z.union([Path, z.array(Path).min(1).max(5)]).describe('The path of a value in the answer. A list of paths combines their values.'),
  is: z
    .enum(['at-least', 'below', 'equals', 'contains', 'has-length', 'true', 'present', 'absent', ...ALERT_COMPARISONS])
    .describe(
      'alert-place: the value is a place that the alert names. every-alert-place: the values contain each place that the alert names. by-alert-time: the value is a date that began before the time of the alert. near-alert-time: the value is a time within two days of the alert. alert-entity: the value is an entity of the alert; value: only one of this kind, so that an alert without such an entity does not need the question. alert-has-place: the alert names a place.',
    ),
  value: z.union([z.number(), storable(500)]).optional(),
});
export type Condition = z.infer<typeof Condition>;

/** The meaning of an answer. Only the first proof whose conditions all hold counts. */
export const Proof = z.strictObject({
  inOne: Path.optional().describe('A list in the answer. One of its items must meet all conditions; their paths start at the item.'),
  when: z.array(Condition).min(1).max(5),
  points: z.int().min(-100).max(100).describe('Points that raise (+) or lower (−) the score of the alert.'),
  says: text(200),
  fact: FactName.optional().describe('The meaning for the verdict: facts of one group count once, see docs/quality.md.'),
  at: Path.optional().describe('The time of the fact, in the answer or in the item of inOne.'),
  techniques: z
    .array(z.string().regex(/^T\d{4}(\.\d{3})?$/))
    .max(10)
    .default([]),
});
export type Proof = z.infer<typeof Proof>;

const AtMost = z.int().min(1).max(20).default(5);
const InputSource = z.discriminatedUnion('take', [
  z.strictObject({ take: z.literal('value'), value: z.union([storable(500), z.number(), z.boolean()]) }),
  z.strictObject({ take: z.literal('item') }).describe('The entity, or the item of an earlier answer.'),
  z
    .strictObject({ take: z.literal('item-in-list'), prefix: storable(20).optional(), alsoShort: z.boolean().optional() })
    .describe('The same value as a list, for a field that takes a list. alsoShort adds the host name without its domain.'),
  z
    .strictObject({ take: z.literal('alert-entity'), kind: EntityKind })
    .describe('The first entity of this kind in the alert. Without one, the step asks nothing.'),
  z
    .strictObject({ take: z.literal('alert-entities'), kind: EntityKind, atMost: AtMost })
    .describe(
      'The entities of this kind in the alert as a list, for a field that takes a list. Without one, the step asks nothing. More than atMost leave a gap.',
    ),
  z
    .strictObject({ take: z.literal('text'), text: storable(2000) })
    .describe(
      'A text with {item}, which stands for the entity or item as a quoted string, or {account}, the same without the domain of an account.',
    ),
  z.strictObject({ take: z.literal('alert-time'), as: z.enum(['seconds', 'iso']), minusDays: z.int().min(0).max(365).optional() }),
]);
const Input = z.record(z.string().max(100).regex(/^\w+$/, 'must be the name of a field'), InputSource);

const SkillName = z.string().regex(/^\w+\.\w+$/, 'must look like connectorName.skillName');
const Only = z
  .enum(['public', 'private', 'sha256', 'machine-like', 'without-machine', 'person', 'account'])
  .describe(
    'public leaves out private addresses, so that third parties do not learn them. private takes only these. sha256 takes only such hashes. machine-like takes names that a machine may have. without-machine takes none if the alert names a machine. person takes the addresses of the people that the alert is about, not of those who passed it on. account takes accounts that are no addresses.',
  );
/** The subjects of a question: each entity of a kind in the alert, or each item of an earlier answer. */
const Each = z.discriminatedUnion('of', [
  z.strictObject({
    of: z.literal('entity'),
    kind: EntityKind,
    only: Only.optional(),
    atMost: AtMost,
  }),
  z.strictObject({
    of: z.literal('answer'),
    step: StepId,
    path: Path,
    when: z.array(Condition).min(1).max(5).optional().describe('Only answers that meet all of these conditions.'),
    only: Only.optional(),
    atMost: AtMost,
  }),
]);

/** Values of an answer that are entities: later steps ask about them, and the search for records includes them. */
const LeadsTo = z.array(z.strictObject({ kind: EntityKind, path: Path })).max(10);

/** An answer with a value at the path says that the organization owns the subject. */
const Identifies = z.strictObject({ asset: z.enum(['machine', 'account']), path: Path });

/** Steps are data: the service never evaluates code from a plan. */
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
    leadsTo: LeadsTo.optional(),
    identifies: Identifies.optional(),
    shows: z.array(Path).max(10).describe('Paths of the values that the evidence shows.'),
  }),
  z.strictObject({
    do: z.literal('propose'),
    id: StepId,
    why: WHY,
    skill: SkillName,
    each: Each,
    input: Input,
    from: z
      .enum(['suspicious', 'malicious'])
      .describe('The service proposes the change if the verdict is at least this. It never sends the change without approval.'),
    releaseAfterHours: z
      .int()
      .min(1)
      .max(720)
      .optional()
      .describe('The service undoes the change after this time unless an analyst reconfirms it.'),
  }),
  z.strictObject({ do: z.literal('correlate'), why: WHY, by: z.array(EntityKind).min(1), withinDays: z.int().min(1).max(365) }),
  z.strictObject({ do: z.literal('search-records'), why: WHY }),
  z.strictObject({ do: z.literal('summarise'), why: WHY }),
]);
export type PlanStep = z.infer<typeof PlanStep>;
export type AskStep = Extract<PlanStep, { do: 'ask' }>;
export type ProposeStep = Extract<PlanStep, { do: 'propose' }>;

export const Plan = z.strictObject({ steps: z.array(PlanStep).min(1).max(120) });
export type Plan = z.infer<typeof Plan>;

/** The declaration of a written playbook. A worker registers it when it starts. */
export interface PlaybookDeclaration {
  /** The workflow type. */
  readonly name: string;
  /** The name that people read. Default: the workflow type. */
  readonly title?: string;
  readonly alertTypes: readonly string[];
  readonly categories?: readonly Category[];
  readonly severity?: Severity;
}

/** The workflow type that runs every stored plan. */
export const GENERATED_WORKFLOW_TYPE = 'generated';

/** A playbook that declares an alert type of another one. */
export interface SharedType {
  readonly name: string;
  readonly other: string;
  readonly alertType: string;
}

/**
 * The declarations that take no alert type of another one, and the playbooks that are left out. Case and spaces do not matter. A
 * registered playbook keeps its types, so that a new one does not replace it by mistake. `registeredBy`: the name for the key of a type.
 */
export function leaveOutSharedTypes(
  declared: readonly PlaybookDeclaration[],
  registeredBy: ReadonlyMap<string, string>,
): { kept: PlaybookDeclaration[]; leftOut: SharedType[] } {
  const holds = ({ name, alertTypes }: PlaybookDeclaration) =>
    alertTypes.some((alertType) => registeredBy.get(alertTypeKey(alertType)) === name);
  const takenBy = new Map<string, string>();
  const kept = new Set<PlaybookDeclaration>();
  const leftOut: SharedType[] = [];
  for (const declaration of [...declared.filter(holds), ...declared.filter((each) => !holds(each))]) {
    const { name, alertTypes } = declaration;
    const alertType = alertTypes.find((each) => takenBy.has(alertTypeKey(each)));
    if (alertType !== undefined) {
      leftOut.push({ name, alertType, other: takenBy.get(alertTypeKey(alertType)) ?? '' });
      continue;
    }
    kept.add(declaration);
    for (const each of alertTypes) takenBy.set(alertTypeKey(each), name);
  }
  return { kept: declared.filter((each) => kept.has(each)), leftOut };
}

/** A sentence for the operator. */
export function describeSharedType({ name, other, alertType }: SharedType): string {
  return `${playbookFile(name)} is left out, because ${playbookFile(other)} takes the alert type "${alertType}" too. Remove it from one of them.`;
}
