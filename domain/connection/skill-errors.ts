import type { z } from 'zod';

/**
 * An error of a skill knows whether trying again can help. It becomes a Temporal failure at one edge
 * (`activities/skill.ts`), where its code is the failure's type.
 */
export abstract class SkillError extends Error {
  abstract readonly code: SkillErrorCode;
  abstract readonly retryable: boolean;
}

export type SkillErrorCode =
  | ThirdPartyErrorCode
  | 'InvalidSkillInput'
  | 'UnexpectedReply'
  | 'SkillTimedOut'
  | 'OutcomeUnknown'
  | 'WritesHeld';

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

/** Whether a write happened cannot be told: repeating it is a person's decision. */
export class OutcomeUnknown extends SkillError {
  readonly code = 'OutcomeUnknown';
  readonly retryable = false;
}

/** The organization's stop switch or its limit of writes an hour: waited for in the workflow, at no attempt's cost. */
export class WritesHeld extends SkillError {
  readonly code = 'WritesHeld';
  readonly retryable = false;
  /** null: until somebody turns the switch. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What a third party can do to a call, and what follows from it. */
export const THIRD_PARTY_ERRORS = {
  /** 400 and everything else that is our request's fault. */
  BadRequest: { retryable: false },
  /** 401, after one new token: the connection is broken until somebody reconnects it. */
  CredentialsRejected: { retryable: false },
  /** 403: this skill needs a permission that a person has to grant. */
  NotPermitted: { retryable: false },
  NotFound: { retryable: false },
  /** 409 and its kin: the third party is already doing it, or is in another state. */
  Conflict: { retryable: false },
  /** 429, or our own limit for the connection: waited for in the workflow, at no attempt's cost. */
  RateLimited: { retryable: false },
  /** Too many failures in a row: nobody calls until it has had a rest. Waited for like a limit. */
  CircuitOpen: { retryable: false },
  /** 5xx, a reset, a time-out: backed off, bounded. */
  Unavailable: { retryable: true },
  /** The address may not be connected to: see EGRESS_ALLOW. */
  EgressRefused: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;
export type ThirdPartyErrorCode = keyof typeof THIRD_PARTY_ERRORS;

export interface ThirdPartyErrorFacts {
  /** The HTTP status, where there was one. */
  readonly status?: number;
  /** What a person can do about it. */
  readonly resolution?: string;
  /** What the third party asked us to wait. */
  readonly retryAfterSeconds?: number;
  /** False where the request surely had no effect: refused before it was sent, or answered with a refusal. */
  readonly mayHaveHappened?: boolean;
}

/** A named refusal or failure of a third party. Its message holds no secret: what makes one scrubs it. */
export class ThirdPartyError extends SkillError {
  override readonly name = 'ThirdPartyError';
  readonly code: ThirdPartyErrorCode;
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly resolution: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly mayHaveHappened: boolean;

  constructor(code: ThirdPartyErrorCode, message: string, facts: ThirdPartyErrorFacts = {}) {
    super(message);
    this.code = code;
    this.retryable = THIRD_PARTY_ERRORS[code].retryable;
    this.status = facts.status;
    this.resolution = facts.resolution;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.mayHaveHappened = facts.mayHaveHappened ?? code === 'Unavailable';
  }
}

/** Named failures that no policy ever retries. */
export const NEVER_RETRIED: readonly string[] = [
  'InvalidSkillInput',
  'UnexpectedReply',
  'OutcomeUnknown',
  'WritesHeld',
  ...Object.entries(THIRD_PARTY_ERRORS)
    .filter(([, { retryable }]) => !retryable)
    .map(([code]) => code),
];

/** For a message a person reads: which field, and what is wrong with it. */
export function describeIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ');
}
