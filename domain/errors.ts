/**
 * An error of a skill knows whether trying again can help. It becomes a Temporal failure at one edge
 * (`activities/skill.ts`), where its code is the failure's type.
 */
export abstract class SkillError extends Error {
  abstract readonly code: string;
  abstract readonly retryable: boolean;
  /** What the third party asked us to wait. */
  readonly retryAfterSeconds?: number;
}

/** The playbook asked for something the skill's contract does not allow. */
export class InvalidSkillInput extends SkillError {
  readonly code = 'InvalidSkillInput';
  readonly retryable = false;
}

/** The reply does not fit the skill's contract. */
export class UnexpectedReply extends SkillError {
  readonly code = 'UnexpectedReply';
  readonly retryable = false;
}

/** The third party took longer than the skill allows. */
export class SkillTimedOut extends SkillError {
  readonly code = 'SkillTimedOut';
  readonly retryable = true;
}

/** Named failures that no policy ever retries. */
export const NEVER_RETRIED = ['InvalidSkillInput', 'UnexpectedReply', 'NotPermitted', 'NotFound', 'BadRequest', 'Unauthorized'] as const;
