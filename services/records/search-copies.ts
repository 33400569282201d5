import { findOwnCarriers, type OwnCarrier } from '../../db/alerts/own-carriers.js';
import type { PgClient } from '../../db/client.js';
import {
  findByIds,
  findCarriers,
  findCreatedRecords,
  findMatches,
  type StoredCarrier,
  type StoredMatch,
} from '../../db/records/records.js';
import {
  type RecordAnswer,
  type RecordKind,
  type RecordMatch,
  type RecordSearch,
  type Spread,
  searchValues,
} from '../../domain/record/record.js';
import { listProbedKinds, measureSpread, namesOthers, selectOwnCarriers } from '../../domain/record/spread.js';
import { type Copy, describePlace } from './copies.js';

const MAX_MERGES = 5;

/** Searches the copies as they are. Asks no third party. */
export async function searchCopies(
  pg: PgClient,
  copies: readonly Copy[],
  { alertId, values, around }: Pick<RecordSearch, 'alertId' | 'values' | 'around'>,
): Promise<Omit<RecordAnswer, 'problems'>> {
  const [matches, spreads] = await Promise.all([
    findRecords(copies, values, around, pg),
    measureSpreads(copies, { alertId, values, around }, pg),
  ]);
  return {
    matches,
    spreads,
    searched: copies.map(({ connection, source }) => ({ ...describePlace(connection), kind: source.kind })),
  };
}

/** Finds the records that share a value, and what they were merged into. */
async function findRecords(copies: readonly Copy[], values: readonly string[], around: number, pg: PgClient): Promise<RecordMatch[]> {
  if (copies.length === 0 || values.length === 0) return [];
  const searched = copies.map(({ connection, source }) => ({ connectionUuid: connection.connectionUuid, kind: source.kind }));
  const found = await findMatches(pg, searched, values, around);
  const matches = new Map(found.map((match) => [toKey(match), match]));
  let merged = found.filter(({ mergedInto }) => mergedInto !== null);
  for (let hop = 0; hop < MAX_MERGES && merged.length > 0; hop += 1) {
    const targets = (await Promise.all(merged.map((match) => findMergeTarget(pg, match)))).flat();
    for (const target of targets) {
      const shared = [...(matches.get(toKey(target))?.shared ?? []), ...target.shared];
      matches.set(toKey(target), { ...target, shared: [...new Set(shared)] });
    }
    merged = targets.filter(({ mergedInto }) => mergedInto !== null);
  }
  const final = [...matches.values()].filter(({ mergedInto }) => mergedInto === null);
  const own = await findOwn(copies, final, pg);
  const asked = new Set(values);
  return final.flatMap((found) => {
    const { connectionUuid, values: names, ...match } = found;
    const copy = copies.find((each) => isIn(each, found));
    const isOwn = own.has(toKey(found)) ? { isOwn: true as const } : {};
    const isAboutOthers = namesOthers(names, new Set([...asked, ...[match.recordId, ...match.alsoKnownAs].map((id) => id.toLowerCase())]))
      ? { namesOthers: true as const }
      : {};
    return copy
      ? [{ ...match, ...isOwn, ...isAboutOthers, ...describePlace(copy.connection), skillKey: copy.skillKey, skillId: copy.skillId }]
      : [];
  });
}

/** Records of these kinds are about people and machines. */
const KINDS_OF_SUBJECTS: readonly RecordKind[] = ['alert', 'incident', 'investigation'];

/** Of the values that several subjects share, in records of third parties and in alerts of earlier days. */
async function measureSpreads(
  copies: readonly Copy[],
  { alertId, values, around }: Pick<RecordSearch, 'alertId' | 'values' | 'around'>,
  pg: PgClient,
): Promise<Spread[]> {
  const searched = copies
    .filter(({ source }) => KINDS_OF_SUBJECTS.includes(source.kind))
    .map(({ connection, source }) => ({ connectionUuid: connection.connectionUuid, kind: source.kind }));
  if (values.length === 0) return [];
  const asked = values.flatMap((value) => listProbedKinds(value).map((kind) => ({ kind, value })));
  const [records, alerts] = await Promise.all([
    searched.length === 0 ? [] : findCarriers(pg, searched, values),
    findOwnCarriers(pg, alertId, around, asked),
  ]);
  const [recordsOf, alertsOf] = [groupByValue(records), groupByValue(alerts.map(toCarrier))];
  return values
    .map((value) => measureSpread(value, [...(recordsOf.get(value) ?? []), ...selectOwnCarriers(alertsOf.get(value) ?? [])]))
    .filter(({ subjects }) => subjects > 1);
}

function groupByValue<Carrying extends { readonly named: readonly string[] }>(carriers: readonly Carrying[]): Map<string, Carrying[]> {
  const carriersOf = new Map<string, Carrying[]>();
  for (const carrier of carriers)
    for (const value of carrier.named) {
      const present = carriersOf.get(value);
      if (present) present.push(carrier);
      else carriersOf.set(value, [carrier]);
    }
  return carriersOf;
}

/** An alert names people and machines like a record. That it is open says nothing: each alert has a case. */
function toCarrier({ alertId, caseId, conclusion, at, named, names }: OwnCarrier): StoredCarrier {
  return {
    recordId: alertId,
    alsoKnownAs: [],
    conclusion,
    isOpen: false,
    at,
    caseId,
    named,
    values: [...new Set(names.flatMap(searchValues))],
  };
}

function isIn({ connection, source }: Copy, { connectionUuid, kind }: StoredMatch): boolean {
  return connection.connectionUuid === connectionUuid && source.kind === kind;
}

/** The keys of the matches that a write of this service created. */
async function findOwn(copies: readonly Copy[], matches: readonly StoredMatch[], pg: PgClient): Promise<Set<string>> {
  const found = copies.map(async (copy) => {
    const among = matches.filter((match) => isIn(copy, match));
    if (copy.creator === null || among.length === 0) return [];
    const recordIds = among.map(({ recordId }) => recordId);
    const created = await findCreatedRecords(pg, copy.connection, { ...copy.creator, recordIds });
    return among.filter(({ recordId }) => created.has(recordId)).map(toKey);
  });
  return new Set((await Promise.all(found)).flat());
}

function toKey({ connectionUuid, kind, recordId }: StoredMatch): string {
  return `${connectionUuid} ${kind} ${recordId}`;
}

/** The merged record shares what its target does not name: the target keeps the values of the search. */
async function findMergeTarget(pg: PgClient, match: StoredMatch): Promise<StoredMatch[]> {
  const [target] = await findByIds(pg, match.connectionUuid, match.kind, [match.mergedInto ?? '']);
  return target ? [{ ...target, shared: match.shared }] : [];
}
