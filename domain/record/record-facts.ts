import type { FactLink, FactName } from '../investigation/fact.js';
import type { RecordMatch } from './record.js';

const HOUR_SECONDS = 3600;
/** A record belongs to the same time as the alert if it happened or changed within this distance. */
export const SAME_TIME_SECONDS = 48 * HOUR_SECONDS;

/** A conclusion about the same machine or account covers what happened within this time. */
export const SAME_ACTIVITY_SECONDS = 2 * HOUR_SECONDS;

/** A record as the verdict counts it. `stale`: it is from another time, so it has no points. */
export interface RecordFact {
  readonly match: RecordMatch;
  readonly link: FactLink;
  readonly stale: boolean;
  /** null: the record says nothing about the alert. */
  readonly name: FactName | null;
  readonly key: string;
  readonly at: number | null;
  /** Whether it is about the same activity as the alert, not only about the same indicator or the same day. */
  readonly coversActivity: boolean;
}

const CONCLUSIONS = { malicious: 'confirmed-malicious', benign: 'confirmed-benign', test: 'confirmed-test' } as const;
const OPEN = {
  critical: 'open-record-high',
  high: 'open-record-high',
  medium: 'open-record-medium',
  low: null,
  informational: null,
} as const;

/** `linkOf` tells how a shared value connects the record with the alert. */
export function toRecordFact(match: RecordMatch, alertTime: number, linkOf: (value: string) => FactLink): RecordFact {
  const links = match.shared.map(linkOf);
  const link = links.includes('named') ? 'named' : links.includes('indicator') ? 'indicator' : 'asset';
  const stale = link !== 'named' && match.kind !== 'indicator' && !isSameTime(match, alertTime);
  const at = match.conclusion === null ? match.happenedAt : (match.updatedAt ?? match.happenedAt);
  const isClose = Math.abs((match.happenedAt ?? Number.NaN) - alertTime) <= SAME_ACTIVITY_SECONDS;
  const coversActivity = link === 'named' || (links.includes('asset') && (isClose || links.includes('indicator')));
  return { match, link, stale, name: nameFact(match, link, stale, coversActivity), key: chooseKey(match), at, coversActivity };
}

/** A closed record is about the time when it happened, an open one also about the time of its last change. */
function isSameTime({ happenedAt, updatedAt, isOpen }: RecordMatch, alertTime: number): boolean {
  const times = isOpen ? [happenedAt, updatedAt] : [happenedAt ?? updatedAt];
  return times.some((time) => time !== null && Math.abs(time - alertTime) <= SAME_TIME_SECONDS);
}

function nameFact(match: RecordMatch, link: FactLink, stale: boolean, coversActivity: boolean): FactName | null {
  const { kind, conclusion, isOpen, severity, state } = match;
  if (kind === 'indicator') return nameOwnRule(state);
  if (stale) return conclusion === 'malicious' && link === 'indicator' ? 'earlier-attack' : null;
  if (conclusion !== null) return CONCLUSIONS[conclusion];
  if (!isOpen) return null;
  if (kind === 'intelligence-alert') return 'intelligence-mention';
  // Another open record about the same machine says little about this activity.
  return coversActivity || link === 'indicator' ? OPEN[severity ?? 'medium'] : 'other-open-record';
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
