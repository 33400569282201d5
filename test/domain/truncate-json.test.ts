import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { truncateJson } from '../../domain/truncate-json.js';

const countBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** A seeded generator, so that a failure can be reproduced. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const ALPHABETS = ['abcdefghij ', 'ÄÖé€', '😀😎', '"\\\n\u0001', '漢字'];

function randomValue(random: () => number, depth: number): unknown {
  const pick = Math.floor(random() * (depth > 0 ? 7 : 5));
  if (pick === 0) return Math.floor(random() * 1e9) / 8;
  if (pick === 1) return random() < 0.5;
  if (pick === 2) return null;
  if (pick < 5) {
    const alphabet = ALPHABETS[Math.floor(random() * ALPHABETS.length)] ?? 'a';
    return [...alphabet].join('').repeat(Math.floor(random() ** 4 * 400));
  }
  const length = Math.floor(random() ** 2 * 12);
  const items = Array.from({ length }, () => randomValue(random, depth - 1));
  return pick === 5 ? items : Object.fromEntries(items.map((item, index) => [`key ${index}`, item]));
}

/** The smallest possible output: every key, empty arrays and strings of one character. */
function toSmallest(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : value.length === 1 ? value : '…';
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toSmallest(item)]));
}

function expectSameShape(smaller: unknown, whole: unknown): void {
  if (typeof whole === 'string' && typeof smaller === 'string') {
    if (smaller !== whole) {
      expect(smaller.endsWith('…')).toBe(true);
      expect(smaller.length).toBeLessThanOrEqual(whole.length);
      expect(smaller.isWellFormed()).toBe(true);
    }
  } else if (Array.isArray(whole) && Array.isArray(smaller)) {
    expect(smaller.length).toBeLessThanOrEqual(whole.length);
    for (const [index, item] of smaller.entries()) expectSameShape(item, whole[index]);
  } else if (typeof whole === 'object' && whole !== null && typeof smaller === 'object' && smaller !== null) {
    expect(Object.keys(smaller)).toEqual(Object.keys(whole));
    const inner = new Map(Object.entries(smaller));
    for (const [key, item] of Object.entries(whole)) expectSameShape(inner.get(key), item);
  } else {
    expect(smaller).toBe(whole);
  }
}

describe('truncateJson', () => {
  it('returns the same object when it fits', () => {
    const output = { items: ['a', 'é'], total: 2 };
    expect(truncateJson(output, countBytes(output))).toEqual({ output, truncated: false });
    expect(truncateJson(output, countBytes(output)).output).toBe(output);
    expect(truncateJson(output, countBytes(output) - 1).truncated).toBe(true);
  });

  it('truncates the long string and keeps the short values', () => {
    const output = { id: 'task:1', note: 'x'.repeat(100_000), tags: ['a', 'b', 'c'], total: 3 };
    const bounded = truncateJson(output, 10_000);
    expect(bounded.truncated).toBe(true);
    expect(bounded.output).toMatchObject({ id: 'task:1', tags: ['a', 'b', 'c'], total: 3, note: expect.stringMatching(/^x{9000,}…$/) });
  });

  it('truncates the longest array at its end and uses most of the limit', () => {
    const item = (index: number) => ({ id: `alert-${index}`, status: 'NEW', hits: [1, 2, 3] });
    const output = { items: Array.from({ length: 5000 }, (_, index) => item(index)), total: 5000, cut: null };
    const bounded = truncateJson(output, 32_768);
    const { items } = z
      .object({ items: z.array(z.object({ id: z.string(), status: z.literal('NEW'), hits: z.array(z.number()) })) })
      .parse(bounded.output);
    expect(items).toEqual(output.items.slice(0, items.length));
    expect(countBytes(bounded.output)).toBeLessThanOrEqual(32_768);
    expect(countBytes(bounded.output)).toBeGreaterThan(32_768 * 0.9);
  });

  it('keeps keys and numbers even when they exceed the limit', () => {
    const output = { one: 'long enough', two: [1, 2, 3], three: { four: 12_345_678 } };
    expect(truncateJson(output, 5)).toEqual({ output: { one: '…', two: [], three: { four: 12_345_678 } }, truncated: true });
  });

  it('splits no surrogate pair and keeps `__proto__` as a plain key', () => {
    const output = JSON.parse(`{"__proto__":"${'😀'.repeat(2000)}"}`);
    const bounded = truncateJson(output, 1001);
    expect(Object.keys(bounded.output as object)).toEqual(['__proto__']);
    expect(JSON.stringify(bounded.output).isWellFormed()).toBe(true);
    expect(countBytes(bounded.output)).toBeLessThanOrEqual(1001);
  });

  it('meets the limit when possible, with the same keys and a deterministic result', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = randomFrom(seed);
      const whole = randomValue(random, 5);
      const maxBytes = Math.floor(random() ** 2 * countBytes(whole) * 1.2) + 1;
      const bounded = truncateJson(whole, maxBytes);
      const smallest = countBytes(toSmallest(whole));
      if (smallest <= maxBytes) expect(countBytes(bounded.output), `seed ${seed}`).toBeLessThanOrEqual(maxBytes);
      else expect(countBytes(bounded.output), `seed ${seed}`).toBe(smallest);
      expect(bounded.truncated).toBe(countBytes(whole) > maxBytes);
      expectSameShape(bounded.output, whole);
      expect(JSON.parse(JSON.stringify(bounded.output))).toEqual(bounded.output);
      expect(truncateJson(whole, maxBytes)).toEqual(bounded);
    }
  });

  it('stays below the CPU limit for a large value', () => {
    const output = { rows: Array.from({ length: 60_000 }, (_, index) => ({ index, text: 'y'.repeat(index % 300) })) };
    const started = process.cpuUsage().user;
    expect(countBytes(truncateJson(output, 200_000).output)).toBeLessThanOrEqual(200_000);
    expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
  });
});
