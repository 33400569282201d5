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
  | 'ReplyTooLarge'
  | 'SkillTimedOut'
  | 'OutcomeUnknown'
  | 'WritesHeld'
  | 'NotApproved';

/** The input does not match the skill's contract. */
export class InvalidSkillInput extends SkillError {
  readonly code = 'InvalidSkillInput';
  readonly retryable = false;
}

/** The reply does not match the skill's contract. */
export class UnexpectedReply extends SkillError {
  readonly code = 'UnexpectedReply';
  readonly retryable = false;
}

/** The reply is larger than we read. A list reads the same items again in smaller pages. */
export class ReplyTooLarge extends SkillError {
  readonly code = 'ReplyTooLarge';
  readonly retryable = false;
}

/** The third party took longer than the skill allows. */
export class SkillTimedOut extends SkillError {
  readonly code = 'SkillTimedOut';
  readonly retryable = true;
}

/** The outcome of a write is unknown: a person decides whether to repeat it. */
export class OutcomeUnknown extends SkillError {
  readonly code = 'OutcomeUnknown';
  readonly retryable = false;
}

/** The stop switch or the hourly write limit of the organization. The workflow waits, which costs no attempt. */
export class WritesHeld extends SkillError {
  readonly code = 'WritesHeld';
  readonly retryable = false;
  /** null: until a person resumes changes. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A person refused the write, or it needs the approval of a second person. The stored run has the reason. */
export class NotApproved extends SkillError {
  readonly code = 'NotApproved';
  readonly retryable = false;
}

/** How a call can fail, and how the service reacts. */
export const THIRD_PARTY_ERRORS = {
  /** 400 and other errors in our request. */
  BadRequest: { retryable: false },
  /** 401 with a new token: the connection is broken until a reconnect. */
  CredentialsRejected: { retryable: false },
  /** 403: the skill needs a permission at the third party. */
  NotPermitted: { retryable: false },
  /** The third party is reachable, and does not know the record. */
  NotFound: { retryable: false },
  /** The connection does not lead to the third party's API: deleted, a wrong host or path, secrets that cannot be opened. */
  Misconfigured: { retryable: false },
  /** 409 and similar: the third party already does it, or is in another state. */
  Conflict: { retryable: false },
  /** 429, or our own limit for the connection. The workflow waits, which costs no attempt. */
  RateLimited: { retryable: false },
  /** Too many failures in a row: no calls for a while. The workflow waits as for a rate limit. */
  CircuitOpen: { retryable: false },
  /** 5xx, a reset or a time-out: retried with backoff. */
  Unavailable: { retryable: true },
  /** The egress policy refuses the address: see EGRESS_ALLOW. */
  EgressRefused: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;
export type ThirdPartyErrorCode = keyof typeof THIRD_PARTY_ERRORS;

export interface ThirdPartyErrorFacts {
  /** The HTTP status, if there was a reply. */
  readonly status?: number;
  /** How a person can resolve it. */
  readonly resolution?: string;
  /** The wait that the third party asked for; absent if it gave none. */
  readonly retryAfterSeconds?: number;
  /** False if the request certainly had no effect: not sent, or refused. */
  readonly mayHaveHappened?: boolean;
}

/** A failure of a third party. Its creator removes secrets from the message. */
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

  /** The same failure of a call that certainly had no effect. */
  asUnsent(): ThirdPartyError {
    const { code, message, status, resolution, retryAfterSeconds } = this;
    return new ThirdPartyError(code, message, {
      mayHaveHappened: false,
      ...(status === undefined ? {} : { status }),
      ...(resolution === undefined ? {} : { resolution }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
}

/** Failures that are never retried. */
export const NEVER_RETRIED: readonly string[] = [
  'InvalidSkillInput',
  'UnexpectedReply',
  'ReplyTooLarge',
  'OutcomeUnknown',
  'WritesHeld',
  'NotApproved',
  ...Object.entries(THIRD_PARTY_ERRORS)
    .filter(([, { retryable }]) => !retryable)
    .map(([code]) => code),
];

/** Names each invalid field and its problem. */
export function describeIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ');
}
