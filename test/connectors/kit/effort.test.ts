import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Effort } from '../../../connectors/kit/effort.js';
import { SkillTimedOut } from '../../../domain/connection/skill-errors.js';

const { signal } = new AbortController();
const never = (given: AbortSignal) =>
  new Promise<never>((_, reject) => given.addEventListener('abort', () => reject(new Error('aborted'))));

it('ends the request that uses up the time of the call, and begins no other', async () => {
  const effort = new Effort(50);
  expect(await effort.spend(signal, async () => 'fast')).toBe('fast');
  await expect(effort.spend(signal, never)).rejects.toThrow(SkillTimedOut);
  expect(effort.spentMs).toBeGreaterThanOrEqual(45);
  await expect(effort.spend(signal, async () => 'late')).rejects.toThrow(SkillTimedOut);
});

it('adds up requests, and leaves other errors and the end of the caller as they are', async () => {
  const effort = new Effort(10_000);
  await effort.spend(signal, () => delay(20));
  await effort.spend(signal, () => delay(20));
  expect(effort.spentMs).toBeGreaterThanOrEqual(35);
  await expect(effort.spend(signal, () => Promise.reject(new Error('reset')))).rejects.toThrow('reset');
  await expect(
    effort.spend(AbortSignal.abort(), (given) => (given.aborted ? Promise.reject(new Error('cancelled')) : never(given))),
  ).rejects.toThrow('cancelled');
});

it('without a limit only counts', async () => {
  const effort = new Effort();
  await effort.spend(signal, () => delay(20));
  expect(effort.spentMs).toBeGreaterThan(0);
});
