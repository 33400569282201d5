import { afterEach, expect, it, vi } from 'vitest';
import { OutageLimit } from '../../workflows/lib/outage-limit.js';

afterEach(() => {
  vi.useRealTimers();
});

it('waits for a third party that is down for its patience, and anew after an answer', () => {
  vi.useFakeTimers({ now: 0 });
  const limit = new OutageLimit(120);
  expect(limit.remainingSeconds('a')).toBe(120);
  limit.noteFailure('a', Date.now());
  vi.setSystemTime(50_000);
  limit.noteFailure('a', Date.now());
  expect(limit.remainingSeconds('a')).toBe(70);
  expect(limit.remainingSeconds('b')).toBe(120);
  vi.setSystemTime(130_000);
  expect(limit.remainingSeconds('a')).toBe(0);
  limit.noteAnswer('a');
  expect(limit.remainingSeconds('a')).toBe(120);
});
