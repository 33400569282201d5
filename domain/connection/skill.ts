import type { AffectedAssets } from '../response/affected-assets.js';
import type { ConnectionTestReport } from './connection.js';
import { SkillError, type SkillErrorCode, ThirdPartyError, WritesHeld } from './skill-errors.js';

/** What travels to a skill's activity: ids and the question, never a secret. */
export interface SkillRequest {
  readonly connectionId: string;
  /** Names the call among all calls of its workflow; a write keeps its name through every attempt at it. */
  readonly operationKey: string;
  /** Whose investigation asks; null for a person's own run. */
  readonly alertId: string | null;
  readonly runId: string | null;
  readonly input: unknown;
  /** Asked by an investigation: where it is a re-run, an earlier answer may do. */
  readonly mayReuse?: boolean;
}

/** What comes back: a bounded output, and where the whole of it lies. */
export interface SkillReply {
  readonly resultId: string;
  readonly output: unknown;
  readonly truncated: boolean;
  readonly instanceName: string;
  /** An earlier investigation asked it; nothing was asked now. */
  readonly reused?: boolean;
}

/** What a failed skill tells the workflow, as the failure's one detail. */
export interface SkillFailureFacts {
  readonly connectionId: string;
  readonly instanceName: string | null;
  readonly generation: number | null;
  readonly status: number | null;
  readonly resolution: string | null;
  readonly retryAfterSeconds: number | null;
}

/** What Temporal is told of a failure, whoever performed the skill: the error's code is the failure's type. */
export function toFailureFacts(
  error: unknown,
  call: { connectionId: string; instanceName: string | null; generation: number | null },
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

/** Answering these again cannot help, and an investigation goes on without the answer. */
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
  /** A remote agent performs its steps, whenever it is there. */
  readonly routed: boolean;
  /** How long an investigation waits for somebody to mend it. */
  readonly reconnectWaitSeconds: number;
}

/** What the workflow asks of the activities that know connections. */
export interface ConnectionActivities {
  /** null: the organization has no connection of this kind (or of this name). */
  resolveConnection(question: { alertId: string; kind: string; instanceName: string | null }): Promise<ChosenConnection | null>;
  /** False: it was mended meanwhile, go on at once. */
  parkOnConnection(waiter: {
    connectionId: string;
    generation: number;
    workflowId: string;
    alertId: string | null;
    skillId: string;
    reason: string;
    untilSeconds: number;
  }): Promise<boolean>;
  leaveConnection(waiter: { connectionId: string; workflowId: string }): Promise<void>;
}

/** Sent to every workflow whose write is held, when its organization's rules have changed. */
export const WRITES_RELEASED = 'writesReleased';

/** Sent to every workflow that waits for the connection. */
export const CONNECTION_RESTORED = 'connectionRestored';
export interface ConnectionRestored {
  readonly connectionId: string;
  readonly generation: number;
}

/** A person's own run of a skill. */
export interface SkillRunActivities {
  /** null: it is not there to be run. */
  readSkillRun(runId: string): Promise<SkillRunBrief | null>;
  /** False: it touches what is protected, or that cannot be told; a second person has to approve it now. */
  guardSkillRun(runId: string, touched: AffectedAssets | null): Promise<boolean>;
  /** Says why it is not sent yet. False: nothing holds it any more. */
  holdSkillRun(runId: string, because: string): Promise<boolean>;
  endSkillRun(runId: string, end: { resultId: string } | { error: SkillRunError }): Promise<void>;
}

export interface SkillRunBrief {
  readonly connector: string;
  readonly verb: string;
  readonly connection: ChosenConnection;
  readonly input: unknown;
  /** The organization protects assets, and no second person has approved this run. */
  readonly isGuarded: boolean;
}

export interface SkillRunError {
  readonly code: string;
  readonly message: string;
  readonly third_party_status: number | null;
  readonly resolution: string | null;
}

/** The test of a connection; one that passes wakes whoever waits for it. */
export interface ConnectionTestActivities {
  testConnection(connectionId: string): Promise<ConnectionTestReport>;
  wakeWaiters(): Promise<number>;
}

export function skillRunWorkflowId(runId: string): string {
  return `skill-${runId}`;
}
