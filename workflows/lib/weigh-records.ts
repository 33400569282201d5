import type { catalogue } from '../../connectors/catalogue.js';
import { findHeadline } from '../../domain/alert/headline.js';
import { alertTime } from '../../domain/alert/source-time.js';
import { RECORD_STEP } from '../../domain/case/evidence-groups.js';
import type { Entity } from '../../domain/entity/entity.js';
import { canonicalIp } from '../../domain/entity/ip.js';
import { type RecordMatch, type Spread, searchValues, toRecordSource } from '../../domain/record/record.js';
import { type RecordFact, toRecordFact } from '../../domain/record/record-facts.js';
import { isShared } from '../../domain/record/spread.js';
import { slug } from '../../domain/text.js';
import { SHARED_VALUE_STEP } from '../../domain/verdict/evidence.js';
import type { FactLink, FactName } from '../../domain/verdict/fact.js';
import type { PlaybookContext } from '../playbook.js';
import type { EvidenceLog } from './evidence-log.js';
import { toIsoString } from './playbook-helpers.js';

type Context = Pick<PlaybookContext<typeof catalogue>, 'alert' | 'entities' | 'evidence' | 'searchRecords'>;

/** An entity of the alert or of an answer, and how it connects a record with the alert. */
export interface KnownValue extends Pick<Entity, 'kind' | 'value'> {
  readonly link: FactLink;
}

const MAX_OTHER_NOTES = 5;

/** Finds what the third parties recorded about these entities around the time of the alert, and what people concluded. */
export async function weighRecords(context: Context, known: readonly KnownValue[]): Promise<void> {
  const { alert, evidence } = context;
  const links = new Map(
    known.toReversed().flatMap(({ link, kind, value: name }) => searchValues({ kind, value: name }).map((value) => [value, link] as const)),
  );
  if (links.size === 0) return;
  const { matches, spreads = [], searched, problems } = await context.searchRecords([...links.keys()]);
  for (const problem of problems) evidence.gap(`${problem.skillId}: no answer`, problem.reason, { source: toRecordSource(problem) });
  const shared = findShared(evidence, known, spreads);
  forgetShared(evidence, known, shared);
  lowerShared(context, shared);
  const title = `${alert.type} ${alert.ruleName ?? ''}`;
  const headline = findHeadline(alert.content);
  const findLink = (value: string) => links.get(value) ?? 'asset';
  const named = new Set(context.entities.flatMap(searchValues).filter((value) => findLink(value) !== 'named'));
  const [unrelated, related] = partition(matches, (match) => isUnrelated(match, shared, findLink));
  const facts = related
    .map((match) => withoutShared(match, shared))
    .map((match) => toRecordFact(match, { time: alertTime(alert), title, headline, findLink, named }));
  const counting = facts.filter(({ name }) => name !== null);
  for (const fact of counting) addFact(evidence, fact);
  const others = [
    ...facts.filter(({ name }) => name === null).map(({ match, stale }) => ({ match, reason: explainOther(match, stale) })),
    ...unrelated.map((match) => ({ match, reason: 'Many people or machines share what it names, so it does not count for this alert.' })),
  ];
  for (const other of others.slice(0, MAX_OTHER_NOTES)) noteOther(evidence, other);
  const isSearched = searched.length > 0 && problems.length === 0;
  const hasAsset = known.some(({ link, value }) => link === 'asset' && !shared.has(value.toLowerCase()));
  if (isSearched && counting.length === 0 && hasAsset) {
    const names = searched.map(({ connection, kind }) => `${kind}s of ${connection}`).join(', ');
    evidence.fact({ name: 'no-open-record' }, 'No open record at the same time', `Searched: ${names}.`, { step: 'records' });
  }
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

const BAD_REPUTATION: readonly (FactName | undefined)[] = ['malicious-reputation', 'suspicious-reputation'];
const HARMLESS_REPUTATION: readonly (FactName | undefined)[] = ['clean-reputation', 'unknown-reputation'];

/** The values that many people or machines share. A bad reputation says more about an indicator than who met it. */
function findShared(evidence: EvidenceLog, known: readonly KnownValue[], spreads: readonly Spread[]): ReadonlyMap<string, Spread> {
  const bad = new Set(evidence.entries.flatMap(({ fact }) => (BAD_REPUTATION.includes(fact?.name) ? (fact?.about ?? []) : [])));
  const measured = new Map(spreads.map((spread) => [spread.value, spread]));
  return new Map(
    known
      .filter(({ value }) => !bad.has(value.toLowerCase()))
      .flatMap(({ kind, value: name }) =>
        searchValues({ kind, value: name }).flatMap((value) => {
          const spread = measured.get(value);
          return spread && isShared(spread, kind) ? [[value, spread] as const] : [];
        }),
      ),
  );
}

/** Shares only what many share. A record that names a shared machine or account and no other is about it. */
function isUnrelated(match: RecordMatch, shared: ReadonlyMap<string, Spread>, findLink: (value: string) => FactLink): boolean {
  const isSharing = match.shared.length > 0 && match.shared.every((value) => shared.has(value));
  // An investigation has only a title, which need not name the person.
  const isAboutOthers = match.namesOthers === true || match.kind === 'investigation';
  return isSharing && (isAboutOthers || match.shared.every((value) => findLink(value) === 'indicator'));
}

/**
 * A shared value connects a record with the alert only if nothing else does. Who looked at an upload of this person saw where it went, also
 * to a place that all users uses; an address is only on the way.
 */
function withoutShared(match: RecordMatch, shared: ReadonlyMap<string, Spread>): RecordMatch {
  if (match.shared.every((value) => shared.has(value))) return match;
  const isPlace = (value: string) => match.conclusion !== null && canonicalIp(value) === null;
  const telling = match.shared.filter((value) => !shared.has(value) || isPlace(value));
  return { ...match, shared: telling };
}

/** What many share clears no alert. */
function forgetShared(evidence: EvidenceLog, known: readonly KnownValue[], shared: ReadonlyMap<string, Spread>): void {
  for (const { step, title, reason, source, fact } of evidence.entries) {
    const isForgotten = HARMLESS_REPUTATION.includes(fact?.name) && fact?.about?.every((value) => shared.has(value));
    if (isForgotten) evidence.note(title, reason, { step, ...(source ? { source } : {}) });
  }
  for (const name of listNames([...shared.keys()])) {
    const spread = shared.get(name);
    const entity = known.find(({ kind, value }) => searchValues({ kind, value }).includes(name));
    if (!spread || !entity) continue;
    const { records, subjects, people, machines, cases = 0, days = 0 } = spread;
    evidence.note(
      `Shared by many: ${name}`,
      `${records} ${cases > 0 ? 'records and alerts' : 'records'} of ${subjects} different people or machines name it, so it identifies none of them: its reputation and records that name nothing else do not count. It is suggested as knowledge of the organization: an admin can accept or reject it.`,
      { step: `${SHARED_VALUE_STEP}-${slug(name)}`, shared: { kind: entity.kind, value: name, records, people, machines, cases, days } },
    );
  }
}

const SEEN_BY_AGENT: readonly (FactName | undefined)[] = ['malware-ran', 'malware-not-removed', 'malware-detected', 'malware-removed'];

/** Next to a file with a digest, other malware on a machine that many people use is probably of other people. */
function lowerShared({ entities, evidence }: Context, shared: ReadonlyMap<string, Spread>): void {
  if (!entities.some(({ kind }) => kind === 'hash')) return;
  for (const { step, title, reason, source, techniques, fact } of evidence.entries) {
    const isOfMachine = SEEN_BY_AGENT.includes(fact?.name) && fact?.link === 'asset';
    const names = (fact?.about ?? []).flatMap((value) => searchValues({ kind: 'host', value }));
    if (!isOfMachine || !names.some((name) => shared.has(name))) continue;
    const explained = `${reason} The agent did not see the file of the alert, and many people use the machine.`;
    evidence.fact({ ...fact, name: 'malware-on-shared' }, title, explained, { step, techniques, ...(source ? { source } : {}) });
  }
}

function addFact(evidence: EvidenceLog, { match, name, key, at, link, covers }: RecordFact): void {
  if (name === null) return;
  evidence.fact(
    { name, key, at, link, ...(covers === null ? {} : { covers }), about: [...match.shared].slice(0, 50) },
    `${TITLES[name] ?? 'Record'}: ${match.title}`,
    describe(match),
    {
      step: `${RECORD_STEP}-${match.connector}-${match.recordId}`,
      techniques: match.conclusion === 'benign' || match.conclusion === 'test' ? [] : match.techniques,
      source: toRecordSource(match),
    },
  );
}

const TITLES: Readonly<Record<string, string>> = {
  'confirmed-malicious': 'Confirmed as an attack',
  'confirmed-benign': 'Reviewed as no attack',
  'confirmed-test': 'Reviewed as a test',
  'unwanted-software': 'Reviewed as unwanted software',
  'earlier-attack': 'Confirmed as an attack earlier',
  'open-record-high': 'Open at the third party',
  'open-record-medium': 'Open at the third party',
  'other-open-record': 'Also open at the third party',
  'intelligence-mention': 'Named in an intelligence alert',
  'blocked-indicator': 'Blocked by the organization',
  'allowed-indicator': 'Allowed by the organization',
};

/** It is closed without a conclusion, or from another time. */
function explainOther({ isOwn }: RecordMatch, stale: boolean): string {
  if (isOwn) return 'This service created it, so it does not count as evidence.';
  return stale ? 'It is from another time and does not count for this alert.' : 'It does not count for this alert.';
}

function noteOther(evidence: EvidenceLog, { match, reason }: { match: RecordMatch; reason: string }): void {
  evidence.note(`Other record: ${match.title}`, `${describe(match)} ${reason}`, {
    step: `${RECORD_STEP}-${match.connector}-${match.recordId}`,
    source: toRecordSource(match),
  });
}

function describe({ kind, recordId, state, happenedAt, shared }: RecordFact['match']): string {
  const time = happenedAt === null ? '' : ` of ${toIsoString(happenedAt)}`;
  return `The ${kind} ${recordId}${time} (${state}) names ${listNames(shared).slice(0, 5).join(', ') || 'a merged record'}.`;
}

/** A record often has the short and the full name of a machine. */
function listNames(values: readonly string[]): string[] {
  return values.filter((value) => !values.some((other) => other.startsWith(`${value}.`)));
}
