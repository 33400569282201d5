import { type Category, findCategories } from '../alert/category.js';
import { ENTITY_KINDS, type EntityKind } from '../alert/entity.js';
import { slug } from '../text.js';
import { type CapabilityRequest, type ProvidedCapabilities, resolveCapability } from './capability.js';
import type { AskStep, Plan, PlanStep, Proof, ProposeStep } from './playbook.js';

/** Each value at a path of the answers that another skill of the same connector gives about entities of a kind. */
export interface OwnAnswer {
  readonly verb: string;
  readonly of: EntityKind;
  readonly path: string;
}

/** An entity of an alert, or a value that an earlier answer holds. */
export type Subject = EntityKind | OwnAnswer | CapabilityRequest;

/** A question that a skill can answer about an entity of an alert, or about a value that another skill found. */
export interface SkillQuestion {
  readonly about: Subject;
  readonly atMost?: number;
  /** Leaves out private addresses. */
  readonly only?: 'public';
  /** Asked only for these categories; absent: always. */
  readonly categories?: readonly Category[];
  readonly input: AskStep['input'];
  readonly proves: readonly (Omit<Proof, 'techniques'> & { readonly techniques?: readonly string[] })[];
  readonly shows: readonly string[];
  /** The capabilities that the answer provides to other connectors. */
  readonly provides?: ProvidedCapabilities;
  readonly why: string;
}

/** A write that can contain a threat. A plan proposes it to a person and never sends it. */
export interface SkillRemedy {
  readonly about: Subject;
  /** Distinguishes remedies of the same skill for the same subject. */
  readonly name?: string;
  readonly atMost?: number;
  /** Proposed only for these categories; absent: always. */
  readonly categories?: readonly Category[];
  readonly input: ProposeStep['input'];
  readonly from: ProposeStep['from'];
  readonly releaseAfterHours?: number;
  readonly why: string;
}

/** A skill with its questions or remedies. `skill` is the name of its activity: `connector.verb`. */
export interface PlannableSkill {
  readonly skill: string;
  readonly questions: readonly SkillQuestion[];
  readonly remedies: readonly SkillRemedy[];
}

/** Increase it when you change the rules below: existing plans are then generated again. */
export const PLANNER_REVISION = 2;

/** Generates plans. A planner with another digest may generate other plans. */
export interface Planner {
  readonly digest: string;
  planFor(alertType: string): Plan;
}

const CORRELATED: readonly EntityKind[] = ['ip', 'domain', 'url', 'hash', 'cve', 'email', 'user', 'host', 'machine-id', 'incident-id'];

/**
 * Generates the plan for an alert type without a playbook, from the questions that connectors can answer. The result is
 * deterministic: two processes that plan at the same time agree.
 */
export function planFor(alertType: string, skills: readonly PlannableSkill[]): Plan {
  const categories = findCategories(alertType);
  const questions = skills.flatMap(({ skill, questions }) =>
    questions.filter((question) => isWorthAsking(question, categories)).map((question) => ({ skill, question })),
  );
  const providers = questions.flatMap(({ skill, question: { about, provides } }): Provider[] =>
    typeof about === 'string' && provides ? [{ of: about, stepId: toStepId(skill, about), provides }] : [],
  );
  const asks = questions.flatMap(({ skill, question }) =>
    resolveSubject(skill, question, providers).map((each) => buildAskStep(skill, question, each)),
  );
  const answerable = asks.filter(({ each }) => each.of === 'entity' || asks.some(({ id }) => id === each.step));
  const answerableIds = new Set(answerable.map(({ id }) => id));
  const proposals = skills.flatMap(({ skill, remedies }) =>
    remedies
      .filter((remedy) => isWorthProposing(remedy, categories))
      .flatMap((remedy) => resolveSubject(skill, remedy, providers).map((each, index) => buildProposeStep(skill, remedy, each, index))),
  );
  const possible = proposals.filter(({ each, id }, index) => {
    const isFirst = proposals.findIndex((other) => other.id === id) === index;
    return isFirst && (each.of === 'entity' || answerableIds.has(each.step));
  });
  const categoryList = categories.length === 0 ? 'no known category, so the plan asks every question' : categories.join(', ');
  const steps: PlanStep[] = [
    {
      do: 'extract-indicators',
      of: [...ENTITY_KINDS],
      why: `Finds the indicators in "${alertType}" alerts (${categoryList}), so that the next steps can look them up.`,
    },
    ...orderByDependency(answerable),
    {
      do: 'correlate',
      by: [...CORRELATED],
      withinDays: 30,
      why: 'An indicator that appears in earlier alerts of the same organization is rarely a coincidence.',
    },
    ...possible,
    { do: 'summarise', why: 'States the verdict, the findings that decided it, and the questions without an answer.' },
  ];
  return { steps };
}

/** A step that needs the answers of another follows it; otherwise the order of the catalogue holds. */
function orderByDependency(asks: readonly AskStep[]): AskStep[] {
  const independent = asks.filter(({ each }) => each.of === 'entity');
  const ordered = [...independent];
  for (let waiting = asks.filter((step) => !ordered.includes(step)); waiting.length > 0; ) {
    const next = waiting.filter(({ each }) => each.of === 'answer' && ordered.some(({ id }) => id === each.step));
    // A step that depends on itself or on a missing step is left out.
    if (next.length === 0) break;
    ordered.push(...next);
    waiting = waiting.filter((step) => !next.includes(step));
  }
  return ordered;
}

/** An alert type without a known category gets every question. */
function isWorthAsking(question: SkillQuestion, categories: readonly Category[]): boolean {
  return categories.length === 0 || fits(question, categories);
}

/** A remedy for certain categories needs one of them: a plan does not act on an unknown type by guess. */
function isWorthProposing(remedy: SkillRemedy, categories: readonly Category[]): boolean {
  return fits(remedy, categories);
}

function fits({ categories: wanted }: { readonly categories?: readonly Category[] }, categories: readonly Category[]): boolean {
  return wanted === undefined || wanted.some((each) => categories.includes(each));
}

/** A question about entities whose answer provides capabilities. */
interface Provider {
  readonly of: EntityKind;
  readonly stepId: string;
  readonly provides: ProvidedCapabilities;
}

type Each = AskStep['each'];

/** One entry for each step that can supply the subject: several connectors may provide a capability. */
function resolveSubject(skill: string, { about, atMost = 5, only }: ResolvableSubject, providers: readonly Provider[]): Each[] {
  if (typeof about === 'string') return [{ of: 'entity', kind: about, ...(only === undefined ? {} : { only }), atMost }];
  if ('verb' in about) return [{ of: 'answer', step: toStepId(toSiblingSkill(skill, about.verb), about.of), path: about.path, atMost }];
  return providers.flatMap(({ of, stepId, provides }): Each[] => {
    const answer = of === about.of ? resolveCapability(about, provides) : null;
    return answer === null ? [] : [{ of: 'answer', step: stepId, ...answer, atMost }];
  });
}

type ResolvableSubject = Pick<SkillQuestion, 'about' | 'atMost' | 'only'>;

/** `endpoint.getMachine`, `listMachines` → `endpoint.listMachines` */
function toSiblingSkill(skill: string, verb: string): string {
  return `${skill.split('.')[0]}.${verb}`;
}

function buildAskStep(skill: string, { input, proves, shows, why }: SkillQuestion, each: Each): AskStep {
  return {
    do: 'ask',
    id: toStepId(skill, each),
    why,
    skill,
    each,
    input,
    proves: proves.map((proof) => ({ ...proof, techniques: [...(proof.techniques ?? [])] })),
    shows: [...shows],
  };
}

function buildProposeStep(skill: string, remedy: SkillRemedy, each: Each, index: number): ProposeStep {
  const { name, input, from, releaseAfterHours, why } = remedy;
  // A further provider of the same capability needs an id of its own.
  const namedId = toStepId(`${skill} ${name}`, index === 0 ? null : each);
  return {
    do: 'propose',
    id: name === undefined ? toStepId(skill, each) : namedId,
    why,
    skill,
    each,
    input,
    from,
    ...(releaseAfterHours === undefined ? {} : { releaseAfterHours }),
  };
}

/** `intelligence.getReputation`, `ip` → `intelligence-get-reputation-ip` */
function toStepId(skill: string, about: EntityKind | Each | null): string {
  if (about === null) return kebab(skill);
  if (typeof about === 'string') return kebab(`${skill} ${about}`);
  return kebab(about.of === 'entity' ? `${skill} ${about.kind}` : `${skill} of ${about.step}`);
}

function kebab(name: string): string {
  return slug(name.replace(/([a-z])([A-Z])/g, '$1-$2')).slice(0, 100);
}
