import { toSearchAttributes } from '../search-attributes.js';
import type { SkillKey } from '../skill-key.js';
import type { AffectedAssets } from './affected-assets.js';
import type { ConnectionTestReport } from './connection.js';
import { SkillError, type SkillErrorCode, ThirdPartyError, WritesHeld } from './skill-errors.js';
import { describeTarget, titleWithTarget } from './skill-target.js';

/** The input of a skill's activity: ids and the skill's input, never a secret. */
export interface SkillRequest {
  readonly connectionId: string;
  /** Identifies the call within its workflow; every attempt of a write has the same key. */
  readonly operationKey: string;
  /** The alert of the investigation; null for a run that a person started. */
  readonly alertId: string | null;
  readonly runId: string | null;
  readonly input: unknown;
  /** A re-run of an investigation may use an earlier answer. */
  readonly mayReuse?: boolean;
  /** After this time a failed attempt is the last one, whatever the retry policy allows. */
  readonly patienceSeconds?: number;
  /** The time that the call may spend at the third party. Absent: only the limit of the skill counts. */
  readonly effortSeconds?: number;
  /** The source calls the alert severe: its questions may use all of the request limit. */
  readonly isSevere?: boolean;
}

/** The truncated output of a skill, and the id of the whole output. */
export interface SkillReply {
  readonly resultId: string;
  readonly output: unknown;
  readonly truncated: boolean;
  readonly instanceName: string;
  /** The answer of an earlier investigation; the third party was not called. */
  readonly reused?: boolean;
  /** The time that the call spent at the third party. Absent in replies of earlier builds. */
  readonly spentMs?: number;
  /** Epoch seconds: the answer comes from a copy of this time. */
  readonly copiedAt?: number;
}

/** The detail of a failed skill's Temporal failure. */
export interface SkillFailureFacts {
  readonly connectionId: string;
  readonly instanceName: string | null;
  readonly generation: number | null;
  readonly status: number | null;
  readonly resolution: string | null;
  readonly retryAfterSeconds: number | null;
  /** As in `SkillReply`. */
  readonly spentMs?: number;
}

/** Converts an error to a Temporal failure; the error's code is the failure's type. */
export function toFailureFacts(
  error: unknown,
  call: Pick<SkillFailureFacts, 'connectionId' | 'instanceName' | 'generation' | 'spentMs'>,
): { type: string; message: string; nonRetryable: boolean; details: SkillFailureFacts[]; nextRetryDelay?: number } {
  if (!(error instanceof SkillError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { type: 'UnexpectedError', message, nonRetryable: false, details: [] };
  }
  const thirdParty = error instanceof ThirdPartyError ? error : null;
  const facts: SkillFailureFacts = {
    ...call,
    status: thirdParty?.status ?? null,
    resolution: thirdParty?.resolution ?? null,
    retryAfterSeconds: (error instanceof WritesHeld ? error : thirdParty)?.retryAfterSeconds ?? null,
  };
  return {
    type: error.code,
    message: error.message,
    nonRetryable: !error.retryable,
    details: [facts],
    ...(error.retryable && facts.retryAfterSeconds !== null ? { nextRetryDelay: facts.retryAfterSeconds * 1000 } : {}),
  };
}

/** No answer now, but one is possible later. The investigation continues without it, and a later one asks again. */
export const OUTAGE_ERROR_CODES: ReadonlySet<string> = new Set<SkillErrorCode | 'UnexpectedError'>([
  'Misconfigured',
  'Unavailable',
  'SkillTimedOut',
  'CircuitOpen',
  'RateLimited',
  'UnexpectedReply',
  'ReplyTooLarge',
  'UnexpectedError',
]);

/** A retry of these cannot help: the investigation continues without the answer. */
export const GAP_ERROR_CODES: ReadonlySet<string> = new Set<SkillErrorCode>([
  'InvalidSkillInput',
  'BadRequest',
  'CredentialsRejected',
  'NotPermitted',
  'NotFound',
  'Conflict',
  'EgressRefused',
  'OutcomeUnknown',
]);

export interface ChosenConnection {
  readonly connectionId: string;
  readonly instanceName: string;
  /** A remote agent performs its steps. */
  readonly routed: boolean;
  /** How long an investigation waits for a reconnect. */
  readonly reconnectWaitSeconds: number;
}

/** The activities that workflows call about connections. */
export interface ConnectionActivities {
  /** null: the organization has no connection of this kind (or of this name). */
  resolveConnection(question: { alertId: string; kind: string; instanceName: string | null }): Promise<ChosenConnection | null>;
  /** False: the connection works again, continue at once. */
  parkOnConnection(waiter: {
    connectionId: string;
    generation: number;
    workflowId: string;
    alertId: string | null;
    /** Runs of earlier builds send only the title. */
    skillKey?: SkillKey;
    skillId: string;
    reason: string;
    untilSeconds: number;
  }): Promise<boolean>;
  leaveConnection(waiter: { connectionId: string; workflowId: string }): Promise<void>;
}

/** Signals a workflow with a held write that the rules of its organization changed. */
export const WRITES_RELEASED = 'writesReleased';

/** Signals a workflow that waits for the connection. */
export const CONNECTION_RESTORED = 'connectionRestored';
export interface ConnectionRestored {
  readonly connectionId: string;
  readonly generation: number;
}

/** A skill run that a person started. */
export interface SkillRunActivities {
  /** null: the run does not exist or has ended. */
  readSkillRun(runId: string): Promise<SkillRunBrief | null>;
  /** False: another workflow sends the write. Runs of earlier versions sent writes. */
  guardSkillRun(runId: string, touched: AffectedAssets | null): Promise<boolean>;
  /** False: try again. As `guardSkillRun`. */
  holdSkillRun(runId: string, because: string): Promise<boolean>;
  endSkillRun(runId: string, end: { resultId: string } | { error: SkillRunError }): Promise<void>;
}

export interface SkillRunBrief {
  readonly connector: string;
  readonly verb: string;
  readonly connection: ChosenConnection;
  readonly input: unknown;
  /** Of a write, in a run of an earlier version. */
  readonly isGuarded: boolean;
}

export interface SkillRunError {
  readonly code: string;
  readonly message: string;
  readonly third_party_status: number | null;
  readonly resolution: string | null;
}

/** A connection test. If it passes, waiting workflows continue. */
export interface ConnectionTestActivities {
  testConnection(connectionId: string): Promise<ConnectionTestReport>;
  wakeWaiters(): Promise<number>;
  /** Begins the follow-ups that wait for an answer of the connection. Returns their number. */
  askAgainNow(connectionId: string): Promise<number>;
}

export function skillRunWorkflowId(runId: string): string {
  return `skill-${runId}`;
}

export interface SkillRunStart {
  readonly runUuid: string;
  readonly skillId: string;
  readonly input: unknown;
  readonly organizationCode: string;
}

/** Identifies a run that a person started in Temporal Web. */
export function describeSkillRun({ skillId, input, organizationCode }: SkillRunStart) {
  return {
    summary: `${titleWithTarget(skillId, describeTarget(input))} · ${organizationCode}`,
    searchAttributes: toSearchAttributes({ Organization: organizationCode }),
  };
}
