import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { isDatabaseAway, type PgClient } from '../../db/client.js';
import { saveProvenNames } from '../../db/entities/names.js';
import { beginReading, type CopyReach, endReading, extendReach, forgetRecords, readReach } from '../../db/records/records.js';
import { findStatedNames } from '../../domain/alert/stated-names.js';
import { OUTAGE_ERROR_CODES } from '../../domain/connection/skill.js';
import { ReplyTooLarge, SkillError, SkillTimedOut, ThirdPartyError } from '../../domain/connection/skill-errors.js';
import type { ProvenName } from '../../domain/entity/names.js';
import { boundRecord, type RecordAnswer, type RecordSource, type RecordWindow, type ThirdPartyRecord } from '../../domain/record/record.js';
import { clip } from '../../domain/text.js';
import { untilAborted } from '../../platform/abort.js';
import { type Copy, describePlace } from './copies.js';
import { saveRecords } from './save.js';

const DAY_SECONDS = 24 * 3600;
/** Records of this time before an alert can matter for it. */
const LOOKBACK_SECONDS = 3 * DAY_SECONDS;
/** The first read covers more, so that older alerts do not each extend the copy. */
const FIRST_READ_SECONDS = 7 * DAY_SECONDS;
/** After what the alert needs, a read extends the copy into the past by parts, for as long as this. */
const EXTEND_FOR_MS = 10_000;
const OLDEST_SECONDS = 30 * DAY_SECONDS;
/** Besides its patience, a question can wait for the request limit of a minute to end. The activity allows it three minutes. */
const RATE_LIMIT_MS = 40_000;
const MAX_QUESTION_MS = 140_000;
/** A list that takes longer is read again in smaller windows. A third party that is silent fails earlier. */
const MAX_LIST_MS = 40_000;
/** A third party whose replies are too large is not asked again for this time. */
const TOO_LARGE_MS = 60_000;
/** The smaller windows of a slow list are kept for this time. */
const SLOW_MS = 3600_000;
const REMEMBERED_COPIES = 1000;
/** Each read overlaps the previous one, because third parties report some changes late. */
const OVERLAP_SECONDS = 600;
const LOOK_EVERY_MS = 100;

const Listed = z.object({ items: z.array(z.unknown()), cut: z.string().nullable(), omitted: z.int().default(0) });

export interface RecordTimings {
  /** A copy that was read at most this long before a question answers it: many alerts then cost as many lists as a few. */
  readonly freshSeconds: number;
  /** Ends the turn of a worker that died while it read. */
  readonly readingSeconds: number;
  readonly listMs: number;
}

export const DEFAULT_TIMINGS: RecordTimings = { freshSeconds: 120, readingSeconds: 150, listMs: MAX_LIST_MS };

interface ReaderDeps {
  readonly pg: PgClient;
  readonly timings?: RecordTimings;
  /** Calls the list skill of the copy. Throws a `SkillError`. */
  list(copy: Copy, input: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
}

/** A question about one copy. */
interface Question extends Required<ReaderDeps> {
  readonly copy: Copy;
  readonly shared: SharedReads;
  /** Epoch seconds: the time of the alert. */
  readonly around: number;
  readonly signal: AbortSignal;
  /** In epoch milliseconds: no read begins after it. A wait for the request limit moves it, at most to `latestDeadline`. */
  readonly deadline: number;
  readonly latestDeadline: number;
}

type Problem = Pick<RecordAnswer['problems'][number], 'reason' | 'isTemporary' | 'code'>;

interface RecordQuestion {
  readonly around: number;
  readonly signal: AbortSignal;
  readonly patienceSeconds: number;
}

/** Brings copies up to date for an alert of this time. Returns a problem for each copy that stays behind. */
export type RefreshCopies = (copies: readonly Copy[], question: RecordQuestion) => Promise<RecordAnswer['problems']>;

/** One for each process, because its questions share their reads. */
export function createRefresher({ timings = DEFAULT_TIMINGS, ...deps }: ReaderDeps): RefreshCopies {
  const shared: SharedReads = {
    running: new Map(),
    windowSeconds: new LRUCache({ max: REMEMBERED_COPIES, ttl: SLOW_MS }),
    tooLarge: new LRUCache({ max: REMEMBERED_COPIES, ttl: TOO_LARGE_MS }),
  };
  return async (copies, { around, signal, patienceSeconds }) => {
    const deadline = Date.now() + Math.min(MAX_QUESTION_MS - RATE_LIMIT_MS, patienceSeconds * 1000);
    const latestDeadline = deadline + RATE_LIMIT_MS;
    const refreshed = copies.map(async (copy) => {
      const problem = await refreshOrExplain({ ...deps, timings, copy, shared, around, signal, deadline, latestDeadline });
      const { connection, skillKey, skillId } = copy;
      return problem === null
        ? []
        : [{ ...describePlace(connection), connectionId: connection.connectionUuid, skillKey, skillId, ...problem }];
    });
    return (await Promise.all(refreshed)).flat();
  };
}

/** Why a read ended early; null: it did not. */
type ReadOutcome = SkillError | null;

/** What the questions of this process share, by copy. */
interface SharedReads {
  /** Many questions wait for one read and not for the database. */
  readonly running: Map<string, Promise<ReadOutcome>>;
  /** The length of a window whose list ends in time; absent: any length. */
  readonly windowSeconds: LRUCache<string, number>;
  readonly tooLarge: LRUCache<string, ReplyTooLarge>;
}

function toKey({ connection, source }: Copy): string {
  return `${connection.connectionUuid} ${source.kind}`;
}

/** A copy that cannot be read is a gap of its own: the other connections of the organization still answer. */
async function refreshOrExplain(question: Question): Promise<Problem | null> {
  try {
    return await refresh(question);
  } catch (error) {
    if (question.signal.aborted || isDatabaseAway(error)) throw error;
    if (error instanceof SkillError) return toProblem(error);
    return { reason: clip(`The records cannot be copied: ${error instanceof Error ? error.message : error}`, 1000), isTemporary: true };
  }
}

/** Brings a copy up to date for an alert of this time. Returns why it could not, or null. */
async function refresh(given: Question): Promise<Problem | null> {
  const { copy, around, pg, timings, signal, latestDeadline, shared } = given;
  let question = given;
  const { connection, source } = copy;
  for (;;) {
    const reach = await readReach(pg, connection.connectionUuid, source.kind);
    const windows = chooseWindows(source, reach, around, Date.now() / 1000, timings);
    if (windows.length === 0) return null;
    if (Date.now() > question.deadline) return { reason: 'Another worker is still reading the records.', isTemporary: true };
    const tooLarge = shared.tooLarge.get(toKey(copy));
    if (tooLarge) return toProblem(tooLarge);
    const { error, wasReader } = await readOrWait(question, windows);
    if (error === null && wasReader) await extend(question);
    if (error !== null && !isWorthWaiting(error, latestDeadline)) return toProblem(error);
    if (error !== null) {
      const waitMs = (error.retryAfterSeconds ?? 1) * 1000;
      await delay(waitMs, undefined, { signal });
      question = { ...question, deadline: Math.min(question.deadline + waitMs, latestDeadline) };
    }
  }
}

/** Questions that wait for a read share its failure: a third party that is down is called once for all of them. */
async function readOrWait(question: Question, windows: readonly RecordWindow[]) {
  const { running } = question.shared;
  const key = toKey(question.copy);
  const other = running.get(key);
  if (other) {
    // The other question may have been cancelled. Then this one reads.
    const outcome = other.catch(() => null);
    const { signal, deadline } = question;
    return { error: await inTime(deadline - Date.now(), signal, () => outcome), wasReader: false };
  }
  const own = readUnlessAnotherReads(question, windows).finally(() => running.delete(key));
  running.set(key, own);
  return { error: await own, wasReader: true };
}

/** Waits a moment if a worker of another process reads. */
async function readUnlessAnotherReads(question: Question, windows: readonly RecordWindow[]): Promise<ReadOutcome> {
  const { copy, pg, timings, signal } = question;
  const isReader = await beginReading(pg, copy.connection.connectionUuid, copy.source.kind, timings.readingSeconds);
  if (isReader) return readAll(question, windows);
  await delay(LOOK_EVERY_MS, undefined, { signal });
  return null;
}

function toProblem(error: SkillError): Problem {
  const { code, message } = error;
  return { reason: clip(message, 1000), isTemporary: OUTAGE_ERROR_CODES.has(code), code };
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
  const { pg, timings } = question;
  const { connection, source } = question.copy;
  const end = Math.min(question.deadline, Date.now() + EXTEND_FOR_MS);
  while (!source.isSnapshot && Date.now() < end) {
    const { coveredFrom } = await readReach(pg, connection.connectionUuid, source.kind);
    const oldest = Date.now() / 1000 - OLDEST_SECONDS;
    if (coveredFrom === null || coveredFrom - oldest < DAY_SECONDS) return;
    if (!(await beginReading(pg, connection.connectionUuid, source.kind, timings.readingSeconds))) return;
    const window = { since: Math.floor(Math.max(oldest, coveredFrom - FIRST_READ_SECONDS)), until: Math.ceil(coveredFrom) };
    if ((await readAll(question, [window])) !== null) return;
  }
}

/** Reads the windows and stores their records. A failure keeps what was read before it. */
async function readAll(question: Question, windows: readonly RecordWindow[]): Promise<ReadOutcome> {
  const { pg } = question;
  const { connection, source } = question.copy;
  let error: SkillError | null = null;
  try {
    for (const window of windows) await readWindow(question, window);
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    error = caught;
    if (caught instanceof ReplyTooLarge) question.shared.tooLarge.set(toKey(question.copy), caught);
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
  const { pg } = question;
  const { connection, source } = question.copy;
  const { connectionUuid } = connection;
  const { coveredFrom } = await readReach(pg, connectionUuid, source.kind);
  const isNewer = window.until === null && coveredFrom !== null;
  const startedAt = Date.now() / 1000;
  const parts = [window];
  const { windowSeconds } = question.shared;
  const key = toKey(question.copy);
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    if (Date.now() > question.deadline) throw outOfTime();
    const seconds = (part.until ?? startedAt) - part.since;
    const isTooLong = !source.isSnapshot && seconds > (windowSeconds.get(key) ?? Number.POSITIVE_INFINITY);
    const listed = isTooLong ? 'cut' : await readPart(question, part, startedAt);
    if (listed === 'slow') windowSeconds.set(key, seconds / 2);
    const halves = (listed === 'cut' || listed === 'slow') && !source.isSnapshot ? halve(part, startedAt) : [];
    parts.unshift(...(isNewer ? halves : halves.toReversed()));
    if (halves.length > 0) continue;
    if (listed === 'slow') throw outOfTime();
    await extendReach(pg, connectionUuid, source.kind, { since: part.since, until: part.until ?? startedAt });
    if (source.isSnapshot && listed === 'complete') await forgetRecords(pg, connectionUuid, source.kind, startedAt);
  }
}

function outOfTime(): SkillTimedOut {
  return new SkillTimedOut('There are more records than the service could copy in time.');
}

/** Ends the work after this time at the latest. */
function inTime<Result>(limitMs: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const limit = AbortSignal.timeout(Math.max(0, limitMs));
  const bounded = AbortSignal.any([signal, limit]);
  return untilAborted(work(bounded), bounded, () => (signal.aborted ? new Error('aborted') : outOfTime()));
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
async function readPart(question: Question, window: RecordWindow, copiedAt: number): Promise<'complete' | 'cut' | 'slow' | 'too large'> {
  const { copy, pg, signal, list, deadline, timings } = question;
  const { connection, source } = copy;
  const input = source.buildInput(window, Math.floor(Date.now() / 1000));
  const limitMs = Math.min(timings.listMs, deadline - Date.now());
  const listed = await inTime(limitMs, signal, (bounded) => list(copy, input, bounded)).catch((error: unknown) => {
    if (error instanceof SkillTimedOut && Date.now() < deadline) return null;
    // A remote agent cannot report an answer of any size.
    if (error instanceof ReplyTooLarge && connection.isRouted && !source.isSnapshot) return null;
    throw error;
  });
  if (listed === null) return 'slow';
  const { items, cut, omitted } = Listed.parse(listed);
  await saveRecords(
    pg,
    connection,
    source.kind,
    items.flatMap((item) => readItem(source, item)),
    copiedAt,
  );
  await saveProvenNames(pg, connection.organizationUuid, listStatedNames(items));
  if (cut === null) return 'complete';
  return omitted > 0 ? 'too large' : 'cut';
}

/** Each name once: many records are about the same machines and people. */
function listStatedNames(items: readonly unknown[]): ProvenName[] {
  const names = items.flatMap(findStatedNames);
  return [...new Map(names.map((name) => [`${name.family} ${name.short} ${name.full}`, name])).values()];
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
