import { describe, expect, it } from 'vitest';
import { InvalidSkillInput, NEVER_RETRIED, SkillTimedOut, UnexpectedReply } from '../../../domain/connection/skill-errors.js';
import { patienceSecondsOf, skillRetryPolicy } from '../../../domain/investigation/retry-policy.js';

/** The total wait before the last attempt of a skill. */
function totalWaitMs(count: number): number {
  const { initialInterval, backoffCoefficient, maximumInterval, maximumAttempts } = skillRetryPolicy(count);
  let waited = 0;
  for (let attempt = 1; attempt < maximumAttempts; attempt += 1)
    waited += Math.min(initialInterval * backoffCoefficient ** (attempt - 1), maximumInterval);
  return waited;
}

describe('the retry policy of a skill', () => {
  it('waits longer with every retry of the investigation, up to a limit', () => {
    const counts = [0, 1, 2, 3, 4, 5];
    for (const count of counts.slice(1)) {
      const [before, after] = [skillRetryPolicy(count - 1), skillRetryPolicy(count)];
      expect(after.maximumAttempts).toBeGreaterThan(before.maximumAttempts);
      expect(after.initialInterval).toBeGreaterThan(before.initialInterval);
      expect(after.maximumInterval).toBeGreaterThan(before.maximumInterval);
      expect(totalWaitMs(count)).toBeGreaterThan(totalWaitMs(count - 1));
    }
    expect(skillRetryPolicy(20)).toEqual(skillRetryPolicy(5));
    expect(skillRetryPolicy(-1)).toEqual(skillRetryPolicy(0));
  });

  it('has more patience with a third party that is down at a higher count', () => {
    expect(patienceSecondsOf(0)).toBe(60);
    for (const count of [0, 1, 2, 3, 4]) expect(patienceSecondsOf(count + 1)).toBeGreaterThan(patienceSecondsOf(count));
  });

  it('is short for the first attempt, because an analyst waits for the first verdict', () => {
    expect(totalWaitMs(0)).toBeLessThanOrEqual(10_000);
    expect(skillRetryPolicy(0).maximumAttempts).toBeGreaterThan(1);
  });

  it('never retries a permanent error', () => {
    for (const count of [0, 5]) expect(skillRetryPolicy(count).nonRetryableErrorTypes).toEqual([...NEVER_RETRIED]);
    expect(NEVER_RETRIED).toEqual(
      expect.arrayContaining(['InvalidSkillInput', 'UnexpectedReply', 'NotPermitted', 'NotFound', 'BadRequest', 'CredentialsRejected']),
    );
  });

  it('agrees with the `retryable` flag of each error', () => {
    const errors = [new InvalidSkillInput('x'), new UnexpectedReply('x'), new SkillTimedOut('x')];
    for (const error of errors) expect(NEVER_RETRIED.includes(error.code), error.code).toBe(!error.retryable);
  });

  it('returns a new object on each call', () => {
    skillRetryPolicy(0).nonRetryableErrorTypes.length = 0;
    expect(skillRetryPolicy(0).nonRetryableErrorTypes).toHaveLength(NEVER_RETRIED.length);
  });
});
