import { ApplicationFailure } from '@temporalio/workflow';
import { catalogue } from '../../connectors/catalogue.js';
import type { Catalogue } from '../../connectors/kit/define.js';
import { alertTime } from '../../domain/alert/source-time.js';
import type { Entity, EntityKind, EntityRole } from '../../domain/entity/entity.js';
import type { SharedEntity } from '../../domain/investigation/investigation.js';
import { isDetailWanted, listDetailSteps } from '../../domain/playbook/details.js';
import { fillText } from '../../domain/playbook/fill-text.js';
import type { AskStep, Plan, PlanStep, ProposeStep } from '../../domain/playbook/playbook.js';
import type { AnswerFacts, Take } from '../../domain/playbook/read-answer.js';
import { type FactLink, type FactName, readSite } from '../../domain/verdict/fact.js';
import { compareSteps } from '../../domain/verdict/verdict.js';
import type { PlaybookContext } from '../playbook.js';
import { patched } from './patched.js';
import { type Asked, askEach, limitTo, listTaken, nameIndicators, reachesVerdict, weighRepetition } from './plan-steps.js';
import { daysBefore, isPublicAddress, listValues, onlySome, selectEntities, toIsoString, toShortHostName } from './playbook-helpers.js';
import { weighUnknown } from './unknown-subjects.js';
import { type KnownValue, weighRecords } from './weigh-records.js';

type Context = PlaybookContext<typeof catalogue>;
type Answers = ReadonlyMap<string, readonly Asked[]>;

/** Asks the questions of a plan, gives the answers their points and proposes what the verdict allows. */
export async function runPlan(context: Context, plan: Plan): Promise<void> {
  const details = listDetails(plan, context);
  const asking: Asking = { plan, replies: new Map(), names: new Map() };
  // Our own database answers while the third parties do.
  const [answers, shared] = await Promise.all([askAll(asking, details.steps, context), correlateAll(plan, context)]);
  const own = await findOwnDomains(plan, answers, context);
  forgetOwnDomains(own, context);
  forgetOtherMachines(context);
  weighContact(plan, answers, context);
  weighApprovedTest(context);
  const known = listKnownValues(plan, answers, context).filter(({ value }) => !own.has(value));
  for (const step of plan.steps) await runStep(step, known, shared, context);
  weighUnknown(context, plan, answers);
  await askDetails(asking, details, answers, context);
  for (const propose of listProposals(plan, context, answers)) await propose();
}

/**
 * Asks independent questions at once. A question that needs an earlier answer follows as soon as that answer arrives. Most steps of a
 * plan have nothing to ask about. They cost nothing, because the SDK traces every promise of a workflow.
 */
async function askAll(asking: Asking, details: ReadonlySet<string>, context: Context): Promise<Map<string, readonly Asked[]>> {
  const { plan, names } = asking;
  const asked = new Map<string, Promise<Asked[]>>();
  const missing = new Set<string>();
  for (const step of plan.steps) {
    if (step.do !== 'ask' || isMissingInput(step, context)) continue;
    const { each } = step;
    if (each.of === 'entity') {
      const items = withoutOwn(each, selectEntities(context.entities, each), context);
      const [connector = ''] = step.skill.split('.');
      if (items.length > 0 && !context.isConnected(connector)) missing.add(connector);
      else if (items.length > 0 && !details.has(step.id)) asked.set(step.id, ask(step, context, items, asking));
    } else if (!details.has(step.id)) {
      const earlier = asked.get(each.step);
      const follow = async (answers: Asked[]) => {
        noteNames(plan, each, answers, names);
        const items = withoutAsked(plan, step, findItems(each, answers), context);
        return ask(step, context, items, asking);
      };
      if (earlier) asked.set(step.id, earlier.then(follow));
    }
  }
  noteMissing(missing, context);
  const answers = await Promise.all(asked.values());
  return new Map([...asked.keys()].map((id, index) => [id, answers[index] ?? []]));
}

interface Details {
  readonly steps: ReadonlySet<string>;
  /** The kinds of the alert's entities. Absent: an earlier build did not compare them. */
  readonly kinds?: ReadonlySet<EntityKind>;
}

/** Earlier builds asked for details together with the rest. */
function listDetails(plan: Plan, { entities, isConnected }: Context): Details {
  const isAnyAsked = (ids: ReadonlySet<string>) =>
    plan.steps.some((step) => step.do === 'ask' && ids.has(step.id) && isConnected(step.skill.split('.')[0] ?? ''));
  const always = listDetailSteps(plan);
  if (isAnyAsked(always) && !patched('details-last')) return { steps: new Set() };
  const kinds = new Set(entities.map(({ kind }) => kind));
  const now = listDetailSteps(plan, kinds);
  const others = new Set([...now].filter((id) => !always.has(id)));
  return isAnyAsked(others) && patched('details-without-proof')
    ? { steps: now, kinds }
    : { steps: isAnyAsked(always) ? always : new Set() };
}

/** Asks the questions that only describe, when the verdict is known. A note names those whose answers cannot matter. */
async function askDetails(
  asking: Asking,
  { steps: details, kinds }: Details,
  answers: Map<string, readonly Asked[]>,
  context: Context,
): Promise<void> {
  const { alert, entities, evidence } = context;
  const left = new Map<string, number>();
  for (const step of asking.plan.steps) {
    if (step.do !== 'ask' || !details.has(step.id) || isMissingInput(step, context)) continue;
    const { each, skill } = step;
    const [connector = '', verb = ''] = skill.split('.');
    if (!context.isConnected(connector)) continue;
    const earlier = each.of === 'answer' ? (answers.get(each.step) ?? []) : [];
    const items =
      each.of === 'answer'
        ? withoutAsked(asking.plan, step, findItems(each, earlier), context)
        : withoutOwn(each, selectEntities(entities, each), context);
    if (items.length === 0) continue;
    if (each.of === 'answer') noteNames(asking.plan, each, earlier, asking.names);
    if (isDetailWanted(step, evidence.entries, { sourceSeverity: alert.sourceSeverity ?? null }, kinds))
      answers.set(step.id, await ask(step, context, items, asking));
    else {
      const title = findTitle(connector, verb);
      left.set(title, (left.get(title) ?? 0) + Math.min(items.length, each.atMost));
    }
  }
  const names = [...left].map(([title, count]) => `${title} (${count})`);
  if (names.length > 0)
    evidence.note(
      'Not asked: the answers cannot change the verdict',
      `${names.join(', ')}. Run a skill on the connection to see its answer.`,
      {
        step: 'details-not-asked',
      },
    );
}

function findTitle(connector: string, verb: string): string {
  const skills: Catalogue[string]['skills'] | undefined = Object.entries<Catalogue[string]>(catalogue).find(
    ([name]) => name === connector,
  )?.[1].skills;
  return skills?.[verb]?.title ?? verb;
}

/** One gap for all, because an organization rarely has every third party. */
function noteMissing(missing: ReadonlySet<string>, { evidence }: Context): void {
  if (missing.size === 0) return;
  const titles = Object.entries(catalogue)
    .filter(([name]) => missing.has(name))
    .map(([, { title }]) => title);
  evidence.gap(
    'Some third parties are not connected',
    `The organization has no connection to: ${titles.join(', ')}. Connect them to answer more questions.`,
    {
      step: 'not-connected',
    },
  );
}

/** Third parties are not asked about the reputation of the organization's own addresses and domains. */
function withoutOwn({ kind, only }: Extract<AskStep['each'], { of: 'entity' }>, values: readonly string[], { own }: Context): string[] {
  const isAboutReputation = (kind === 'ip' || kind === 'domain' || kind === 'url') && only !== 'private' && only !== 'machine-like';
  if (!isAboutReputation) return [...values];
  return values.filter((value) => !own.some((entity) => entity.kind === kind && entity.value === value));
}

/** A question that also needs another entity of the alert, such as the vulnerability, is not asked without it. */
function isMissingInput({ input }: AskStep, { entities }: Context): boolean {
  return Object.values(input).some(
    (source) => (source.take === 'alert-entity' || source.take === 'alert-entities') && listValues(entities, source.kind).length === 0,
  );
}

type OfAnswers = Extract<AskStep['each'], { of: 'answer' }>;

function findItems(each: OfAnswers, answers: readonly Asked[]): string[] {
  return onlySome(listTaken(answers, each), each.only);
}

/** Leaves out what the alert itself names, if the plan asks the same about it. */
function withoutAsked({ steps }: Plan, { skill, input }: AskStep, items: readonly string[], { entities }: Context): string[] {
  const same = JSON.stringify(input);
  const named = steps.flatMap((step) =>
    step.do === 'ask' && step.each.of === 'entity' && step.skill === skill && JSON.stringify(step.input) === same
      ? selectEntities(entities, step.each).map((value) => value.toLowerCase())
      : [],
  );
  const others = items.filter((item) => !named.includes(item.toLowerCase()));
  // Earlier builds noted the same answer twice.
  return others.length < items.length && patched('asked-once') ? others : [...items];
}

/** What the plan reads in the answers of a step: for later steps, for the search of records, and to know own machines. */
function listTakes({ steps }: Plan, { id, leadsTo = [], identifies }: AskStep): Take[] {
  const forLaterSteps = steps.flatMap((step) =>
    (step.do === 'ask' || step.do === 'propose') && step.each.of === 'answer' && step.each.step === id ? [step.each] : [],
  );
  return [...leadsTo, ...(identifies === undefined ? [] : [identifies]), ...forLaterSteps].map(({ path, when }: Take) => ({ path, when }));
}

/** What the questions of an investigation share. */
interface Asking {
  readonly plan: Plan;
  readonly replies: Map<string, Promise<object | null>>;
  /** The name of a machine, for each id that an answer gave it. */
  readonly names: Map<string, string>;
}

/** Ids of machines say nothing to a reader. */
function noteNames({ steps }: Plan, each: OfAnswers, answers: readonly Asked[], names: Map<string, string>): void {
  const isAboutMachines = steps.some((step) => step.do === 'ask' && step.id === each.step && step.identifies?.asset === 'machine');
  if (!isAboutMachines) return;
  for (const asked of answers) for (const item of listTaken([asked], each)) names.set(item, asked.about);
}

async function ask(step: AskStep, context: Context, items: readonly string[], { plan, replies, names }: Asking): Promise<Asked[]> {
  const { id, why, each, proves, shows } = step;
  const { evidence } = context;
  const perform = findFunction(step, context.skills);
  // Two ways can lead to the same question. It is asked once.
  const performOnce = (input: Record<string, unknown>) => {
    const key = `${step.skill} ${JSON.stringify(input)}`;
    const reply = replies.get(key) ?? perform(input);
    replies.set(key, reply);
    return reply;
  };
  if (items.length === 0) return [];
  noteUnaskedEntities(step, context);
  const answered = await askEach(evidence, { id, atMost: each.atMost, isHop: each.of === 'answer' }, items, (item) =>
    performOnce(createInput(step, item, context)),
  );
  const question = { proves, shows, takes: listTakes(plan, step) };
  const read = answered.map(({ answer }) => context.readAnswer(answer, question));
  // Only a large answer needs a wait, which would change the order of the steps in recorded histories.
  const facts = read.every(isRead) ? read : await Promise.all(read);
  const asked = answered.flatMap((each, index) => {
    const found = facts[index];
    return found === undefined ? [] : [{ ...each, facts: found }];
  });
  const isPart = each.of === 'answer' && items.length > each.atMost;
  for (const { about: item, answer, step: place, facts } of asked) {
    const name = names.get(item) ?? item;
    const proof = facts.proof === null ? undefined : proves[facts.proof.index];
    // What holds for some machines of an answer does not clear the others.
    if (proof === undefined || (isPart && proof.points < 0)) {
      if (facts.shown !== '') evidence.note(`Details of ${name}`, facts.shown, { step: place, from: answer });
      continue;
    }
    evidence.finding(proof.points, `${proof.says}: ${name}`, facts.shown || why, {
      step: place,
      from: answer,
      otherFact: true,
      techniques: proof.techniques,
      ...(proof.fact === undefined
        ? {}
        : {
            fact: {
              name: proof.fact,
              at: facts.proof?.at ?? null,
              link: readLink(step.each),
              about: [...new Set([item, name].map((value) => value.toLowerCase()))],
            },
          }),
    });
  }
  return asked;
}

/** A list of entities in the input has a limit. */
function noteUnaskedEntities({ id, input }: AskStep, { entities, evidence }: Context): void {
  for (const source of Object.values(input)) {
    if (source.take !== 'alert-entities') continue;
    const count = listValues(entities, source.kind).length;
    if (count > source.atMost)
      evidence.leftOut(`Not everything was checked: ${id.replaceAll('-', ' ')}`, `Checked ${source.atMost} of ${count}.`);
  }
}

function isRead(facts: AnswerFacts | Promise<AnswerFacts>): facts is AnswerFacts {
  return 'taken' in facts;
}

/** The ids of records at third parties. */
const RECORD_KINDS: readonly EntityKind[] = ['incident-id', 'alert-id', 'investigation-id'];
const ASSET_KINDS: readonly EntityKind[] = ['host', 'machine-id', 'user', 'email'];

function readLink(each: AskStep['each']): FactLink {
  return each.of === 'answer' ? 'asset' : findLink(each.kind);
}

type Correlations = ReadonlyMap<PlanStep, readonly SharedEntity[]>;

/** The entities that earlier alerts share, for each step that asks for them. */
async function correlateAll({ steps }: Plan, { correlate }: Context): Promise<Correlations> {
  const found = new Map<PlanStep, readonly SharedEntity[]>();
  for (const step of steps) if (step.do === 'correlate') found.set(step, await correlate({ by: step.by, withinDays: step.withinDays }));
  return found;
}

/** Awaiting each step in turn keeps the order of commands in recorded histories. */
async function runStep(step: PlanStep, known: readonly KnownValue[], shared: Correlations, context: Context): Promise<void> {
  if (step.do === 'extract-indicators') nameIndicators(context, step.of);
  if (step.do === 'search-records') await weighRecords(context, known);
  if (step.do === 'correlate') weighRepetition(context.evidence, shared.get(step) ?? [], step.withinDays);
}

/** The entities of the alert, and those that the answers found. */
function listKnownValues(plan: Plan, answers: Answers, { entities }: Context): KnownValue[] {
  const found = plan.steps.flatMap((step): KnownValue[] => {
    if (step.do !== 'ask') return [];
    return (step.leadsTo ?? []).flatMap(({ kind, path }) =>
      listTaken(answers.get(step.id) ?? [], { path }).map((value) => ({
        kind,
        value,
        link: findLink(kind),
      })),
    );
  });
  return [...entities.map(({ kind, value }) => ({ kind, value, link: findLink(kind) })), ...found];
}

function findLink(kind: EntityKind): FactLink {
  if (RECORD_KINDS.includes(kind)) return 'named';
  return ASSET_KINDS.includes(kind) ? 'asset' : 'indicator';
}

interface OwnAsset {
  readonly asset: 'machine' | 'account';
  readonly name: string;
  /** Whether the alert names it. Otherwise an answer led to it. */
  readonly isNamed: boolean;
  readonly answer: object;
}

/** The machines and accounts of the alert that a third party knows as the organization's. */
function listOwnAssets(plan: Plan, answers: Answers): OwnAsset[] {
  return plan.steps.flatMap((step): OwnAsset[] => {
    if (step.do !== 'ask' || step.identifies === undefined) return [];
    const { asset, path } = step.identifies;
    const hostPath = step.leadsTo?.find(({ kind }) => kind === 'host')?.path;
    return (answers.get(step.id) ?? [])
      .filter((asked) => listTaken([asked], { path }).length > 0)
      .flatMap((asked) => {
        const hosts = hostPath === undefined ? [] : listTaken([asked], { path: hostPath });
        const { about, answer } = asked;
        return (hosts.length > 0 ? hosts : [about]).map((name) => ({ asset, name, isNamed: step.each.of === 'entity', answer }));
      });
  });
}

/** A malicious indicator is worse if an own machine or account had to do with it, or if the alert names another one. */
function weighContact(plan: Plan, answers: Answers, { evidence }: Context): void {
  const malicious = evidence.entries.filter(({ fact }) => fact?.name === 'malicious-reputation').sort(compareSteps);
  const [first] = malicious;
  if (!first) return;
  const sites = new Set(malicious.flatMap(({ fact }) => fact?.about ?? []).map(readSite));
  if (sites.size > 1)
    evidence.fact({ name: 'several-indicators' }, `Several malicious indicators: ${sites.size}`, [...sites].slice(0, 5).join(', '), {
      step: 'several-indicators',
      ...(first.source ? { source: first.source } : {}),
    });
  const own = listOwnAssets(plan, answers);
  const [asset] = own;
  if (!asset) return;
  const show = (each: OwnAsset) => `${each.asset} ${findFullName(each, own)}`;
  const named = [...new Set(own.filter(({ isNamed }) => isNamed).map(show))];
  const found = [...new Set(own.map(show))].filter((name) => !named.includes(name));
  const names = [...named, ...found].slice(0, 5).join(', ');
  const ways = [
    ...(named.length > 0 ? [`The alert connects it with ${named.slice(0, 5).join(', ')}.`] : []),
    ...(found.length > 0 ? [`Third parties connect it with ${found.slice(0, 5).join(', ')}.`] : []),
  ];
  evidence.fact({ name: 'contact' }, `Contact with a malicious indicator: ${names}`, [`${first.title}.`, ...ways].join(' '), {
    step: 'contact',
    from: asset.answer,
  });
}

/** A machine is often known by its short and by its full name. */
function findFullName({ asset, name }: OwnAsset, own: readonly OwnAsset[]): string {
  if (asset !== 'machine') return name;
  const short = `${name.toLowerCase()}.`;
  return own.map((each) => each.name.toLowerCase()).find((other) => other.startsWith(short)) ?? name.toLowerCase();
}

const INDICATOR_KINDS: readonly EntityKind[] = ['ip', 'domain', 'url', 'hash', 'email'];
/** A scanner acts; an attack on it is no test. */
const ACTED_ON: readonly (EntityRole | undefined)[] = ['destination', 'victim'];

/** An attacker may write the name of a scanner or a drill into an alert. It counts only if the alert names no foreign indicator. */
function weighApprovedTest({ entities, own, evidence }: Context): void {
  const ownValues = new Map(own.map((entity) => [`${entity.kind} ${entity.value}`, entity]));
  const findOwn = ({ kind, value }: Pick<Entity, 'kind' | 'value'>) => ownValues.get(`${kind} ${value}`);
  const tests = entities.filter((entity) => findOwn(entity)?.approved_test === true && !ACTED_ON.includes(entity.role));
  const [first] = tests;
  const indicators = entities.filter(({ kind, value }) => INDICATOR_KINDS.includes(kind) && (kind !== 'ip' || isPublicAddress(value)));
  if (!first || indicators.some((entity) => findOwn(entity) === undefined)) return;
  const reasons = [...new Set(tests.map((entity) => findOwn(entity)?.reason ?? ''))].slice(0, 5).join(', ');
  evidence.fact(
    { name: 'approved-test', about: tests.map(({ value }) => value.toLowerCase()).slice(0, 50) },
    `Approved test: ${first.value}`,
    `The organization's knowledge lists it: ${reasons}. The alert names no indicator that does not belong to the organization.`,
    { step: 'approved-test' },
  );
}

/** The reputation of the organization's own domain says nothing about the alert. */
function forgetOwnDomains(own: ReadonlySet<string>, { evidence }: Context): void {
  for (const { step, title, reason, source, fact } of evidence.entries)
    if (fact !== undefined && HARMLESS.includes(fact.name) && fact.about?.some((value) => own.has(readSite(value))))
      evidence.note(title, reason, { step, ...(source ? { source } : {}) });
}

/** If the alert names a machine, the vulnerabilities of other machines say nothing about it. */
function forgetOtherMachines({ entities, evidence }: Context): void {
  const isAboutMachine = entities.some(({ kind }) => kind === 'host' || kind === 'machine-id');
  const isPresent = evidence.entries.some(({ fact }) => fact !== undefined && ON_THE_MACHINE.includes(fact.name));
  if (!isAboutMachine || isPresent) return;
  for (const { step, title, reason, source, fact } of evidence.entries)
    if (fact !== undefined && ON_ANY_MACHINE.includes(fact.name)) evidence.note(title, reason, { step, ...(source ? { source } : {}) });
}

const ON_THE_MACHINE: readonly FactName[] = ['vulnerability-present', 'exploited-vulnerability', 'exploitable-vulnerability'];
const ON_ANY_MACHINE: readonly FactName[] = [
  'exploited-in-organization',
  'exploitable-in-organization',
  'dangerous-vulnerability',
  'doubtful-vulnerability',
];
const HARMLESS: readonly FactName[] = ['clean-reputation', 'unknown-reputation'];

/** The domains of machines and accounts: of those that the alert names as such, and of those that a third party knows. */
async function findOwnDomains(plan: Plan, answers: Answers, context: Context): Promise<Set<string>> {
  const { entities, evidence } = context;
  const named = entities.filter(({ kind }) => kind === 'user' || kind === 'host').map(({ value }) => value);
  const known = listOwnAssets(plan, answers).map(({ name }) => name.toLowerCase());
  const parents = known.map(readParentDomain).filter((parent) => parent !== null);
  const isOwn = (domain: string) =>
    [...named, ...known].some((name) => name.endsWith(`@${domain}`) || name.endsWith(`.${domain}`)) ||
    parents.some((parent) => domain.endsWith(`.${parent}`));
  const own = new Set([
    ...listSites(entities).filter(isOwn),
    ...context.own.filter(({ individual }) => !individual).map(({ value }) => value),
  ]);
  // Only domains without a reputation need this: it decides whether a missing reputation says anything.
  const unknown = evidence.entries.flatMap(({ fact }) => (fact?.name === 'unknown-reputation' ? (fact.about ?? []).map(readSite) : []));
  const open = [...new Set(unknown)].filter((site) => site.includes('.') && !own.has(site)).sort();
  const likely = open.length > 0 ? await context.findLikelyOwn(open) : [];
  return new Set([...own, ...likely]);
}

function listSites(entities: readonly Entity[]): string[] {
  return entities.filter(({ kind }) => kind === 'domain' || kind === 'url').map(({ value }) => readSite(value));
}

/** `acme.example` of `jane@acme.example` and of `ws-1.acme.example`. Others of the same domain belong to the organization too. */
function readParentDomain(name: string): string | null {
  const domain = name.includes('@') ? name.slice(name.lastIndexOf('@') + 1) : name.split('.').slice(1).join('.');
  return domain.includes('.') ? domain : null;
}

/** Returns the proposals that the verdict so far allows. */
function listProposals(plan: Plan, context: Context, answers: Answers): (() => Promise<unknown>)[] {
  const { evidence, entities } = context;
  const due = plan.steps.filter((step) => step.do === 'propose').filter(({ from }) => reachesVerdict(evidence, from));
  const proposed = new Set<string>();
  return due.flatMap((step) => {
    const { id, why, each, releaseAfterHours } = step;
    const items = each.of === 'entity' ? selectEntities(entities, each) : findItems(each, answers.get(each.step) ?? []);
    const propose = findFunction(step, context.propose);
    const options = { reason: why, ...(releaseAfterHours === undefined ? {} : { releaseAfterHours }) };
    return limitTo(evidence, { id, atMost: each.atMost }, items).flatMap((item) => {
      const input = createInput(step, item, context);
      // Several steps can find the same machine.
      const key = `${step.skill} ${JSON.stringify(input)}`;
      if (proposed.has(key)) return [];
      proposed.add(key);
      return [() => propose(input, options)];
    });
  });
}

type Call = (...given: unknown[]) => Promise<object | null>;

function findFunction({ skill }: AskStep | ProposeStep, connectors: object): Call {
  const [connector = '', verb = ''] = skill.split('.');
  const found: unknown = Object.entries(connectors).find(([name]) => name === connector)?.[1];
  const perform: unknown = Object.entries(found ?? {}).find(([name]) => name === verb)?.[1];
  if (typeof perform !== 'function') throw ApplicationFailure.nonRetryable(`The plan uses the unknown skill ${skill}.`, 'UnknownSkill');
  return (...given) => perform(...given);
}

function createInput({ input }: AskStep | ProposeStep, item: string, context: Context): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([field, source]) => [field, readValue(source, item, context)]));
}

function readValue(source: AskStep['input'][string], item: string, { alert, entities }: Context): unknown {
  switch (source.take) {
    case 'value':
      return source.value;
    case 'item':
      return item;
    case 'item-in-list':
      return [...new Set([item, source.alsoShort ? toShortHostName(item) : item])].map((each) => `${source.prefix ?? ''}${each}`);
    case 'alert-entity':
      return listValues(entities, source.kind)[0];
    case 'alert-entities':
      return listValues(entities, source.kind).slice(0, source.atMost);
    case 'text':
      return fillText(source.text, item);
    case 'alert-time': {
      const seconds = daysBefore(alertTime(alert), source.minusDays ?? 0);
      return source.as === 'seconds' ? seconds : toIsoString(seconds);
    }
  }
}
