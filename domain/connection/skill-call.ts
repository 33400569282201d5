import type { SkillKey } from '../skill-key.js';
import { truncateJson } from '../truncate-json.js';
import type { ConnectionState } from './connection.js';
import type { SkillReply } from './skill.js';
import { NotApproved, SkillError, ThirdPartyError, WritesHeld } from './skill-errors.js';

/** The limit for one answer in a workflow history; `skill_results` stores the whole answer. */
const OUTPUT_IN_HISTORY_BYTES = 32 * 1024;

/** A write may still be in transit for this long: a lookup that does not find it proves nothing earlier. */
const SETTLED_AFTER_SECONDS = 60;

/** After this many failures in a row the connection pauses; the pause doubles with each further failure. */
export const CIRCUIT_BREAKER = { opensAfterFailures: 5, firstPauseSeconds: 15, maxPauseSeconds: 300 } as const;

/** The pauses after replies 429 that name no wait; each pause is twice the one before, with jitter. */
export const THROTTLE_BACKOFF = { firstPauseSeconds: 5, maxPauseSeconds: 300 } as const;

/** The part of the request limit that only severe alerts use, so that a flood of others does not delay them. */
const SEVERE_SHARE = 0.1;

/** The requests in a minute that a question may be one of. */
export function limitRequests(requestsPerMinute: number, { isSevere = false }: { readonly isSevere?: boolean }): number {
  const reserved = isSevere ? 0 : Math.ceil(requestsPerMinute * SEVERE_SHARE);
  return Math.max(1, requestsPerMinute - reserved);
}

export interface CalledSkill {
  readonly connectorKind: string;
  readonly skillKey: SkillKey;
  /** The title. */
  readonly skillId: string;
}

interface ConnectionCondition {
  readonly state: ConnectionState;
  readonly stateReason: string | null;
  readonly refused: { readonly reason: string; readonly resolution: string | null } | null;
  readonly blockedForSeconds: number | null;
  readonly blockReason: string | null;
  readonly failuresInARow: number;
}

/** Returns the connection, or throws the error that says why no call may use it now. */
export function requireUsable<Connection extends ConnectionCondition>(connection: Connection | null): Connection {
  if (!connection)
    throw new ThirdPartyError('Misconfigured', 'The connection does not exist, has another kind, or belongs to another organization.');
  if (connection.state === 'broken')
    throw new ThirdPartyError('CredentialsRejected', connection.stateReason ?? 'The connection is broken.', {
      resolution: 'Reconnect it with valid credentials.',
    });
  if (connection.refused !== null) {
    const { reason, resolution } = connection.refused;
    throw new ThirdPartyError('NotPermitted', reason, resolution === null ? {} : { resolution });
  }
  if (connection.blockedForSeconds !== null) {
    const isDown = connection.failuresInARow >= CIRCUIT_BREAKER.opensAfterFailures;
    const reason = isDown
      ? `it failed ${connection.failuresInARow} times in a row`
      : (connection.blockReason ?? 'the third party asked us to wait');
    throw new ThirdPartyError(isDown ? 'CircuitOpen' : 'RateLimited', `The connection is paused: ${reason}.`, {
      // The status of the reply that caused the pause: our own request limit has none.
      ...(isDown ? {} : { status: 429 }),
      retryAfterSeconds: connection.blockedForSeconds,
    });
  }
  return connection;
}

export function settlesInSeconds({ secondsAgo }: { secondsAgo: number }): number {
  return Math.max(0, Math.ceil(SETTLED_AFTER_SECONDS - secondsAgo));
}

export interface TruncatedAnswer {
  readonly output: unknown;
  readonly truncated: boolean;
}

export function truncateAnswer(output: unknown): TruncatedAnswer {
  return truncateJson(output, OUTPUT_IN_HISTORY_BYTES);
}

export function toSkillReply(resultId: string, output: unknown, instanceName: string): SkillReply {
  return { resultId, ...truncateAnswer(output), instanceName };
}

/** The effect of one failed call on every user of the connection. */
export type FailureEffect =
  | { readonly kind: 'break-connection'; readonly reason: string }
  | { readonly kind: 'refuse-skill'; readonly reason: string; readonly resolution: string | null }
  /** `seconds` is null if the third party named no wait: the pause grows with each such reply. */
  | { readonly kind: 'pause-connection'; readonly seconds: number | null; readonly reason: string }
  | { readonly kind: 'count-failure' };

/** null where the error concerns only the call itself. */
export function chooseFailureEffect(error: unknown): FailureEffect | null {
  if (!(error instanceof SkillError)) return null;
  const facts = error instanceof ThirdPartyError ? error : null;
  switch (error.code) {
    case 'CredentialsRejected':
      return { kind: 'break-connection', reason: error.message };
    case 'NotPermitted':
      return { kind: 'refuse-skill', reason: error.message, resolution: facts?.resolution ?? null };
    case 'RateLimited':
      // Our own limit concerns only this process. A limit of the third party has a status and concerns every process.
      return facts?.status === undefined
        ? null
        : { kind: 'pause-connection', seconds: facts.retryAfterSeconds ?? null, reason: error.message };
    case 'Unavailable':
    case 'SkillTimedOut':
      return { kind: 'count-failure' };
    default:
      return null;
  }
}

/** True if a write certainly had no effect: the third party rejected it, or our rules stopped it before it left. */
export function isRejected(error: unknown): error is SkillError {
  if (error instanceof ThirdPartyError) return !error.mayHaveHappened;
  return error instanceof WritesHeld || error instanceof NotApproved;
}
