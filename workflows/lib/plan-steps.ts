import type { catalogue } from '../../connectors/catalogue.js';
import type { EntityKind } from '../../domain/entity/entity.js';
import { isFrequent, type SharedEntity } from '../../domain/investigation/investigation.js';
import { type AnswerFacts, keyOfTake, type Take } from '../../domain/playbook/read-answer.js';
import { concludeFrom } from '../../domain/verdict/verdict.js';
import type { PlaybookContext } from '../playbook.js';
import type { EvidenceLog } from './evidence-log.js';

type Context = PlaybookContext<typeof catalogue>;

/** An answered question. */
export interface Answered {
  /** The entity or the item of an earlier answer. */
  readonly about: string;
  readonly answer: object;
  /** The evidence step for a finding about it. */
  readonly step: string;
}

/** An answered question, and what the plan reads in its answer. */
export interface Asked extends Answered {
  readonly facts: AnswerFacts;
}

/** Asks about each item, up to the limit of the step. Returns only answered questions; the others are gaps in the evidence. */
export async function askEach(
  evidence: EvidenceLog,
  step: { id: string; atMost: number; isHop?: boolean },
  items: readonly string[],
  ask: (item: string) => Promise<object | null>,
): Promise<Answered[]> {
  const asked = items.slice(0, step.atMost);
  // What an answer found is not part of the alert, so a part of it is enough.
  if (items.length > asked.length && step.isHop !== true)
    evidence.leftOut(`Not everything was checked: ${step.id.replaceAll('-', ' ')}`, `Checked ${asked.length} of ${items.length}.`);
  const answers = await Promise.all(asked.map((item) => ask(item)));
  return answers.flatMap((answer, index) =>
    answer === null ? [] : [{ about: asked[index] ?? '', answer, step: `${step.id.slice(0, 97)}-${index + 1}` }],
  );
}

/** Limits the number of proposals. A note records how many were left out. */
export function limitTo(evidence: EvidenceLog, step: { id: string; atMost: number }, items: readonly string[]): string[] {
  const taken = items.slice(0, step.atMost);
  if (items.length > taken.length)
    evidence.note(`Not everything was proposed: ${step.id.replaceAll('-', ' ')}`, `Proposed ${taken.length} of ${items.length}.`);
  return taken;
}

/** Returns the distinct values that the plan takes from the answers. */
export function listTaken(asked: readonly Asked[], take: Take): string[] {
  return [...new Set(asked.flatMap(({ facts }) => facts.taken[keyOfTake(take)] ?? []))];
}

const INDICATORS_STEP = 'extract-indicators';

/** Lists the indicators of the alert in a note. An alert without indicators is a gap. */
export function nameIndicators({ entities, evidence }: Pick<Context, 'entities' | 'evidence'>, kinds: readonly EntityKind[]): void {
  const found = entities.filter((entity) => kinds.includes(entity.kind));
  const named = found.slice(0, 20).map((entity) => `${entity.kind} ${entity.value}`);
  if (found.length > 0) evidence.note('Indicators in the alert', `${found.length} found: ${named.join(', ')}`, { step: INDICATORS_STEP });
  else
    evidence.gap('No indicators in the alert', 'The content contains no address, hash, account or host to look up.', {
      step: INDICATORS_STEP,
    });
}

/** Adds a finding if earlier alerts of the organization share an entity. */
export function weighRepetition(evidence: EvidenceLog, shared: readonly SharedEntity[], withinDays: number): void {
  // The rarest comes first. What many alerts contain says nothing about one of them.
  const [rarest, ...others] = shared.filter((entity) => !isFrequent(entity));
  if (rarest) {
    const also = others.slice(0, 9).map(({ kind, value, alertCount }) => `${kind} ${value} (${alertCount})`);
    const reason = [describeEarlierAlerts(rarest, withinDays), ...(also.length > 0 ? [`also shared: ${also.join(', ')}`] : [])].join('; ');
    evidence.finding(pointsForRepetition(rarest.alertCount), `Seen in earlier alerts: ${rarest.kind} ${rarest.value}`, reason);
  } else
    evidence.note('No indicator shared with earlier alerts', `No alert of the last ${withinDays} days has the same indicators.`, {
      step: 'correlate',
    });
}

/** An entity in a few alerts connects them more than one in many. */
const RARE_UP_TO = 5;

/** Stays below the threshold of every verdict, because noise also repeats. */
function pointsForRepetition(alertCount: number): number {
  return alertCount <= RARE_UP_TO ? 10 : 5;
}

function describeEarlierAlerts(entity: { alertCount: number; alertIds: readonly string[] }, withinDays: number): string {
  return `${entity.alertCount} earlier alert${entity.alertCount === 1 ? '' : 's'} in the last ${withinDays} days: ${entity.alertIds.join(', ')}`;
}

/** True if the evidence so far leads to the verdict or to a worse one. */
export function reachesVerdict(evidence: EvidenceLog, verdict: 'suspicious' | 'malicious'): boolean {
  const found = concludeFrom(evidence.entries).verdict;
  return found === 'malicious' || found === verdict;
}
