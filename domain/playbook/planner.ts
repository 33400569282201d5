import { type Category, findCategories } from '../alert/category.js';
import { ENTITY_KINDS, type EntityKind } from '../entity/entity.js';
import { slug } from '../text.js';
import { FACT_RULES, type FactName } from '../verdict/fact.js';
import { type CapabilityRequest, type ProvidedCapabilities, resolveCapability } from './capability.js';
import type { AskStep, Plan, PlanStep, Proof, ProposeStep } from './playbook.js';

/** Each value at a path of the answers that another skill of the same connector gives, about entities of a kind or about all. */
export interface OwnAnswer {
  readonly verb: string;
  readonly of?: EntityKind;
  readonly path: string;
}

/** An entity of an alert, or a value that an earlier answer holds. */
export type Subject = EntityKind | OwnAnswer | CapabilityRequest;

/** Either a fact, whose points and text the rules give, or points and a text of its own. */
export type QuestionProof = Pick<Proof, 'inOne' | 'when' | 'at'> & {
  readonly techniques?: readonly string[];
  /** Counts only for alert types of these categories; absent: for all. */
  readonly categories?: readonly Category[];
} & ({ readonly fact: FactName; readonly says?: string } | { readonly points: number; readonly says: string });

/** A question that a skill can answer about an entity of an alert, or about a value that another skill found. */
export interface SkillQuestion {
  readonly about: Subject;
  readonly atMost?: number;
  readonly only?: AskStep['each']['only'];
  /** Asked only for these categories; absent: always. */
  readonly categories?: readonly Category[];
  readonly input: AskStep['input'];
  readonly proves: readonly QuestionProof[];
  readonly shows: readonly string[];
  /** Values of the answer that are entities. Other questions about their kind follow, up to two hops from the alert. */
  readonly leadsTo?: AskStep['leadsTo'];
  /** An answer with a value at the path says that the organization owns the machine or the account. */
  readonly identifies?: AskStep['identifies'];
  /** False: not worth asking about entities that another answer found. */
  readonly followsHops?: boolean;
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
export const PLANNER_REVISION = 6;

/** Generates plans. A planner with another digest may generate other plans. */
export interface Planner {
  readonly digest: string;
  /** The categories default to those of the alert type. */
  planFor(alertType: string, categories?: readonly Category[]): Plan;
}

const CORRELATED: readonly EntityKind[] = ['ip', 'domain', 'url', 'hash', 'cve', 'email', 'user', 'host', 'machine-id', 'incident-id'];

/** The most hops from an entity of the alert: address → machine → its users. */
const MAX_HOPS = 2;

/**
 * Generates the plan for an alert type without a playbook, from the questions that connectors can answer. Types of the same
 * categories get equal plans. The result is deterministic: two processes that plan at the same time agree.
 */
export function planFor(
  alertType: string,
  skills: readonly PlannableSkill[],
  categories: readonly Category[] = findCategories(alertType),
): Plan {
  const asks = planQuestions(skills, categories);
  const providers = listProviders(asks, skills);
  const proposals = skills.flatMap(({ skill, remedies }) =>
    remedies
      .filter((remedy) => fits(remedy, categories))
      .flatMap((remedy) =>
        resolveSubject(skill, remedy, asks, providers).map((each, index) => buildProposeStep(skill, remedy, each, index)),
      ),
  );
  const possible = proposals.filter(({ id }, index) => proposals.findIndex((other) => other.id === id) === index);
  const categoryList = categories.length === 0 ? 'no known category, so the plan asks every question' : categories.join(', ');
  const steps: PlanStep[] = [
    {
      do: 'extract-indicators',
      of: [...ENTITY_KINDS],
      why: `Finds the indicators in the alert (${categoryList}), so that the next steps can look them up.`,
    },
    ...asks,
    {
      do: 'search-records',
      why: 'Alerts, incidents and investigations of the third parties show what happened at the same time, and what people concluded.',
    },
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

interface PlannableQuestion {
  readonly skill: string;
  readonly question: SkillQuestion;
}

/** The questions about the alert's entities first, then those about what their answers found. */
function planQuestions(skills: readonly PlannableSkill[], categories: readonly Category[]): AskStep[] {
  const questions = skills.flatMap(({ skill, questions }) =>
    questions.filter((question) => isWorthAsking(question, categories)).map((question): PlannableQuestion => ({ skill, question })),
  );
  const taken = new Set<string>();
  const build = ({ skill, question }: PlannableQuestion, each: Each) => {
    const id = findFreeId(toStepId(skill, each), taken);
    taken.add(id);
    return buildAskStep(id, skill, question, each, categories);
  };
  const steps = questions.flatMap((asked) =>
    typeof asked.question.about === 'string' ? [build(asked, toEntities(asked.question.about, asked.question))] : [],
  );
  let last = steps;
  for (let hop = 1; hop <= MAX_HOPS && last.length > 0; hop += 1) {
    const providers = listProviders(last, skills);
    const found = last;
    last = questions.flatMap((asked) => findHops(asked, found, providers).map((each) => build(asked, each)));
    steps.push(...last);
  }
  return steps;
}

/** One skill can take several kinds of values from the same answer, and long names are cut. */
function findFreeId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n += 1) id = `${wanted.slice(0, ID_LENGTH - 4)}-${n}`;
  return id;
}

/** What a question can take from these steps. */
function findHops({ skill, question }: PlannableQuestion, steps: readonly AskStep[], providers: readonly Provider[]): Each[] {
  const { about, atMost = 5, only } = question;
  if (typeof about !== 'string') return resolveSubject(skill, question, steps, providers);
  if (question.followsHops === false) return [];
  return steps.flatMap(({ id, skill: asked, each, leadsTo = [] }) =>
    leadsTo
      .filter(({ kind }) => kind === about && (asked !== skill || isMerged(each, about)))
      .map(({ path }): Each => ({ of: 'answer', step: id, path, ...(only === undefined ? {} : { only }), atMost })),
  );
}

/** A skill that finds an entity of the same kind found the one that replaced it, such as the incident that it was merged into. */
function isMerged(each: Each, about: EntityKind): boolean {
  return each.of === 'entity' && each.kind === about;
}

/** An alert type without a known category gets every question. */
function isWorthAsking(question: SkillQuestion, categories: readonly Category[]): boolean {
  return categories.length === 0 || fits(question, categories);
}

/** A remedy for certain categories needs one of them: a plan does not act on an unknown type by guess. */
function fits({ categories: wanted }: { readonly categories?: readonly Category[] }, categories: readonly Category[]): boolean {
  return wanted === undefined || wanted.some((each) => categories.includes(each));
}

/** A step about entities whose answer provides capabilities. */
interface Provider {
  readonly of: EntityKind;
  readonly stepId: string;
  readonly provides: ProvidedCapabilities;
}

function listProviders(steps: readonly AskStep[], skills: readonly PlannableSkill[]): Provider[] {
  return steps.flatMap(({ id, skill, each }): Provider[] => {
    if (each.of !== 'entity') return [];
    const questions = skills.find((plannable) => plannable.skill === skill)?.questions ?? [];
    const provides = questions.find(({ about }) => about === each.kind)?.provides;
    return provides ? [{ of: each.kind, stepId: id, provides }] : [];
  });
}

type Each = AskStep['each'];

function toEntities(kind: EntityKind, { atMost = 5, only }: ResolvableSubject): Each {
  return { of: 'entity', kind, ...(only === undefined ? {} : { only }), atMost };
}

/** One entry for each step that can supply the subject: several connectors may provide a capability. */
function resolveSubject(skill: string, subject: ResolvableSubject, steps: readonly AskStep[], providers: readonly Provider[]): Each[] {
  const { about, atMost = 5 } = subject;
  if (typeof about === 'string') return [toEntities(about, subject)];
  if ('verb' in about) {
    const sibling = toSiblingSkill(skill, about.verb);
    const isMeant = (step: AskStep) =>
      step.skill === sibling && (about.of === undefined || step.each.of === 'answer' || step.each.kind === about.of);
    return steps.filter(isMeant).map(({ id }): Each => ({ of: 'answer', step: id, path: about.path, atMost }));
  }
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

function buildAskStep(id: string, skill: string, question: SkillQuestion, each: Each, categories: readonly Category[]): AskStep {
  const { input, proves, shows, leadsTo, identifies, why } = question;
  return {
    do: 'ask',
    id,
    why,
    skill,
    each,
    input,
    proves: proves.filter((proof) => fits(proof, categories)).map(buildProof),
    ...(leadsTo === undefined ? {} : { leadsTo }),
    ...(identifies === undefined ? {} : { identifies }),
    shows: [...shows],
  };
}

/** The rules give the points of a fact, so that every playbook counts it the same way. */
function buildProof(proof: QuestionProof): Proof {
  const { inOne, when, at, techniques = [] } = proof;
  const { points, says } =
    'fact' in proof ? { ...FACT_RULES[proof.fact], ...(proof.says === undefined ? {} : { says: proof.says }) } : proof;
  return {
    ...(inOne === undefined ? {} : { inOne }),
    when,
    points,
    says,
    ...('fact' in proof ? { fact: proof.fact } : {}),
    ...(at === undefined ? {} : { at }),
    techniques: [...techniques],
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

/** Leaves space for the number of the item in the steps of the evidence. */
const ID_LENGTH = 97;

function kebab(name: string): string {
  return slug(name.replace(/([a-z])([A-Z])/g, '$1-$2')).slice(0, ID_LENGTH);
}
