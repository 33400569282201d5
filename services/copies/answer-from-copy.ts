import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { isDatabaseAway, type PgClient } from '../../db/client.js';
import {
  addItems,
  beginCopying,
  type CopyPlace,
  failCopying,
  findCopied,
  MAX_ITEMS_FOUND,
  replaceItems,
  type StoredCopy,
} from '../../db/copies/list-copies.js';
import { SkillError } from '../../domain/connection/skill-errors.js';
import { type CopyQuestion, containsPeriod, type ListCopy, type ListedItems, readWholeList } from '../../domain/record/list-copy.js';
import { clip } from '../../domain/text.js';
import { untilAborted } from '../../platform/abort.js';

/** A longer list is not copied: questions about single items then cost less than the list. */
const MAX_COPIED_ITEMS = 5000;
/** A list that is too long to copy is measured again after this time. */
const TOO_LONG_SECONDS = 6 * 3600;
/** A list that the third party does not send in time, likewise. */
const TOO_SLOW_SECONDS = 900;
/** A list that changed while it was read, or that could not be read, is tried again after this time. */
const UNRELIABLE_SECONDS = 30;
/** The new items of an append-only list are added for this long. Then the whole list is read again. */
const WHOLE_AGAIN_SECONDS = 3600;
/** Questions wait for a read that long. Then they go to the third party. */
const MAX_WAIT_MS = 5000;
/** Ends the turn of a worker that died while it read. */
const READING_SECONDS = 60;
const LOOK_EVERY_MS = 100;

const Listed = z.object({ items: z.array(z.unknown()), total: z.number().nullable().default(null), cut: z.string().nullable() });

interface CopyTimings {
  readonly maxWaitMs: number;
}

interface CopierDeps {
  readonly pg: PgClient;
  /** Calls the list skill. Throws a `SkillError`. */
  list(place: CopyPlace, source: ListCopy, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
  readonly timings?: CopyTimings;
}

export interface CopiedAnswer {
  readonly output: unknown;
  /** Epoch seconds: when the third party was read. */
  readonly copiedAt: number;
}

interface AskedCopy {
  readonly place: CopyPlace;
  readonly source: ListCopy;
  readonly question: CopyQuestion;
  readonly signal: AbortSignal;
  /** A read that begins for this question may take this long. */
  readonly patienceMs: number;
}

/** Answers a question from the copy of a list, which it brings up to date first. null: ask the third party. */
export type AnswerFromCopy = (asked: AskedCopy) => Promise<CopiedAnswer | null>;

/** One for each process, because its questions share their reads. */
export function createCopier({ timings = { maxWaitMs: MAX_WAIT_MS }, ...deps }: CopierDeps): AnswerFromCopy {
  const running = new Map<string, { readonly ended: Promise<void>; readonly beganMs: number }>();

  /** Reads the list, unless another question of this process or another worker does. */
  const refresh = async (asked: AskedCopy, stored: StoredCopy | null): Promise<void> => {
    const { place, signal } = asked;
    const key = `${place.connectionUuid} ${place.kind} ${place.generation}`;
    const other = running.get(key);
    if (other) {
      const waitMs = other.beganMs + timings.maxWaitMs - performance.now();
      if (waitMs > 0) await waitFor(other.ended, waitMs, signal);
      return;
    }
    const ended = readInTurn(deps, asked, stored, timings).finally(() => running.delete(key));
    running.set(key, { ended: ended.catch(() => {}), beganMs: performance.now() });
    await ended;
  };

  return async (asked) => {
    const { place, source, question } = asked;
    const lookUp = () => findCopied(deps.pg, place, { keys: question.keys, freshAfter: Date.now() / 1000 - source.freshSeconds });
    const before = await lookUp();
    if (before?.isUnusable) return null;
    if (isFresh(before, source)) return answer(before, question);
    if (before !== null && before.readAt !== null && !containsPeriod(before.covered, question)) return null;
    await refresh(asked, before);
    const after = await lookUp();
    return isFresh(after, source) ? answer(after, question) : null;
  };
}

function isFresh(stored: StoredCopy | null, { freshSeconds }: ListCopy): stored is StoredCopy & { readonly readAt: number } {
  return stored !== null && !stored.isUnusable && stored.readAt !== null && stored.readAt >= Date.now() / 1000 - freshSeconds;
}

function answer(stored: StoredCopy & { readonly readAt: number }, question: CopyQuestion): CopiedAnswer | null {
  const { items, covered, readAt } = stored;
  if (items.length > MAX_ITEMS_FOUND || !containsPeriod(covered, question)) return null;
  const output = question.answer(items);
  return output === null ? null : { output, copiedAt: readAt };
}

/** Rejects only if the question was cancelled. */
async function waitFor(ended: Promise<void>, waitMs: number, signal: AbortSignal): Promise<void> {
  const limit = new AbortController();
  const pause = delay(waitMs, undefined, { signal: AbortSignal.any([signal, limit.signal]) }).catch(() => {});
  await Promise.race([ended, pause]).finally(() => limit.abort());
  signal.throwIfAborted();
}

/** Waits a moment if a worker of another process reads. */
async function readInTurn(deps: CopierDeps, asked: AskedCopy, stored: StoredCopy | null, { maxWaitMs }: CopyTimings): Promise<void> {
  const { pg } = deps;
  const { place, source, signal } = asked;
  const reader = { id: randomUUID(), seconds: READING_SECONDS, freshAfter: Date.now() / 1000 - source.freshSeconds };
  if (await beginCopying(pg, place, reader)) return read(deps, asked, { readerId: reader.id, stored });
  const untilMs = performance.now() + maxWaitMs;
  while (performance.now() < untilMs) {
    await delay(LOOK_EVERY_MS, undefined, { signal });
    const now = await findCopied(pg, place, { keys: [], freshAfter: Date.now() / 1000 });
    if (now === null || isFresh(now, source) || !now.isBeingRead) return;
  }
}

interface Turn {
  readonly readerId: string;
  /** The copy before this read. */
  readonly stored: StoredCopy | null;
}

/** A failure is a reason to ask the third party itself, except where that would fail in the same way. */
async function read(deps: CopierDeps, asked: AskedCopy, turn: Turn): Promise<void> {
  const { pg } = deps;
  const { place, signal, patienceMs } = asked;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const fail = (seconds: number, error: string) => failCopying(pg, place, turn.readerId, { seconds, error: clip(error, 1000) });
  try {
    const problem = await copyList(deps, asked, turn, limit);
    if (problem !== null) await fail(problem.seconds, problem.reason);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    if (signal.aborted || isSharedFailure(error)) {
      await fail(0, describe(error));
      throw error;
    }
    if (limit.aborted) await fail(TOO_SLOW_SECONDS, 'The third party did not send the list in time.');
    else await fail(UNRELIABLE_SECONDS, describe(error));
  }
}

function isSharedFailure(error: unknown): boolean {
  return error instanceof SkillError && (error.code === 'RateLimited' || error.code === 'CredentialsRejected');
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Copies the widest period whose list is short enough. Returns why there is no copy, or null. */
async function copyList(
  deps: CopierDeps,
  asked: AskedCopy,
  { readerId, stored }: Turn,
  limit: AbortSignal,
): Promise<{ seconds: number; reason: string } | null> {
  const { place, source } = asked;
  const readAt = Date.now() / 1000;
  const periods = source.listPeriods(readAt);
  for (let period = stored?.readAt == null ? 0 : stored.period; period < periods.length; period += 1) {
    const covered = periods[period];
    if (covered === undefined) break;
    const list = (maxItems: number) => listItems(deps, asked, { ...source.buildInput(covered), max_items: maxItems }, limit);
    const save = async (listed: ListedItems) => {
      const items = readWholeList(source, listed);
      if (items === null) return { seconds: UNRELIABLE_SECONDS, reason: 'The list changed while it was read, or repeats items.' };
      await deps.pg.begin((transaction) => replaceItems(transaction, place, readerId, { items, readAt, period, covered }));
      return null;
    };
    // A list that was short enough before is read at once.
    const isShort = stored?.readAt != null && source.isAppendOnly !== true;
    const page = await list(isShort ? MAX_COPIED_ITEMS : source.pageItems);
    if (page.cut === null) return save(page);
    if (isShort) continue;
    if (page.total !== null && page.total > MAX_COPIED_ITEMS) continue;
    if (source.isAppendOnly === true && page.total === null)
      return {
        seconds: TOO_LONG_SECONDS,
        reason: 'The list has several pages and no total, so new items would need the whole list again.',
      };
    const isRecent = stored?.wholeAt != null && readAt - stored.wholeAt < WHOLE_AGAIN_SECONDS;
    if (source.isAppendOnly === true && isRecent && (await addNewest(deps.pg, asked, readerId, { page, readAt, period, covered })))
      return null;
    const whole = await list(MAX_COPIED_ITEMS);
    if (whole.cut === null) return save(whole);
  }
  return { seconds: TOO_LONG_SECONDS, reason: `The list has more than ${MAX_COPIED_ITEMS} items.` };
}

async function listItems(
  deps: CopierDeps,
  { place, source }: AskedCopy,
  input: Record<string, unknown>,
  limit: AbortSignal,
): Promise<ListedItems> {
  const listed = await untilAborted(deps.list(place, source, input, limit), limit, () => new Error('aborted'));
  return Listed.parse(listed);
}

/** False: the total of the third party differs, because items were deleted or came late. The whole list shows which. */
async function addNewest(
  pg: PgClient,
  { place, source }: AskedCopy,
  readerId: string,
  { page, ...read }: { page: ListedItems; readAt: number; period: number; covered: { from: number | null; until: number | null } },
): Promise<boolean> {
  const items = readWholeList(source, { ...page, total: null });
  if (items === null) return false;
  try {
    await pg.begin(async (transaction) => {
      const count = await addItems(transaction, place, readerId, { ...read, items });
      if (count !== page.total) throw new TotalDiffers();
    });
    return true;
  } catch (error) {
    if (error instanceof TotalDiffers) return false;
    throw error;
  }
}

/** Rolls back. */
class TotalDiffers extends Error {}
