import type { catalogue } from '../../activities/connectors/catalogue.js';
import type { EntityKind } from '../../domain/alert/entity.js';
import { concludeFrom } from '../../domain/investigation/verdict.js';
import { type ConditionFacts, holds, valuesAt } from '../../domain/playbook/conditions.js';
import { placesIn } from '../../domain/playbook/place.js';
import type { ALERT_COMPARISONS, Condition } from '../../domain/playbook/playbook.js';
import type { PlaybookContext } from '../playbook.js';
import type { EvidenceLog } from './evidence-log.js';
import { alertTime, isPublicAddress } from './playbook-helpers.js';

/** What a stored plan and a playbook that was ejected from one do alike. */
type Context = PlaybookContext<typeof catalogue>;

/** One question that was answered. */
export interface Asked<Answer extends object = object> {
  /** The entity, or the item of an earlier answer, that was asked about. */
  readonly about: string;
  readonly answer: Answer;
  /** Where in the evidence a finding about it belongs. */
  readonly step: string;
  /** How many there were to ask about, with those that were left out or not answered. */
  readonly outOf: number;
}

/** Asks about each, as many as the step allows; what has no answer is a gap already, and left out here. */
export async function askEach<Answer extends object>(
  evidence: EvidenceLog,
  step: { id: string; atMost: number },
  items: readonly string[],
  ask: (item: string) => Promise<Answer | null>,
): Promise<Asked<Answer>[]> {
  const asked = items.slice(0, step.atMost);
  if (items.length > asked.length)
    evidence.leftOut(`Not everything was looked at: ${step.id.replaceAll('-', ' ')}`, `${asked.length} of ${items.length}.`);
  const answers = await Promise.all(asked.map((item) => ask(item)));
  return answers.flatMap((answer, index) =>
    answer === null ? [] : [{ about: asked[index] ?? '', answer, step: `${step.id.slice(0, 95)}-${index + 1}`, outOf: items.length }],
  );
}

/** As many as are proposed; a note says what was left out. */
export function limitTo(evidence: EvidenceLog, step: { id: string; atMost: number }, items: readonly string[]): string[] {
  const taken = items.slice(0, step.atMost);
  if (items.length > taken.length)
    evidence.note(`Not everything was proposed: ${step.id.replaceAll('-', ' ')}`, `${taken.length} of ${items.length}.`);
  return taken;
}

/** Everything at a path of these answers, each once; only of answers for which the conditions hold. */
export function itemsAt(asked: readonly Asked[], path: string, isMeant: (answer: object) => boolean = () => true): string[] {
  return [...new Set(asked.filter(({ answer }) => isMeant(answer)).flatMap(({ answer }) => valuesAt(answer, path).map(String)))];
}

/** `has(answer, 'items[].riskScore', 'equals', 'High')`: whether any value at the path fits. */
export function has(
  answer: object,
  path: Condition['path'],
  is: Exclude<Condition['is'], AlertComparison>,
  value?: Condition['value'],
): boolean {
  return holds({ path, is, ...(value === undefined ? {} : { value }) }, answer, NOTHING_TOLD);
}

type AlertComparison = (typeof ALERT_COMPARISONS)[number];
const NOTHING_TOLD: ConditionFacts = { places: [], at: 0 };

/** What answers are compared with: read once, however many there are. */
export function readAlertFacts(alert: Context['alert']): ConditionFacts {
  return { places: placesIn(alert.content), at: alertTime(alert) };
}

/** `fitsAlert(booking, 'destination', 'alert-place', facts)`: whether what stands there fits what the alert says. */
export function fitsAlert(answer: object, path: Condition['path'], is: AlertComparison, facts: ConditionFacts): boolean {
  return holds({ path, is }, answer, facts);
}

/** Whether one and the same item of a list in the answer is as it has to be. */
export function hasOne(answer: object, path: string, isMeant: (item: object) => boolean): boolean {
  return valuesAt(answer, path).some((item) => typeof item === 'object' && item !== null && isMeant(item));
}

/** The facts of an answer that are worth reading. */
export function shown(answer: object, paths: readonly string[], otherwise = 'The answer names no more.'): string {
  const facts = paths.flatMap((path) => {
    const values = [...new Set(valuesAt(answer, path).map(String))].slice(0, 10);
    return values.length === 0 ? [] : [`${path.replaceAll('[]', '').replaceAll('items.', '')}: ${values.join(', ')}`];
  });
  return facts.length === 0 ? otherwise : facts.join('; ');
}

/** For a question that decides nothing: what was learned, for whoever reads the case. */
export function noteFacts(evidence: EvidenceLog, asked: readonly Asked[], paths: readonly string[]): void {
  for (const { about, answer, step } of asked) {
    const facts = shown(answer, paths, '');
    if (facts !== '') evidence.note(`What is known of ${about}`, facts, { step, from: answer });
  }
}

/**
 * Weighs what one skill said in answer to all its questions. Of what speaks for malice the gravest of a question counts: ten bad
 * addresses are one fact. What speaks against it counts once, and only where it was said of everything: good names beside an
 * unknown file say nothing about the file. The rest stays to be read.
 */
export function weighTogether(evidence: EvidenceLog, ...questions: readonly (readonly Asked[])[]): void {
  const findings = new Map(evidence.entries.filter(({ kind }) => kind === 'finding').map((entry) => [entry.step, entry]));
  const ofQuestions = questions.map((asked) => asked.flatMap(({ step }) => findings.get(step) ?? []));
  const counted = ofQuestions.flatMap((entries) => entries.filter(({ points }) => points > 0).sort((a, b) => b.points - a.points)[0] ?? []);
  const isGood = ({ about, answer, step }: Asked) => (findings.get(step)?.points ?? 0) < 0 || saysNothing(about, answer);
  const isAllGood = questions.every((asked) => asked.every((each) => isGood(each) && asked.length === each.outOf));
  const against = ofQuestions.flat().filter(({ points }) => points < 0);
  if (isAllGood) counted.push(...against.sort((a, b) => a.points - b.points).slice(0, 1));
  for (const entry of ofQuestions.flat().filter((each) => !counted.includes(each)))
    evidence.note(entry.title, entry.reason, {
      step: entry.step,
      techniques: entry.techniques,
      ...(entry.source ? { source: entry.source } : {}),
    });
}

/** Addresses of networks of one's own are known to nobody outside, and an empty list is about something that is not there. */
function saysNothing(about: string, answer: object): boolean {
  return !isPublicAddress(about) || valuesAt(answer, 'items').some((items) => Array.isArray(items) && items.length === 0);
}

const INDICATORS_STEP = 'extract-indicators';

/** Names what the alert carries; an alert that carries nothing cannot be looked up. */
export function nameIndicators({ entities, evidence }: Pick<Context, 'entities' | 'evidence'>, kinds: readonly EntityKind[]): void {
  const found = entities.filter((entity) => kinds.includes(entity.kind));
  const named = found.slice(0, 20).map((entity) => `${entity.kind} ${entity.value}`);
  if (found.length > 0) evidence.note('Indicators in the alert', `${found.length} found: ${named.join(', ')}`, { step: INDICATORS_STEP });
  else
    evidence.gap('No indicator in the alert', 'Its content names no address, hash, account or host that could be looked up.', {
      step: INDICATORS_STEP,
    });
}

/** Weighs what earlier alerts of the organization carry too. */
export async function weighRepetition(
  { evidence, correlate }: Pick<Context, 'evidence' | 'correlate'>,
  question: { by: EntityKind[]; withinDays: number },
): Promise<void> {
  const [widest, ...others] = await correlate(question);
  if (widest) {
    const also = others.slice(0, 9).map(({ kind, value, alertCount }) => `${kind} ${value} (${alertCount})`);
    const reason = [seenIn(widest, question.withinDays), ...(also.length > 0 ? [`also shared: ${also.join(', ')}`] : [])].join('; ');
    evidence.finding(pointsForRepetition(widest.alertCount), `${widest.kind} ${widest.value} was seen before`, reason);
  } else
    evidence.note('Nothing shared with earlier alerts', `None within ${question.withinDays} days carries the same indicators.`, {
      step: 'correlate',
    });
}

/** A repetition makes suspicious, never malicious: noise repeats too, and one alert that comes again brings all it carries. */
function pointsForRepetition(alertCount: number): number {
  return Math.min(15, 5 + alertCount);
}

function seenIn(entity: { alertCount: number; alertIds: readonly string[] }, withinDays: number): string {
  return `In ${entity.alertCount} earlier alert${entity.alertCount === 1 ? '' : 's'} within ${withinDays} days: ${entity.alertIds.join(', ')}`;
}

/** What the evidence comes to so far. */
export function reachesVerdict(evidence: EvidenceLog, verdict: 'suspicious' | 'malicious'): boolean {
  const found = concludeFrom(evidence.entries).verdict;
  return found === 'malicious' || found === verdict;
}
