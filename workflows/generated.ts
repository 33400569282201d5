import { ApplicationFailure } from '@temporalio/workflow';
import { type ConditionFacts, findProof, holds } from '../domain/playbook/conditions.js';
import type { AskStep, Plan, PlanStep, ProposeStep } from '../domain/playbook/playbook.js';
import {
  type Asked,
  askEach,
  itemsAt,
  limitTo,
  nameIndicators,
  noteFacts,
  reachesVerdict,
  readAlertFacts,
  shown,
  weighRepetition,
  weighTogether,
} from './lib/plan-steps.js';
import { alertTime, daysBefore, selectEntities, toIsoString } from './lib/playbook-helpers.js';
import { type PlaybookContext, playbook } from './playbook.js';

type Context = PlaybookContext<typeof import('../activities/connectors/catalogue.js').catalogue>;
type Answers = ReadonlyMap<string, readonly Asked[]>;

/** Runs the stored plan of any generated playbook. */
export const generated = playbook({ alertTypes: [] }, async (context) => {
  if (context.plan === null) throw ApplicationFailure.nonRetryable('The playbook has no stored plan.', 'PlaybookWithoutPlan');
  const facts = readAlertFacts(context.alert);
  const answers = await askAll(context.plan, context, facts);
  const weighing = context.plan.steps.filter((step) => step.do === 'ask').filter(({ proves }) => proves.length > 0);
  for (const skill of new Set(weighing.map((step) => step.skill)))
    weighTogether(context.evidence, ...weighing.filter((step) => step.skill === skill).map(({ id }) => answers.get(id) ?? []));
  const others = context.plan.steps.filter((step) => step.do !== 'propose' && step.do !== 'summarise');
  for (const step of others) await runStep(step, context);
  for (const propose of listProposals(context.plan, context, answers, facts)) await propose();
});

/** Asks independent questions at once. A question that needs an earlier answer follows as soon as that answer arrives. */
async function askAll(plan: Plan, context: Context, facts: ConditionFacts): Promise<Answers> {
  const asked = new Map<string, Promise<Asked[]>>();
  const steps = plan.steps.filter((step) => step.do === 'ask');
  const askOnce = (step: AskStep): Promise<Asked[]> => {
    const known = asked.get(step.id) ?? ask(step, context, selectItems(step), facts);
    asked.set(step.id, known);
    return known;
  };
  const selectItems = async (step: AskStep): Promise<string[]> => {
    const { each } = step;
    if (each.of === 'entity') return selectEntities(context.entities, each);
    const earlier = steps.find((other) => other.id === each.step && steps.indexOf(other) < steps.indexOf(step));
    return earlier ? findItems(each, await askOnce(earlier), facts) : [];
  };
  const answers = await Promise.all(steps.map(askOnce));
  return new Map(steps.map(({ id }, index) => [id, answers[index] ?? []]));
}

type OfAnswers = Extract<AskStep['each'], { of: 'answer' }>;

function findItems({ path, when = [] }: OfAnswers, answers: readonly Asked[], facts: ConditionFacts): string[] {
  return itemsAt(answers, path, (answer) => when.every((condition) => holds(condition, answer, facts)));
}

async function ask(step: AskStep, context: Context, about: Promise<string[]>, facts: ConditionFacts): Promise<Asked[]> {
  const { id, why, each, proves, shows } = step;
  const { evidence } = context;
  const perform = findFunction(step, context.skills);
  const asked = await askEach(evidence, { id, atMost: each.atMost }, await about, (item) => perform(createInput(step, item, context)));
  for (const { about: item, answer, step: place } of asked) {
    const proof = findProof(proves, answer, facts);
    if (proof !== null)
      evidence.finding(proof.points, `${proof.says}: ${item}`, shown(answer, shows, why), {
        step: place,
        from: answer,
        techniques: proof.techniques,
      });
  }
  if (proves.length === 0) noteFacts(evidence, asked, shows);
  return asked;
}

/** Returns the proposals that the verdict so far allows. */
function listProposals(plan: Plan, context: Context, answers: Answers, facts: ConditionFacts): (() => Promise<unknown>)[] {
  const { evidence, entities } = context;
  const due = plan.steps.filter((step) => step.do === 'propose').filter(({ from }) => reachesVerdict(evidence, from));
  return due.flatMap((step) => {
    const { id, why, each, releaseAfterHours } = step;
    const items = each.of === 'entity' ? selectEntities(entities, each) : findItems(each, answers.get(each.step) ?? [], facts);
    const propose = findFunction(step, context.propose);
    const options = { reason: why, ...(releaseAfterHours === undefined ? {} : { releaseAfterHours }) };
    return limitTo(evidence, { id, atMost: each.atMost }, items).map((item) => () => propose(createInput(step, item, context), options));
  });
}

type Call = (...given: unknown[]) => Promise<object | null>;

function findFunction({ skill }: AskStep | ProposeStep, connectors: object): Call {
  const [connector = '', verb = ''] = skill.split('.');
  const found: unknown = Object.entries(connectors).find(([name]) => name === connector)?.[1];
  const perform: unknown = Object.entries(found ?? {}).find(([name]) => name === verb)?.[1];
  if (typeof perform !== 'function') throw ApplicationFailure.nonRetryable(`The plan uses the unknown skill ${skill}.`, 'UnknownSkill');
  return async (...given) => perform(...given);
}

function createInput({ input }: AskStep | ProposeStep, item: string, context: Context): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([field, source]) => [field, readValue(source, item, context)]));
}

function readValue(source: AskStep['input'][string], item: string, { alert }: Context): unknown {
  switch (source.take) {
    case 'value':
      return source.value;
    case 'item':
      return item;
    case 'item-in-list':
      return [item];
    case 'alert-time': {
      const seconds = daysBefore(alertTime(alert), source.minusDays ?? 0);
      return source.as === 'seconds' ? seconds : toIsoString(seconds);
    }
  }
}

/** Awaiting each step in turn keeps the order of commands in recorded histories. */
async function runStep(step: PlanStep, context: Context): Promise<void> {
  if (step.do === 'extract-indicators') nameIndicators(context, step.of);
  if (step.do === 'correlate') await weighRepetition(context, { by: step.by, withinDays: step.withinDays });
}
