import { ApplicationFailure } from '@temporalio/workflow';
import { proofOf, valuesAt } from '../domain/answer.js';
import type { Entity } from '../domain/entity.js';
import type { AskStep, Plan, PlanStep } from '../domain/playbook.js';
import { clip } from '../domain/text.js';
import { type PlaybookContext, playbook } from './playbook.js';

type Context = PlaybookContext<typeof import('../activities/connectors/catalogue.js').catalogue>;
type Ask = (input: Record<string, unknown>) => Promise<object | null>;

/** Runs the stored plan of a playbook that the service made itself; one workflow for all of them. */
export const generated = playbook({ alertTypes: [] }, async (context) => {
  if (context.plan === null) throw ApplicationFailure.nonRetryable('This playbook has no stored plan.', 'PlaybookWithoutPlan');
  await askAll(context.plan, context);
  for (const step of context.plan.steps) await runStep(step, context);
});

/** What depends on nothing is asked at once; what depends on an answer, as soon as that answer is there. */
async function askAll(plan: Plan, context: Context): Promise<void> {
  const asked = new Map<string, Promise<object[]>>();
  const steps = plan.steps.filter((step) => step.do === 'ask');
  const answersOf = (step: AskStep): Promise<object[]> => {
    const known = asked.get(step.id) ?? ask(step, context, itemsOf(step));
    asked.set(step.id, known);
    return known;
  };
  const itemsOf = async (step: AskStep): Promise<string[]> => {
    const { each } = step;
    if (each.of === 'entity') return valuesOf(context.entities, each.kind);
    const earlier = steps.find((other) => other.id === each.step && steps.indexOf(other) < steps.indexOf(step));
    const answers = earlier ? await answersOf(earlier) : [];
    return [...new Set(answers.flatMap((answer) => valuesAt(answer, each.path)).map(String))];
  };
  await Promise.all(steps.map(answersOf));
}

async function ask(step: AskStep, context: Context, about: Promise<string[]>): Promise<object[]> {
  const all = await about;
  const items = all.slice(0, step.each.atMost);
  if (all.length > items.length)
    context.evidence.note(`${step.why} Not everything was asked`, `${items.length} of ${all.length} were looked up.`, {
      step: `${step.id}-rest`,
    });
  const perform = skillOf(step, context);
  const answers = await Promise.all(items.map((item) => perform(inputFor(step, item, context))));
  const silent: string[] = [];
  for (const [index, answer] of answers.entries()) {
    const item = items[index] ?? '';
    if (answer === null) continue;
    const proof = proofOf(step.proves, answer);
    if (proof === null) silent.push(item);
    else
      context.evidence.finding(proof.points, clip(`${proof.says}: ${item}`, 300), shown(step, answer), {
        step: clip(`${step.id}-${index + 1}`, 100),
        from: answer,
        techniques: proof.techniques,
      });
  }
  if (silent.length > 0)
    context.evidence.note(clip(`Asked and found nothing that weighs: ${silent.join(', ')}`, 300), step.why, { step: `${step.id}-silent` });
  return answers.filter((answer) => answer !== null);
}

function skillOf({ skill }: AskStep, { skills }: Context): Ask {
  const [connector = '', verb = ''] = skill.split('.');
  const found = Object.entries(skills).find(([name]) => name === connector)?.[1];
  const perform: unknown = Object.entries(found ?? {}).find(([name]) => name === verb)?.[1];
  if (typeof perform !== 'function') throw ApplicationFailure.nonRetryable(`The plan asks ${skill}, which there is not.`, 'UnknownSkill');
  return async (input) => perform(input);
}

const DAY_SECONDS = 86_400;

function inputFor({ input }: AskStep, item: string, context: Context): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([field, source]) => [field, valueFrom(source, item, context)]));
}

function valueFrom(source: AskStep['input'][string], item: string, { alert }: Context): unknown {
  switch (source.take) {
    case 'value':
      return source.value;
    case 'item':
      return item;
    case 'item-in-list':
      return [item];
    case 'alert-time': {
      const seconds = (alert.createdAtSource ?? alert.createdAt) - (source.minusDays ?? 0) * DAY_SECONDS;
      return source.as === 'seconds' ? seconds : new Date(seconds * 1000).toISOString();
    }
  }
}

/** The facts of an answer that are worth reading, as the plan names them. */
function shown({ shows, why }: AskStep, answer: object): string {
  const facts = shows.flatMap((path) => {
    const values = [...new Set(valuesAt(answer, path).map(String))].slice(0, 10);
    return values.length === 0 ? [] : [`${path.replaceAll('[]', '').replaceAll('items.', '')}: ${values.join(', ')}`];
  });
  return facts.length === 0 ? why : facts.join('; ');
}

async function runStep(step: PlanStep, { entities, evidence, correlate }: Context): Promise<void> {
  switch (step.do) {
    case 'extract-indicators': {
      const found = entities.filter((entity) => step.of.includes(entity.kind));
      const named = found.slice(0, 20).map((entity) => `${entity.kind} ${entity.value}`);
      if (found.length > 0) evidence.note('Indicators in the alert', `${found.length} found: ${named.join(', ')}`, { step: step.do });
      else
        evidence.gap('No indicator in the alert', 'Its content names no address, hash, account or host that could be looked up.', {
          step: step.do,
        });
      return;
    }
    case 'correlate': {
      const shared = await correlate({ by: step.by, withinDays: step.withinDays });
      for (const entity of shared.slice(0, 10)) {
        evidence.finding(
          pointsForRepetition(entity.alertCount),
          `${entity.kind} ${entity.value} was seen before`,
          seenIn(entity, step.withinDays),
        );
      }
      if (shared.length === 0)
        evidence.note('Nothing shared with earlier alerts', `None within ${step.withinDays} days carries the same indicators.`, {
          step: step.do,
        });
      return;
    }
    case 'ask':
    case 'summarise':
      // Questions were asked together before; the conclusion is the summary, which the lifecycle writes from the evidence.
      return;
  }
}

function valuesOf(entities: readonly Entity[], kind: Entity['kind']): string[] {
  return entities.filter((entity) => entity.kind === kind).map((entity) => entity.value);
}

/** A repetition makes suspicious, never malicious: noise repeats too. */
function pointsForRepetition(alertCount: number): number {
  return Math.min(15, 5 + alertCount);
}

function seenIn(entity: { alertCount: number; alertIds: readonly string[] }, withinDays: number): string {
  return `In ${entity.alertCount} earlier alert${entity.alertCount === 1 ? '' : 's'} within ${withinDays} days: ${entity.alertIds.join(', ')}`;
}
