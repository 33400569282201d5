import { expect, it } from 'vitest';
import { collectPages } from '../../../../activities/connectors/kit/paging.js';

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
