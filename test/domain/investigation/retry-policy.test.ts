import { describe, expect, it } from 'vitest';
import { InvalidSkillInput, NEVER_RETRIED, SkillTimedOut, UnexpectedReply } from '../../../domain/connection/skill-errors.js';
import { skillRetryPolicy } from '../../../domain/investigation/retry-policy.js';

/** How long a skill is waited for in all before its last attempt. */
function patience(count: number): number {
  const { initialInterval, backoffCoefficient, maximumInterval, maximumAttempts } = skillRetryPolicy(count);
  let waited = 0;
  for (let attempt = 1; attempt < maximumAttempts; attempt += 1)
    waited += Math.min(initialInterval * backoffCoefficient ** (attempt - 1), maximumInterval);
  return waited;
}

describe('the retry policy of a skill', () => {
  it('grows more patient with every retry of its investigation, up to a bound', () => {
    const counts = [0, 1, 2, 3, 4, 5];
    for (const count of counts.slice(1)) {
      const [before, after] = [skillRetryPolicy(count - 1), skillRetryPolicy(count)];
      expect(after.maximumAttempts).toBeGreaterThan(before.maximumAttempts);
      expect(after.initialInterval).toBeGreaterThan(before.initialInterval);
      expect(after.maximumInterval).toBeGreaterThan(before.maximumInterval);
      expect(patience(count)).toBeGreaterThan(patience(count - 1));
    }
    expect(skillRetryPolicy(20)).toEqual(skillRetryPolicy(5));
    expect(skillRetryPolicy(-1)).toEqual(skillRetryPolicy(0));
  });

  it('is short at first: a person waits for the first verdict', () => {
    expect(patience(0)).toBeLessThanOrEqual(10_000);
    expect(skillRetryPolicy(0).maximumAttempts).toBeGreaterThan(1);
  });

  it('never tries again what cannot get better', () => {
    for (const count of [0, 5]) expect(skillRetryPolicy(count).nonRetryableErrorTypes).toEqual([...NEVER_RETRIED]);
    expect(NEVER_RETRIED).toEqual(
      expect.arrayContaining(['InvalidSkillInput', 'UnexpectedReply', 'NotPermitted', 'NotFound', 'BadRequest', 'CredentialsRejected']),
    );
  });

  it('agrees with what the errors say of themselves', () => {
    const errors = [new InvalidSkillInput('x'), new UnexpectedReply('x'), new SkillTimedOut('x')];
    for (const error of errors) expect(NEVER_RETRIED.includes(error.code), error.code).toBe(!error.retryable);
  });

  it('is pure: whoever changes what it gave changes nothing of the next', () => {
    skillRetryPolicy(0).nonRetryableErrorTypes.length = 0;
    expect(skillRetryPolicy(0).nonRetryableErrorTypes).toHaveLength(NEVER_RETRIED.length);
  });
});
