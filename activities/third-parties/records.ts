import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { z } from 'zod';
import type { Catalogue } from '../../connectors/kit/define.js';
import type { Topic } from '../../db/changes.js';
import type { PgClient } from '../../db/client.js';
import { readForRecords } from '../../db/connections/connection-calls.js';
import {
  beginReading,
  type CopyReach,
  endReading,
  extendReach,
  findByIds,
  findCreatedRecords,
  findMatches,
  forgetRecords,
  listRecordConnections,
  type RecordConnection,
  readReach,
  type StoredMatch,
} from '../../db/records/records.js';
import { OUTAGE_ERROR_CODES } from '../../domain/connection/skill.js';
import { SkillError, SkillTimedOut, ThirdPartyError } from '../../domain/connection/skill-errors.js';
import {
  boundRecord,
  type RecordActivities,
  type RecordAnswer,
  type RecordMatch,
  type RecordSearch,
  type RecordSource,
  type RecordWindow,
  type ThirdPartyRecord,
} from '../../domain/record/record.js';
import { type SkillKey, toSkillKey } from '../../domain/skill-key.js';
import { clip } from '../../domain/text.js';
import { untilAborted } from '../../platform/abort.js';
import { saveRecords } from '../../services/records/save.js';
import { readList } from '../skills/list-reader.js';
import { listSkills, type RunnableSkill, type SkillSet } from '../skills/perform-skill.js';
import type { SkillDeps } from '../skills/skill-activity.js';

const DAY_SECONDS = 24 * 3600;
/** Records of this time before an alert can matter for it. */
const LOOKBACK_SECONDS = 3 * DAY_SECONDS;
/** The first read covers more, so that older alerts do not each extend the copy. */
const FIRST_READ_SECONDS = 7 * DAY_SECONDS;
/** After what the alert needs, a read extends the copy into the past by parts, for as long as this. */
const EXTEND_FOR_MS = 10_000;
const OLDEST_SECONDS = 30 * DAY_SECONDS;
/** For the limit of a minute to end, and for reading many records. */
const MAX_QUESTION_MS = 100_000;
/** Each read overlaps the previous one, because third parties report some changes late. */
const OVERLAP_SECONDS = 600;
const LOOK_EVERY_MS = 100;
const MAX_MERGES = 5;

export const RECORD_ACTIVITY_TOPICS = { searchRecords: [] } as const satisfies Record<keyof RecordActivities, readonly Topic[]>;

/** A list skill of a connector whose records are copied. */
interface CopiedSource {
  readonly connector: string;
  readonly source: RecordSource;
  readonly skill: RunnableSkill;
  readonly creator: RecordCreator | null;
}

/** The write of this service that creates records of a kind. */
interface RecordCreator {
  readonly skillKey: SkillKey;
  readonly idPath: string;
}

/** The copy of one kind of records of one connection. */
interface Copy {
  readonly connection: RecordConnection;
  readonly source: RecordSource;
  readonly skill: RunnableSkill;
  readonly creator: RecordCreator | null;
}

/** What a search needs to know about a copy. */
type SearchedCopy = Omit<Copy, 'skill'> & { readonly skill: Pick<RunnableSkill, 'skillKey' | 'contract'> };

const Listed = z.object({ items: z.array(z.unknown()), cut: z.string().nullable(), omitted: z.int().default(0) });

export interface RecordTimings {
  /** A copy that was read at most this long before a question answers it: many alerts then cost as many lists as a few. */
  readonly freshSeconds: number;
  /** Ends the turn of a worker that died while it read. */
  readonly readingSeconds: number;
}

const DEFAULT_TIMINGS: RecordTimings = { freshSeconds: 120, readingSeconds: 150 };

export function createRecordActivities(skills: SkillSet, deps: SkillDeps, timings: RecordTimings = DEFAULT_TIMINGS): RecordActivities {
  const running: RunningReads = new Map();
  const sources = listSources(skills);
  const kinds = [...new Set(sources.map(({ connector }) => connector))];
  return {
    async searchRecords({ alertId, values, around }) {
      const connections = await listRecordConnections(deps.pg, alertId, kinds);
      const copies = connections.flatMap((connection): Copy[] =>
        sources
          .filter(({ connector }) => connector === connection.connector)
          .map(({ connector: _, ...source }) => ({ connection, ...source })),
      );
      const limits = { timings, signal: Context.current().cancellationSignal, deadline: Date.now() + MAX_QUESTION_MS };
      const reasons = await Promise.all(copies.map((copy) => refresh({ copy, around, deps, ...limits }, running)));
      return {
        matches: await search(copies, values, around, deps.pg),
        searched: listSearched(copies),
        problems: copies.flatMap(({ connection, skill }, index) => {
          const problem = reasons[index] ?? null;
          const { connectionUuid: connectionId } = connection;
          return problem === null ? [] : [{ ...describePlace(connection), connectionId, ...nameSkill(skill), ...problem }];
        }),
      };
    },
  };
}

/** Searches the copies as they are. Asks no third party. */
export async function searchCopies(pg: PgClient, catalogue: Catalogue, { alertId, values, around }: RecordSearch): Promise<RecordAnswer> {
  const sources = Object.entries(catalogue).flatMap(([name, { kind, records = [], skills }]) =>
    records.flatMap((source) => {
      const contract = skills[source.verb];
      const skill = contract && { skillKey: toSkillKey(name, source.verb), contract };
      return skill ? [{ connector: kind, source, skill, creator: findCreator(name, source) }] : [];
    }),
  );
  const connections = await listRecordConnections(pg, alertId, [...new Set(sources.map(({ connector }) => connector))]);
  const copies = connections.flatMap((connection) =>
    sources.filter(({ connector }) => connector === connection.connector).map(({ connector: _, ...source }) => ({ connection, ...source })),
  );
  return { matches: await search(copies, values, around, pg), searched: listSearched(copies), problems: [] };
}

function listSearched(copies: readonly SearchedCopy[]): RecordAnswer['searched'] {
  return copies.map(({ connection, source }) => ({ ...describePlace(connection), kind: source.kind }));
}

function describePlace({ connector, instanceName }: RecordConnection): { connector: string; connection: string } {
  return { connector, connection: instanceName };
}

function listSources({ catalogue, implementations }: SkillSet): CopiedSource[] {
  const known = new Map(listSkills({ catalogue, implementations }).map((skill) => [skill.skillKey, skill]));
  return Object.entries(catalogue).flatMap(([name, { kind, records = [] }]) =>
    records.flatMap((source) => {
      const skill = known.get(toSkillKey(name, source.verb));
      return skill ? [{ connector: kind, source, skill, creator: findCreator(name, source) }] : [];
    }),
  );
}

function findCreator(connectorKey: string, { createdBy }: RecordSource): RecordCreator | null {
  return createdBy ? { skillKey: toSkillKey(connectorKey, createdBy.verb), idPath: createdBy.idPath } : null;
}

function nameSkill({ skillKey, contract }: SearchedCopy['skill']): { skillKey: SkillKey; skillId: string } {
  return { skillKey, skillId: contract.title };
}

interface Problem {
  readonly reason: string;
  readonly isTemporary: boolean;
}

/** A question about one copy. */
interface Question {
  readonly copy: Copy;
  /** Epoch seconds: the time of the alert. */
  readonly around: number;
  readonly deps: SkillDeps;
  readonly timings: RecordTimings;
  readonly signal: AbortSignal;
  /** In epoch milliseconds: no read begins after it. */
  readonly deadline: number;
}

/** Why a read ended early; null: it did not. */
type ReadOutcome = SkillError | null;

/** The running read of each copy in this process, so that many questions wait for one read and not for the database. */
type RunningReads = Map<string, Promise<ReadOutcome>>;

/** Brings a copy up to date for an alert of this time. Returns why it could not, or null. */
async function refresh(question: Question, running: RunningReads): Promise<Problem | null> {
  const { copy, around, deps, timings, signal, deadline } = question;
  const { connection, source } = copy;
  if (connection.isRouted) return { reason: 'A remote agent reads this connection, so its records are not copied.', isTemporary: false };
  for (;;) {
    const reach = await readReach(deps.pg, connection.connectionUuid, source.kind);
    const windows = chooseWindows(source, reach, around, Date.now() / 1000, timings);
    if (windows.length === 0) return null;
    if (Date.now() > deadline) return { reason: 'Another worker is still reading the records.', isTemporary: true };
    const { error, wasReader } = await readOrWait(question, windows, running);
    if (error === null && wasReader) await extend(question);
    if (error !== null && !isWorthWaiting(error, deadline)) return toProblem(error);
    if (error !== null) await delay((error.retryAfterSeconds ?? 1) * 1000, undefined, { signal });
  }
}

/** Questions that wait for a read share its failure: a third party that is down is called once for all of them. */
async function readOrWait(question: Question, windows: readonly RecordWindow[], running: RunningReads) {
  const key = `${question.copy.connection.connectionUuid} ${question.copy.source.kind}`;
  const other = running.get(key);
  if (other) {
    // The other question may have been cancelled. Then this one reads.
    const shared = other.catch(() => null);
    return { error: await untilAborted(shared, question.signal), wasReader: false };
  }
  const own = readUnlessAnotherReads(question, windows).finally(() => running.delete(key));
  running.set(key, own);
  return { error: await own, wasReader: true };
}

/** Waits a moment if a worker of another process reads. */
async function readUnlessAnotherReads(question: Question, windows: readonly RecordWindow[]): Promise<ReadOutcome> {
  const { copy, deps, timings, signal } = question;
  const isReader = await beginReading(deps.pg, copy.connection.connectionUuid, copy.source.kind, timings.readingSeconds);
  if (isReader) return readAll(question, windows);
  await delay(LOOK_EVERY_MS, undefined, { signal });
  return null;
}

function toProblem(error: SkillError): Problem {
  return { reason: clip(error.message, 1000), isTemporary: OUTAGE_ERROR_CODES.has(error.code) };
}

/** The limit of a minute is over soon. A third party that is down is a gap. */
function isWorthWaiting(error: SkillError, deadline: number): error is ThirdPartyError {
  if (!(error instanceof ThirdPartyError) || error.code !== 'RateLimited') return false;
  return Date.now() + (error.retryAfterSeconds ?? 1) * 1000 < deadline;
}

/** What is missing in the copy: newer records, and older ones if the alert is older than the copy. */
function chooseWindows(
  source: RecordSource,
  { coveredFrom, coveredUntil }: CopyReach,
  around: number,
  now: number,
  timings: RecordTimings,
): RecordWindow[] {
  const isFresh = coveredUntil !== null && now - coveredUntil <= (source.freshSeconds ?? timings.freshSeconds);
  if (source.isSnapshot) return isFresh ? [] : [{ since: Math.floor(now), until: null }];
  const oldest = now - OLDEST_SECONDS;
  const wanted = Math.max(oldest, Math.min(around, now) - LOOKBACK_SECONDS);
  if (coveredFrom === null || coveredUntil === null)
    return [{ since: Math.floor(Math.max(oldest, Math.min(wanted, now - FIRST_READ_SECONDS))), until: null }];
  const overlap = source.overlapSeconds ?? OVERLAP_SECONDS;
  return [
    ...(wanted < coveredFrom ? [{ since: Math.floor(Math.max(oldest, wanted - LOOKBACK_SECONDS)), until: Math.ceil(coveredFrom) }] : []),
    ...(isFresh ? [] : [{ since: Math.floor(Math.max(oldest, coveredUntil - overlap)), until: null }]),
  ];
}

/** Copies older records, which show whether an indicator was part of an attack before. What fails now is read later. */
async function extend(question: Question): Promise<void> {
  const { deps, timings } = question;
  const { connection, source } = question.copy;
  const end = Math.min(question.deadline, Date.now() + EXTEND_FOR_MS);
  while (!source.isSnapshot && Date.now() < end) {
    const { coveredFrom } = await readReach(deps.pg, connection.connectionUuid, source.kind);
    const oldest = Date.now() / 1000 - OLDEST_SECONDS;
    if (coveredFrom === null || coveredFrom - oldest < DAY_SECONDS) return;
    if (!(await beginReading(deps.pg, connection.connectionUuid, source.kind, timings.readingSeconds))) return;
    const window = { since: Math.floor(Math.max(oldest, coveredFrom - FIRST_READ_SECONDS)), until: Math.ceil(coveredFrom) };
    if ((await readAll(question, [window])) !== null) return;
  }
}

/** Reads the windows and stores their records. A failure keeps what was read before it. */
async function readAll(question: Question, windows: readonly RecordWindow[]): Promise<ReadOutcome> {
  const { pg } = question.deps;
  const { connection, source } = question.copy;
  let error: SkillError | null = null;
  try {
    for (const window of windows) await readWindow(question, window);
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    error = caught;
  } finally {
    await endReading(pg, connection.connectionUuid, source.kind, error === null ? null : clip(error.message, 1000));
  }
  return error;
}

/**
 * Reads a window whose list is incomplete again in two halves, down to a second. Each part that is read extends the copy, so that
 * the next question continues where this one ended. The parts begin at the end of the copy: the copy has no holes.
 */
async function readWindow(question: Question, window: RecordWindow): Promise<void> {
  const { pg } = question.deps;
  const { connection, source } = question.copy;
  const { connectionUuid } = connection;
  const { coveredFrom } = await readReach(pg, connectionUuid, source.kind);
  const isNewer = window.until === null && coveredFrom !== null;
  const startedAt = Date.now() / 1000;
  const parts = [window];
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    if (Date.now() > question.deadline) throw new SkillTimedOut('There are more records than the service could copy in time.');
    const listed = await readPart(question, part, startedAt);
    const halves = listed === 'cut' && !source.isSnapshot ? halve(part, startedAt) : [];
    parts.unshift(...(isNewer ? halves : halves.toReversed()));
    if (halves.length > 0) continue;
    await extendReach(pg, connectionUuid, source.kind, { since: part.since, until: part.until ?? startedAt });
    if (source.isSnapshot && listed === 'complete') await forgetRecords(pg, connectionUuid, source.kind, startedAt);
  }
}

/** Empty if the window is too small. */
function halve({ since, until }: RecordWindow, now: number): RecordWindow[] {
  const middle = Math.floor((since + (until ?? now)) / 2);
  return middle <= since
    ? []
    : [
        { since, until: middle },
        { since: middle, until },
      ];
}

/** Copies one list. Items that are too large to read stay unread in a smaller window too. */
async function readPart(question: Question, window: RecordWindow, copiedAt: number): Promise<'complete' | 'cut' | 'too large'> {
  const { copy, deps, signal } = question;
  const { connection, source, skill } = copy;
  const { connectionUuid } = connection;
  const callable = await readForRecords(deps.pg, connectionUuid, skill.skillKey);
  const input = source.buildInput(window, Math.floor(Date.now() / 1000));
  const output = await readList(skill, callable, input, deps, { operationKey: `records ${connectionUuid}`, signal });
  const { items, cut, omitted } = Listed.parse(output);
  await saveRecords(
    deps.pg,
    connection,
    source.kind,
    items.flatMap((item) => readItem(source, item)),
    copiedAt,
  );
  if (cut === null) return 'complete';
  return omitted > 0 ? 'too large' : 'cut';
}

/** One item of an unknown form must not keep the others out of the copy. */
function readItem(source: RecordSource, item: unknown): ThirdPartyRecord[] {
  try {
    const record = source.read(item);
    return record === null ? [] : [boundRecord(record)];
  } catch (error) {
    if (error instanceof z.ZodError) return [];
    throw error;
  }
}

/** Finds the records that share a value, and what they were merged into. */
async function search(copies: readonly SearchedCopy[], values: readonly string[], around: number, pg: PgClient): Promise<RecordMatch[]> {
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
  return final.flatMap((found) => {
    const { connectionUuid, ...match } = found;
    const copy = copies.find((each) => isIn(each, found));
    const isOwn = own.has(toKey(found)) ? { isOwn: true as const } : {};
    return copy ? [{ ...match, ...isOwn, ...describePlace(copy.connection), ...nameSkill(copy.skill) }] : [];
  });
}

function isIn({ connection, source }: SearchedCopy, { connectionUuid, kind }: StoredMatch): boolean {
  return connection.connectionUuid === connectionUuid && source.kind === kind;
}

/** The keys of the matches that a write of this service created. */
async function findOwn(copies: readonly SearchedCopy[], matches: readonly StoredMatch[], pg: PgClient): Promise<Set<string>> {
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
