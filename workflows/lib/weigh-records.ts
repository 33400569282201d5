import type { catalogue } from '../../connectors/catalogue.js';
import { alertTime } from '../../domain/alert/source-time.js';
import { RECORD_STEP } from '../../domain/case/evidence-groups.js';
import type { Entity } from '../../domain/entity/entity.js';
import { searchValues, toRecordSource } from '../../domain/record/record.js';
import { type RecordFact, toRecordFact } from '../../domain/record/record-facts.js';
import type { FactLink } from '../../domain/verdict/fact.js';
import type { PlaybookContext } from '../playbook.js';
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
  const { matches, searched, problems } = await context.searchRecords([...links.keys()]);
  for (const problem of problems) evidence.gap(`${problem.skillId}: no answer`, problem.reason, { source: toRecordSource(problem) });
  const title = `${alert.type} ${alert.ruleName ?? ''}`;
  const findLink = (value: string) => links.get(value) ?? 'asset';
  const named = new Set(context.entities.flatMap(searchValues).filter((value) => findLink(value) !== 'named'));
  const facts = matches.map((match) => toRecordFact(match, { time: alertTime(alert), title, findLink, named }));
  const counting = facts.filter(({ name }) => name !== null);
  for (const fact of counting) addFact(evidence, fact);
  const others = facts.filter(({ name }) => name === null);
  for (const fact of others.slice(0, MAX_OTHER_NOTES)) noteOther(evidence, fact);
  if (searched.length > 0 && problems.length === 0 && counting.length === 0 && known.some(({ link }) => link === 'asset')) {
    const names = searched.map(({ connection, kind }) => `${kind}s of ${connection}`).join(', ');
    evidence.fact({ name: 'no-open-record' }, 'No open record at the same time', `Searched: ${names}.`, { step: 'records' });
  }
}

function addFact(evidence: Context['evidence'], { match, name, key, at, link, covers }: RecordFact): void {
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

/** Closed without a conclusion, or from another time. */
function noteOther(evidence: Context['evidence'], { match, stale }: RecordFact): void {
  const reason = match.isOwn
    ? 'This service created it, so it does not count as evidence.'
    : stale
      ? 'It is from another time and does not count for this alert.'
      : 'It does not count for this alert.';
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
