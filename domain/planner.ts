import { type Category, categoriesOf } from './category.js';
import { ENTITY_KINDS, type EntityKind } from './entity.js';
import type { AskStep, Plan, PlanStep, Proof } from './playbook.js';
import { slug } from './text.js';

/** What a skill can say about something an alert carries, or about something another skill has found. */
export interface SkillQuestion {
  readonly about: EntityKind | { readonly answerOf: string; readonly path: string };
  readonly atMost?: number;
  /** Only worth asking for these; always where absent. */
  readonly categories?: readonly Category[];
  readonly input: AskStep['input'];
  readonly proves: readonly (Omit<Proof, 'techniques'> & { readonly techniques?: readonly string[] })[];
  readonly shows: readonly string[];
  readonly why: string;
}

/** A skill with its questions, by the name its activity has. */
export interface AnsweringSkill {
  readonly skill: string;
  readonly questions: readonly SkillQuestion[];
}

const CORRELATED: readonly EntityKind[] = ['ip', 'domain', 'url', 'hash', 'cve', 'email', 'user', 'host', 'machine-id', 'incident-id'];

/**
 * Makes the playbook for an alert type that has none, from what the connectors can answer. The same type and the same
 * connectors always give the same plan, so two processes that make it at the same moment agree.
 */
export function planFor(alertType: string, skills: readonly AnsweringSkill[]): Plan {
  const categories = categoriesOf(alertType);
  const asks = skills.flatMap(({ skill, questions }) =>
    questions.filter((question) => isWorthAsking(question, categories)).map((question) => askStep(skill, question)),
  );
  const known = new Set(asks.map((step) => step.id));
  const answerable = asks.filter((step) => step.each.of === 'entity' || known.has(step.each.step));
  const kindOf = categories.length === 0 ? 'a type nobody has described yet, so everything is asked' : categories.join(', ');
  const steps: PlanStep[] = [
    {
      do: 'extract-indicators',
      of: [...ENTITY_KINDS],
      why: `Names what "${alertType}" alerts speak of (${kindOf}), so that each can be looked up.`,
    },
    ...answerable,
    {
      do: 'correlate',
      by: [...CORRELATED],
      withinDays: 30,
      why: 'An indicator seen in earlier alerts of the same organization is rarely a coincidence.',
    },
    { do: 'summarise', why: 'States the verdict, what decided it, and what could not be answered.' },
  ];
  return { steps };
}

/** A type of no known category gets every question: better one too many than none. */
function isWorthAsking(question: SkillQuestion, categories: readonly Category[]): boolean {
  return question.categories === undefined || categories.length === 0 || question.categories.some((each) => categories.includes(each));
}

function askStep(skill: string, question: SkillQuestion): AskStep {
  const { about, atMost = 5, input, proves, shows, why } = question;
  const each: AskStep['each'] =
    typeof about === 'string'
      ? { of: 'entity', kind: about, atMost }
      : { of: 'answer', step: idOf(about.answerOf), path: about.path, atMost };
  return {
    do: 'ask',
    id: idOf(typeof about === 'string' ? `${skill} ${about}` : `${skill} of ${about.answerOf}`),
    why,
    skill,
    each,
    input,
    proves: proves.map((proof) => ({ ...proof, techniques: [...(proof.techniques ?? [])] })),
    shows: [...shows],
  };
}

/** `threatIntelligence.getEnrichment ip` → `threat-intelligence-get-enrichment-ip` */
function idOf(name: string): string {
  return slug(name.replace(/([a-z])([A-Z])/g, '$1-$2')).slice(0, 100);
}
