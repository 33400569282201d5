import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EffortLimit } from '../../workflows/lib/effort-limit.js';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

it('waits for a third party that is down for its patience, and anew after an answer', () => {
  const limit = new EffortLimit(120);
  expect(limit.remainingSeconds('a')).toBe(120);
  limit.noteDown('a', Date.now());
  vi.setSystemTime(50_000);
  limit.noteDown('a', Date.now());
  expect(limit.remainingSeconds('a')).toBe(70);
  expect(limit.remainingSeconds('b')).toBe(120);
  vi.setSystemTime(130_000);
  expect(limit.remainingSeconds('a')).toBe(0);
  limit.noteAnswer('a', 0);
  expect(limit.remainingSeconds('a')).toBe(120);
});

it('counts the time of all calls, answered or not, and calls at the same time once', () => {
  const limit = new EffortLimit(60);
  vi.setSystemTime(100_000);
  limit.noteAnswer('a', 10_000);
  limit.noteCall('a', 10_000);
  limit.noteAnswer('a', 5_000);
  expect(limit.remainingEffortSeconds('a')).toBe(50);
  vi.setSystemTime(200_000);
  limit.noteCall('a', 20_000);
  expect(limit.remainingEffortSeconds('a')).toBe(30);
  // It covers both calls before, and the time between them.
  vi.setSystemTime(201_000);
  limit.noteCall('a', 58_000 + 53_000);
  expect([limit.remainingSeconds('a'), limit.isSpent('a')]).toEqual([0, true]);
  expect([limit.remainingSeconds('b'), limit.isSpent('b')]).toEqual([60, false]);
});

it('shares one wait for a silent remote agent between its steps', () => {
  const limit = new EffortLimit(60);
  expect(limit.remainingAgentSeconds('a', 3600)).toBe(3600);
  vi.setSystemTime(600_000);
  expect(limit.remainingAgentSeconds('a', 3600)).toBe(3000);
  vi.setSystemTime(3_600_000);
  expect(limit.remainingAgentSeconds('a', 3600)).toBe(60);
  expect(limit.remainingAgentSeconds('a', 2)).toBe(2);
  limit.noteAnswer('a', 0);
  expect(limit.remainingAgentSeconds('a', 3600)).toBe(3600);
});
