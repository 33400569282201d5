import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { collectPages, omittedItem, PageSize } from '../../../connectors/kit/paging.js';
import { ReplyTooLarge, SkillTimedOut, ThirdPartyError } from '../../../domain/connection/skill-errors.js';

/** Returns pages of ten numbers, up to `total`. */
function numbers(total: number, asked: number[] = []) {
  return async (from: number) => {
    asked.push(from);
    const items = Array.from({ length: Math.min(10, total - from) }, (_, index) => from + index);
    return { items, next: from + 10 < total ? from + 10 : null, total, bytes: 100 };
  };
}

it('reads all pages', async () => {
  const { items, total, cut } = await collectPages(0, { maxItems: 1000 }, numbers(35));
  expect(items).toEqual(Array.from({ length: 35 }, (_, index) => index));
  expect({ total, cut }).toEqual({ total: 35, cut: null });
});

it('reports a list that exactly fits as complete', async () => {
  expect(await collectPages(0, { maxItems: 30 }, numbers(30))).toMatchObject({ cut: null });
});

it.each([5, 10, 15, 20])('stops at %d items and reports the truncation', async (maxItems) => {
  const asked: number[] = [];
  const { items, cut } = await collectPages(0, { maxItems }, numbers(35, asked));
  expect(items).toHaveLength(maxItems);
  expect(cut).toContain(`more than the ${maxItems} items`);
  expect(asked).toHaveLength(Math.ceil(maxItems / 10));
});

it('stops at the byte limit and reports the truncation', async () => {
  const { items, cut } = await collectPages(0, { maxItems: 1000, maxBytes: 150 }, numbers(35));
  expect(items).toHaveLength(20);
  expect(cut).toBe('Stopped after 20 items, at the bound of 150 bytes.');
});

it('reports a last page that exceeds the byte limit as complete', async () => {
  expect(await collectPages(0, { maxItems: 1000, maxBytes: 50 }, numbers(7))).toMatchObject({ total: 7, cut: null });
});

it('stops after endless empty pages', async () => {
  let pages = 0;
  const endless = async () => {
    pages += 1;
    return { items: [], next: 'again', bytes: 0 };
  };
  expect(await collectPages('first', { maxItems: 10 }, endless)).toEqual({
    items: [],
    total: null,
    cut: 'Stopped after 0 items on 1000 pages.',
  });
  expect(pages).toBe(1000);
});

/** A list whose pages may have 100 units. Returns the list and the pages that it asked for. */
async function readSized(
  sizes: readonly number[],
  by: 'offset' | 'page',
  pageSize: number,
  ofList = { connection: { id: randomUUID() }, path: '/items' },
) {
  const asked: [offset: number, size: number][] = [];
  const size = new PageSize(pageSize, by, ofList);
  const list = await collectPages(0, { maxItems: 1000 }, async (offset: number) => {
    const page = await size.read(offset, async (limit) => {
      asked.push([offset, limit]);
      const items = sizes.slice(offset, offset + limit);
      if (items.reduce((sum, item) => sum + item, 0) > 100) throw new ReplyTooLarge('too large');
      return items;
    });
    if (page === null) return omittedItem(offset + 1);
    return { items: page, next: offset + page.length < sizes.length ? offset + page.length : null, bytes: 1 };
  });
  return { ...list, asked };
}

it.each(['offset', 'page'] as const)('reads a page that is too large again in smaller pages, counted by %s', async (by) => {
  const sizes = Array.from({ length: 40 }, () => 30);
  const { items, cut, asked } = await readSized(sizes, by, 20);
  expect(items).toHaveLength(40);
  expect(cut).toBeNull();
  if (by === 'page') expect(asked.every(([offset, size]) => offset % size === 0)).toBe(true);
  // A size that failed twice is not tried again.
  expect(asked.length).toBeLessThan(50);
});

it.each(['offset', 'page'] as const)('leaves out an item that is too large alone, and grows the pages again after it (%s)', async (by) => {
  const sizes = Array.from({ length: 60 }, (_, index) => (index === 7 ? 1000 : 1));
  const { items, cut, asked } = await readSized(sizes, by, 20);
  expect(items).toHaveLength(59);
  expect(cut).toBe('Left out 1 of the items: each is too large to read.');
  expect(asked.at(-1)?.[1]).toBeGreaterThan(4);
});

it('gives up on a third party that ignores the page size', async () => {
  await expect(
    readSized(
      Array.from({ length: 50 }, () => 1000),
      'offset',
      20,
    ),
  ).rejects.toThrow(ReplyTooLarge);
});

const limited = (retryAfterSeconds: number) => new ThirdPartyError('RateLimited', 'Too many requests', { retryAfterSeconds });

it('reads on after the request limit of the third party, from the same page', async () => {
  const asked: number[] = [];
  const read = numbers(35, asked);
  let refusals = 1;
  const { items, cut } = await collectPages(0, { maxItems: Infinity, waits: within(60_000) }, async (from) => {
    if (from === 20 && refusals-- > 0) throw limited(0.01);
    return read(from);
  });
  expect({ items: items.length, cut, asked }).toEqual({ items: 35, cut: null, asked: [0, 10, 20, 30] });
});

it('states what is missing if the request limit does not end in time, and leaves the limit before the first page to its caller', async () => {
  const read = async (from: number) => {
    if (from === 20) throw limited(600);
    return numbers(35)(from);
  };
  expect(await collectPages(0, { maxItems: Infinity, waits: within(60_000) }, read)).toMatchObject({
    cut: "The third party's request limit ended the list after 20 items.",
    isRequestLimit: true,
  });
  await expect(collectPages(20, { maxItems: Infinity, waits: within(60_000) }, read)).rejects.toMatchObject({ code: 'RateLimited' });
});

it('ends a list without a limit whose pages repeat', async () => {
  const repeat = async (from: number) => ({ items: from === 0 ? [1] : [], next: from + 1, bytes: 10 });
  const { items, cut } = await collectPages(0, { maxItems: Infinity, waits: within(60_000) }, repeat);
  expect(items).toEqual([1]);
  expect(cut).toContain('without a new one');
});

function within(ms: number) {
  return { untilMs: Date.now() + ms, signal: new AbortController().signal };
}

it('does not read a list again that gave up a moment ago', async () => {
  const list = { connection: { id: randomUUID() }, path: '/items' };
  const tooLarge = Array.from({ length: 50 }, () => 1000);
  await expect(readSized(tooLarge, 'offset', 20, list)).rejects.toThrow(ReplyTooLarge);
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return [];
  };
  await expect(new PageSize(20, 'offset', list).read(0, ask)).rejects.toThrow(ReplyTooLarge);
  expect(asked).toBe(0);
  await new PageSize(20, 'offset', { ...list, path: '/others' }).read(0, ask);
  expect(asked).toBe(1);
});

it('names the large replies as the cause if there is no time for smaller pages', async () => {
  const size = new PageSize(20, 'offset', { connection: { id: randomUUID() }, path: '/items' });
  const ask = async (limit: number) => {
    throw limit > 5 ? new ReplyTooLarge('too large') : new SkillTimedOut('out of time');
  };
  await expect(size.read(0, ask)).rejects.toThrow(ReplyTooLarge);
});
