import { type Category, findCategories } from '../alert/category.js';
import { ENTITY_KINDS, type EntityKind } from '../alert/entity.js';
import { slug } from '../text.js';
import type { AskStep, Condition, Plan, PlanStep, Proof, ProposeStep } from './playbook.js';

/** An entity of an alert, or something that another skill has found: in which answers, where in them, of which of them. */
type Subject = EntityKind | { readonly answerOf: string; readonly path: string; readonly when?: readonly Condition[] };

/** What a skill can say about something an alert carries, or about something another skill has found. */
export interface SkillQuestion {
  readonly about: Subject;
  readonly atMost?: number;
  /** Leaves out addresses of networks of one's own. */
  readonly only?: 'public';
  /** Only worth asking for these; always where absent. */
  readonly categories?: readonly Category[];
  readonly input: AskStep['input'];
  readonly proves: readonly (Omit<Proof, 'techniques'> & { readonly techniques?: readonly string[] })[];
  readonly shows: readonly string[];
  readonly why: string;
}

/** What a write can do about something that turned out to be bad. It is proposed to a person, never done by a plan. */
export interface SkillRemedy {
  readonly about: Subject;
  /** Tells it from others of the same skill about the same answers. */
  readonly name?: string;
  readonly atMost?: number;
  /** Only proposed for these; always where absent. */
  readonly categories?: readonly Category[];
  readonly input: ProposeStep['input'];
  readonly from: ProposeStep['from'];
  readonly releaseAfterHours?: number;
  readonly why: string;
}

/** A skill with its questions or its remedies, by the name its activity has. */
export interface PlannableSkill {
  readonly skill: string;
  readonly questions: readonly SkillQuestion[];
  readonly remedies: readonly SkillRemedy[];
}

/** Raise it with a change of the rules below: plans that were made by earlier ones are then made anew. */
export const PLANNER_REVISION = 2;

/** Makes plans; another digest means that another one might make a better plan. */
export interface Planner {
  readonly digest: string;
  planFor(alertType: string): Plan;
}

const CORRELATED: readonly EntityKind[] = ['ip', 'domain', 'url', 'hash', 'cve', 'email', 'user', 'host', 'machine-id', 'incident-id'];

/**
 * Makes the playbook for an alert type that has none, from what the connectors can answer. The same type and the same
 * connectors always give the same plan, so two processes that make it at the same moment agree.
 */
export function planFor(alertType: string, skills: readonly PlannableSkill[]): Plan {
  const categories = findCategories(alertType);
  const asks = skills.flatMap(({ skill, questions }) =>
    questions.filter((question) => isWorthAsking(question, categories)).map((question) => askStep(skill, question)),
  );
  const answerable = asks.filter(({ each }) => each.of === 'entity' || asks.some(({ id }) => id === each.step));
  const proposals = skills.flatMap(({ skill, remedies }) =>
    remedies.filter((remedy) => isWorthProposing(remedy, categories)).map((remedy) => proposeStep(skill, remedy)),
  );
  const known = new Set(answerable.map((step) => step.id));
  const possible = proposals.filter(({ each, id }, place) => {
    const isFirst = proposals.findIndex((other) => other.id === id) === place;
    return isFirst && (each.of === 'entity' || known.has(each.step));
  });
  const knownCategories = categories.length === 0 ? 'a type nobody has described yet, so everything is asked' : categories.join(', ');
  const steps: PlanStep[] = [
    {
      do: 'extract-indicators',
      of: [...ENTITY_KINDS],
      why: `Names what "${alertType}" alerts speak of (${knownCategories}), so that each can be looked up.`,
    },
    ...inOrder(answerable),
    {
      do: 'correlate',
      by: [...CORRELATED],
      withinDays: 30,
      why: 'An indicator seen in earlier alerts of the same organization is rarely a coincidence.',
    },
    ...possible,
    { do: 'summarise', why: 'States the verdict, what decided it, and what could not be answered.' },
  ];
  return { steps };
}

/** A step that needs another's answers comes after it; else as the catalogue has them. */
function inOrder(asks: readonly AskStep[]): AskStep[] {
  const independent = asks.filter(({ each }) => each.of === 'entity');
  const ordered = [...independent];
  for (let waiting = asks.filter((step) => !ordered.includes(step)); waiting.length > 0; ) {
    const next = waiting.filter(({ each }) => each.of === 'answer' && ordered.some(({ id }) => id === each.step));
    // What waits for itself, or for something that was left out, is never asked.
    if (next.length === 0) break;
    ordered.push(...next);
    waiting = waiting.filter((step) => !next.includes(step));
  }
  return ordered;
}

/** A type of no known category gets every question: better one too many than none. */
function isWorthAsking(question: SkillQuestion, categories: readonly Category[]): boolean {
  return categories.length === 0 || fits(question, categories);
}

/** A remedy that is meant for some categories is proposed for those alone: what nobody has described is not acted upon by guess. */
function isWorthProposing(remedy: SkillRemedy, categories: readonly Category[]): boolean {
  return fits(remedy, categories);
}

function fits({ categories: wanted }: { readonly categories?: readonly Category[] }, categories: readonly Category[]): boolean {
  return wanted === undefined || wanted.some((each) => categories.includes(each));
}

function askStep(skill: string, { about, only, atMost = 5, input, proves, shows, why }: SkillQuestion): AskStep {
  return {
    do: 'ask',
    id: toStepId(skill, about),
    why,
    skill,
    each: forEachSubject(about, atMost, only),
    input,
    proves: proves.map((proof) => ({ ...proof, techniques: [...(proof.techniques ?? [])] })),
    shows: [...shows],
  };
}

function proposeStep(skill: string, { about, name, atMost = 5, input, from, releaseAfterHours, why }: SkillRemedy): ProposeStep {
  return {
    do: 'propose',
    id: name === undefined ? toStepId(skill, about) : kebab(`${skill} ${name}`),
    why,
    skill,
    each: forEachSubject(about, atMost),
    input,
    from,
    ...(releaseAfterHours === undefined ? {} : { releaseAfterHours }),
  };
}

function forEachSubject(about: Subject, atMost: number, only?: 'public'): AskStep['each'] {
  if (typeof about === 'string') return { of: 'entity', kind: about, ...(only === undefined ? {} : { only }), atMost };
  const { answerOf, path, when } = about;
  return { of: 'answer', step: kebab(answerOf), path, ...(when === undefined ? {} : { when: [...when] }), atMost };
}

/** `threatIntelligence.getEnrichment ip` → `threat-intelligence-get-enrichment-ip` */
function toStepId(skill: string, about: Subject): string {
  return kebab(typeof about === 'string' ? `${skill} ${about}` : `${skill} of ${about.answerOf}`);
}

function kebab(name: string): string {
  return slug(name.replace(/([a-z])([A-Z])/g, '$1-$2')).slice(0, 100);
}
