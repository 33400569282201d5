import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ReplyTooLarge, SkillTimedOut, ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { LIST_BOUND } from './define.js';

export interface Page<Item, Cursor> {
  readonly items: readonly Item[];
  /** The start of the next page; null at the end. */
  readonly next: Cursor | null;
  readonly total?: number | null;
  /** Of the reply, decompressed. */
  readonly bytes: number;
  /** Items that were left out because each of them is too large to read. */
  readonly omitted?: number;
}

export interface Collected<Item> {
  readonly items: Item[];
  readonly total: number | null;
  readonly cut: string | null;
  /** Present if only items that are too large to read are missing. */
  readonly omitted?: number;
  /** The request limit of the third party ended the list. */
  readonly isRequestLimit?: boolean;
}

/** Empty pages would otherwise never reach a limit. */
const MAX_PAGES = 1000;
/** Of a list without a limit of items: a third party that repeats its pages never ends it. */
const MAX_IDLE_PAGES = 20;

interface Bound {
  readonly maxItems: number;
  readonly maxBytes?: number;
  /** Reads on after the request limit of the third party, up to this time in epoch milliseconds. Absent: the limit is an error. */
  readonly waits?: { readonly untilMs: number; readonly signal: AbortSignal };
}

/** Reads all pages within the limits of items and bytes; `cut` gives the reason if a limit ended it. */
export async function collectPages<Item, Cursor>(
  first: Cursor,
  bound: Bound,
  readPage: (cursor: Cursor) => Promise<Page<Item, Cursor>>,
): Promise<Collected<Item>> {
  const { maxItems, maxBytes = LIST_BOUND.bytes } = bound;
  const items: Item[] = [];
  let total: number | null = null;
  let bytes = 0;
  let pages = 0;
  let omitted = 0;
  let idlePages = 0;
  for (let cursor: Cursor | null = first; cursor !== null; ) {
    const page: Page<Item, Cursor> | null = await readInTime(cursor, pages > 0 ? bound.waits : undefined, readPage);
    if (page === null) {
      const reason = `The third party's request limit ended the list after ${items.length} items.`;
      return { items, total, cut: reason, isRequestLimit: true };
    }
    idlePages = page.items.length === 0 ? idlePages + 1 : 0;
    items.push(...page.items.slice(0, maxItems - items.length + 1));
    bytes += page.bytes;
    pages += 1;
    omitted += page.omitted ?? 0;
    // A total that falls while the list is read means that an item was deleted, and perhaps another one skipped.
    total = page.total == null ? total : Math.max(page.total, total ?? 0);
    if (items.length > maxItems)
      return { items: items.slice(0, maxItems), total, cut: `There are more than the ${maxItems} items asked for.` };
    if (page.next !== null && items.length === maxItems)
      return { items, total, cut: `There may be more than the ${maxItems} items asked for.` };
    if (page.next !== null && bytes >= maxBytes)
      return { items, total, cut: `Stopped after ${items.length} items, at the bound of ${maxBytes} bytes.` };
    if (page.next !== null && bound.waits && idlePages >= MAX_IDLE_PAGES)
      return { items, total, cut: `Stopped after ${items.length} items: the third party sent ${idlePages} pages without a new one.` };
    if (page.next !== null && !bound.waits && pages >= MAX_PAGES)
      return { items, total, cut: `Stopped after ${items.length} items on ${pages} pages.` };
    cursor = page.next;
  }
  if (omitted > 0) return { items, total, cut: `Left out ${omitted} of the items: each is too large to read.`, omitted };
  return { items, total, cut: null };
}

/** Null: the third party's request limit does not end in time. Without a wait the limit is an error: the caller waits and asks again. */
async function readInTime<Item, Cursor>(
  cursor: Cursor,
  waits: Bound['waits'],
  readPage: (cursor: Cursor) => Promise<Page<Item, Cursor>>,
): Promise<Page<Item, Cursor> | null> {
  if (!waits) return readPage(cursor);
  for (;;) {
    if (Date.now() >= waits.untilMs) return null;
    try {
      return await readPage(cursor);
    } catch (error) {
      if (!(error instanceof ThirdPartyError) || error.code !== 'RateLimited') throw error;
      const waitMs = (error.retryAfterSeconds ?? 1) * 1000;
      if (Date.now() + waitMs >= waits.untilMs) return null;
      await delay(waitMs, undefined, { signal: waits.signal });
    }
  }
}

/** A third party that ignores the page size would otherwise send its large reply again for each item. */
const OMITTED_IN_A_ROW = 10;
/** A size that failed this often is not used again. */
const FAILURES_OF_A_SIZE = 2;

/** The lists that gave up. They are not read again for a minute, because each reading costs many large replies. */
const tooLargeLists = new LRUCache<string, ReplyTooLarge>({ max: 1000, ttl: 60_000 });

/** The page size of one list. It shrinks while replies are too large, and grows again after a single large item. */
export class PageSize {
  readonly #sizes: readonly number[];
  readonly #failures = new Map<number, number>();
  readonly #list: string;
  #index = 0;
  #omittedInARow = 0;
  #tooLarge: ReplyTooLarge | null = null;

  /** `by: 'page'`: the third party counts pages, so a smaller size must divide the larger one. */
  constructor(size: number, by: 'offset' | 'page', { connection, path }: { connection: { readonly id: string }; path: string }) {
    this.#sizes = by === 'offset' ? listHalves(size) : listDivisors(size);
    this.#list = `${connection.id} ${path}`;
  }

  /** Returns null if the item at the offset is too large even alone: leave it out and continue after it. */
  async read<Result>(offset: number, ask: (size: number) => Promise<Result>): Promise<Result | null> {
    const refused = tooLargeLists.get(this.#list);
    if (refused) throw refused;
    this.#grow(offset);
    for (;;) {
      const size = this.#sizes[this.#index] ?? 1;
      try {
        const result = await ask(size);
        this.#omittedInARow = 0;
        return result;
      } catch (error) {
        // Without the large replies there would have been time.
        if (error instanceof SkillTimedOut && this.#tooLarge) throw this.#giveUp(this.#tooLarge);
        if (!(error instanceof ReplyTooLarge)) throw error;
        this.#tooLarge = error;
        this.#failures.set(size, (this.#failures.get(size) ?? 0) + 1);
        if (size > 1) this.#index += 1;
        else if (this.#omittedInARow >= OMITTED_IN_A_ROW) throw this.#giveUp(error);
        else {
          this.#omittedInARow += 1;
          return null;
        }
      }
    }
  }

  #giveUp(error: ReplyTooLarge): ReplyTooLarge {
    tooLargeLists.set(this.#list, error);
    return error;
  }

  #grow(offset: number): void {
    const larger = this.#sizes[this.#index - 1];
    if (
      larger !== undefined &&
      this.#omittedInARow === 0 &&
      offset % larger === 0 &&
      (this.#failures.get(larger) ?? 0) < FAILURES_OF_A_SIZE
    )
      this.#index -= 1;
  }
}

function listHalves(size: number): number[] {
  const sizes = [size];
  for (let half = Math.floor(size / 2); half >= 1; half = Math.floor(half / 2)) sizes.push(half);
  return sizes;
}

function listDivisors(size: number): number[] {
  const sizes = [size];
  for (let divisor = Math.floor(size / 2); divisor >= 1; divisor -= 1) if ((sizes.at(-1) ?? 1) % divisor === 0) sizes.push(divisor);
  return sizes;
}

/** The page for an item that is too large to read. */
export function omittedItem<Cursor>(next: Cursor): Page<never, Cursor> {
  return { items: [], next, bytes: 0, omitted: 1 };
}
