import { afterEach, expect, it, vi } from 'vitest';
import { atMostEvery } from '../../platform/at-most-every.js';

afterEach(() => vi.useRealTimers());

it('asks once for all callers, also while the answer is slow, and again after the time', async () => {
  vi.useFakeTimers();
  const answers: ((answer: number) => void)[] = [];
  const read = atMostEvery(1_000, () => new Promise<number>((resolve) => answers.push(resolve)));
  const first = [read(), read()];
  vi.advanceTimersByTime(5_000);
  first.push(read());
  answers[0]?.(1);
  expect(await Promise.all(first)).toEqual([1, 1, 1]);
  vi.advanceTimersByTime(999);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(1);
  const second = read();
  answers[1]?.(2);
  expect(await second).toBe(2);
  expect(answers).toHaveLength(2);
});

it('asks again after a failure', async () => {
  let count = 0;
  const read = atMostEvery(0, async () => {
    count += 1;
    if (count === 1) throw new Error('away');
    return count;
  });
  await expect(read()).rejects.toThrow('away');
  expect(await read()).toBe(2);
});
