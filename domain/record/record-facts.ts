import type { Coverage, FactLink, FactName } from '../verdict/fact.js';
import type { RecordMatch } from './record.js';

const HOUR_SECONDS = 3600;
/** A record belongs to the same time as the alert if it happened or changed within this distance. */
export const SAME_TIME_SECONDS = 48 * HOUR_SECONDS;

/** A conclusion about the same machine or account covers what happened within this time. */
export const SAME_MOMENT_SECONDS = 12 * HOUR_SECONDS;

/** A record as the verdict counts it. `stale`: it is from another time, so it has no points. */
export interface RecordFact {
  readonly match: RecordMatch;
  readonly link: FactLink;
  readonly stale: boolean;
  /** null: the record says nothing about the alert. */
  readonly name: FactName | null;
  readonly key: string;
  readonly at: number | null;
  /** null: it is about the same machine or account on another occasion. */
  readonly covers: Coverage | null;
}

const CONCLUSIONS = {
  malicious: 'confirmed-malicious',
  unwanted: 'unwanted-software',
  benign: 'confirmed-benign',
  test: 'confirmed-test',
} as const;
const OPEN = {
  critical: 'open-record-high',
  high: 'open-record-high',
  medium: 'open-record-medium',
  low: null,
  informational: null,
} as const;

interface ComparedAlert {
  /** Epoch seconds. */
  readonly time: number;
  /** The alert type and the rule. */
  readonly title: string;
  /** The first lines of a text. */
  readonly headline: string;
  /** How a shared value connects the record with the alert. */
  findLink(value: string): FactLink;
  /** The values that the alert itself names, without ids of records. */
  readonly named: ReadonlySet<string>;
}

export function toRecordFact(match: RecordMatch, { time: alertTime, title, headline, findLink, named }: ComparedAlert): RecordFact {
  const links = match.shared.map(findLink);
  const link = links.includes('named') ? 'named' : links.includes('indicator') ? 'indicator' : 'asset';
  const stale = link !== 'named' && match.kind !== 'indicator' && !isSameTime(match, alertTime);
  const at = match.conclusion === null ? match.happenedAt : (match.updatedAt ?? match.happenedAt);
  const covers = chooseCoverage(match, links, { time: alertTime, title, headline, named });
  return { match, link, stale, name: nameFact(match, link, stale, covers), key: chooseKey(match), at, covers };
}

function chooseCoverage(
  match: RecordMatch,
  links: readonly FactLink[],
  { time, title, headline, named }: Omit<ComparedAlert, 'findLink'>,
): Coverage | null {
  // The author of the alert may have written the id of any record.
  const isAboutAlert = named.size === 0 || match.shared.some((value) => named.has(value));
  if (links.includes('named') && isAboutAlert) return 'activity';
  // The sender or the page of a drill belongs to the drill, on every machine.
  if (match.conclusion === 'test' && links.includes('indicator')) return 'activity';
  if (!links.includes('asset')) return links.includes('indicator') ? 'entity' : null;
  const isSameActivity = countCommon(match.title, title) > 0 || countCommon(match.title, headline, match.shared) >= TELLING_WORDS;
  if (links.includes('indicator') || isSameActivity) return 'activity';
  return Math.abs((match.happenedAt ?? Number.NaN) - time) <= SAME_MOMENT_SECONDS ? 'moment' : null;
}

/** Words that most titles have. */
const COMMON_WORDS = new Set(
  'alert alerts detected detection suspicious unusual activity anomalous security found from with event host user device endpoint computer'.split(
    ' ',
  ),
);
/** Forms of a word share their beginning: upload, uploads, uploaded. */
const STEM_LENGTH = 6;

/** A sentence has many words, and one of them can be in the title by chance. */
const TELLING_WORDS = 2;

/** How many words that say what happened two texts have in common, apart from the names in them. */
function countCommon(one: string, other: string, names: readonly string[] = []): number {
  const withoutNames = names.reduce((text, name) => text.replaceAll(name, ' '), one.toLowerCase());
  const stems = new Set(listStems(withoutNames));
  return new Set(listStems(other).filter((stem) => stems.has(stem))).size;
}

function listStems(title: string): string[] {
  const words =
    title
      .toLowerCase()
      .slice(0, 500)
      .match(/\p{L}{4,}/gu) ?? [];
  return words.filter((word) => !COMMON_WORDS.has(word)).map((word) => word.slice(0, STEM_LENGTH));
}

/** A closed record is about the time when it happened, an open one also about the time of its last change. */
function isSameTime({ happenedAt, updatedAt, isOpen }: RecordMatch, alertTime: number): boolean {
  const times = isOpen ? [happenedAt, updatedAt] : [happenedAt ?? updatedAt];
  return times.some((time) => time !== null && Math.abs(time - alertTime) <= SAME_TIME_SECONDS);
}

function nameFact(match: RecordMatch, link: FactLink, stale: boolean, covers: Coverage | null): FactName | null {
  const { kind, conclusion, isOpen, severity, state } = match;
  // Otherwise our own block would be evidence against the indicator that we blocked.
  if (match.isOwn) return null;
  if (kind === 'indicator') return nameOwnRule(state);
  if (stale) return conclusion === 'malicious' && link === 'indicator' ? 'earlier-attack' : null;
  // That another activity on the same machine was harmless says nothing about this one.
  if (conclusion !== null) return conclusion === 'malicious' || covers !== null ? CONCLUSIONS[conclusion] : null;
  if (!isOpen) return null;
  if (kind === 'intelligence-alert') return 'intelligence-mention';
  // Another open record about the same machine says little about this activity.
  return covers !== null ? OPEN[severity ?? 'medium'] : 'other-open-record';
}

/** The action of an indicator, such as "BlockAndRemediate" or "Allowed". */
function nameOwnRule(action: string): FactName | null {
  if (/block/i.test(action)) return 'blocked-indicator';
  return /allow/i.test(action) ? 'allowed-indicator' : null;
}

/** An incident and its only alert are the same fact. */
function chooseKey({ recordId, alsoKnownAs }: RecordMatch): string {
  return [recordId, ...alsoKnownAs].toSorted()[0] ?? recordId;
}
