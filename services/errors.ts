import { isDatabaseAway, isUnstorable } from '../db/client.js';

/** The reason for which a command refuses. Each transport translates it: the API to a status, Slack to a sentence. */
export type Refusal =
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'too-many'
  | 'third-party'
  | 'unavailable';

export interface WrongField {
  readonly detail: string;
  /** JSON pointer to the wrong field of the input. */
  readonly pointer?: string;
  /** The wrong query or path parameter, or header. */
  readonly parameter?: string;
}

export interface ThirdPartyFailure {
  readonly code: string;
  readonly third_party_status: number | null;
  readonly resolution: string | null;
}

interface ErrorOptions {
  readonly errors?: readonly WrongField[];
  readonly retryAfterSeconds?: number;
  readonly thirdParty?: ThirdPartyFailure;
}

/** A command refuses, and nothing changed. The message is for people: the problem, its place and the resolution. */
export class CommandError extends Error {
  readonly refusal: Refusal;
  readonly errors: readonly WrongField[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly thirdParty: ThirdPartyFailure | undefined;

  constructor(refusal: Refusal, detail: string, options: ErrorOptions = {}) {
    super(detail);
    this.refusal = refusal;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.thirdParty = options.thirdParty;
  }
}

/** Limits the size of a reply to an input with very many wrong fields. */
export const MAX_WRONG_FIELDS = 50;

export function invalid(errors: readonly WrongField[]): CommandError {
  const detail = errors.length === 1 ? (errors[0]?.detail ?? '') : `${errors.length} fields are invalid. See errors.`;
  return new CommandError('invalid', detail, { errors });
}

export function notFound(what: string): CommandError {
  return new CommandError('not-found', `No ${what}, or you have no access to it.`);
}

export function conflict(detail: string, options?: ErrorOptions): CommandError {
  return new CommandError('conflict', detail, options);
}

export function forbidden(detail: string): CommandError {
  return new CommandError('forbidden', detail);
}

const DATABASE_AWAY = new CommandError(
  'unavailable',
  'The database is unavailable. Try again shortly. An alert sent again with the same Idempotency-Key is stored once.',
  { retryAfterSeconds: 2 },
);

const UNSTORABLE = new CommandError('invalid', 'A text of the request contains a NUL character, which cannot be stored. Remove it.');

/** null for an error that is a fault of the service. */
export function toCommandError(error: unknown): CommandError | null {
  if (error instanceof CommandError) return error;
  if (isUnstorable(error)) return UNSTORABLE;
  return isDatabaseAway(error) ? DATABASE_AWAY : null;
}

/** A fault of the service is no refusal. */
export function requireRefusal(error: unknown): CommandError {
  const refusal = toCommandError(error);
  if (refusal === null) throw error;
  return refusal;
}
