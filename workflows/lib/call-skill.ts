import { ApplicationFailure, proxyActivities, sleep } from '@temporalio/workflow';
import type { SkillContract } from '../../connectors/kit/define.js';
import type { ChosenConnection, SkillFailureFacts, SkillReply, SkillRequest } from '../../domain/connection/skill.js';
import { describeTarget, titleWithTarget } from '../../domain/connection/skill-target.js';
import { skillRetryPolicy } from '../../domain/investigation/retry-policy.js';
import type { SkillKey } from '../../domain/skill-key.js';
import { escapeMarkdown } from '../../domain/text.js';
import type { ConnectionWaiter } from './connection-waiter.js';
import { type EffortLimit, EffortSpent } from './effort-limit.js';
import { patched } from './patched.js';
import { mayWaitLonger } from './run-limits.js';
import { toSkillFailure } from './skill-failure.js';
import type { WriteHold } from './write-hold.js';

/** A worker that died is noticed after this time. */
const HEARTBEAT_TIMEOUT_MS = 15_000;
/** The API and the reconciler send a heartbeat for every parked step each minute. Longer silence means the step was never handed over. */
const PARKED_HEARTBEAT_TIMEOUT_MS = 10 * 60_000;

const MAX_THROTTLED_SECONDS = 24 * 3600;
/** An investigation waits for a third party that throttles it at most this long. Our own request limit ends sooner or later. */
const MAX_THROTTLED_BY_THIRD_PARTY_SECONDS = 15 * 60;
/** The least wait before the next call: it doubles with each throttled reply, whatever the third party asks for. */
const MAX_BACKOFF_SECONDS = 300;
const JITTER = 0.1;
/** The wait between two calls to a third party that is down and not paused yet. */
const DOWN_WAIT_SECONDS = 5;
/** Failures during an outage. The call is repeated for as long as the outage limit allows. */
const DOWN_CODES: ReadonlySet<string> = new Set(['Unavailable', 'SkillTimedOut', 'CircuitOpen', 'UnexpectedError']);

export interface Renewal {
  isDue(): boolean;
  renew(): Promise<never>;
}

export interface SkillCall {
  readonly skillKey: SkillKey;
  readonly contract: SkillContract;
  readonly connection: ChosenConnection;
  readonly request: SkillRequest;
  readonly retryCount: number;
  /** null: rejected credentials fail the call at once. */
  readonly waiter: ConnectionWaiter | null;
  /** Without it, the limits of the skill and its retry policy alone decide how long the call takes. */
  readonly effort?: EffortLimit;
  /** Without it, a write that the response rules hold fails at once. */
  readonly hold?: WriteHold;
  /** Continues a run whose history is long as a new run, before the next wait. */
  readonly renewal?: Renewal;
}

/** The waits of one call so far. */
interface Waits {
  askedMs: number;
  throttledReplies: number;
  throttledSeconds: number;
}

/** Calls one skill. Waiting for a throttled third party, a reconnect or a release uses up no attempt. */
export async function callSkill(call: SkillCall): Promise<SkillReply> {
  const { effort, request } = call;
  const { connectionId, instanceName } = call.connection;
  const waits: Waits = { askedMs: Date.now(), throttledReplies: 0, throttledSeconds: 0 };
  for (;;) {
    // Earlier builds bounded only the time for which the third party was down.
    if (effort?.isSpent(connectionId) && patched('effort-limit'))
      throw new EffortSpent(`The calls of this investigation to ${instanceName} already took too long, so it was not asked.`);
    try {
      const perform = createSkillActivity(call);
      const reply = await perform(effort ? { ...request, ...limitCall(effort, connectionId) } : request);
      effort?.noteAnswer(connectionId, reply.spentMs ?? 0);
      return reply;
    } catch (error) {
      await waitBeforeRetry(call, error, waits);
    }
  }
}

function limitCall(effort: EffortLimit, connectionId: string) {
  return { patienceSeconds: effort.remainingSeconds(connectionId), effortSeconds: effort.remainingEffortSeconds(connectionId) };
}

/** Throws the error again if waiting does not help. */
async function waitBeforeRetry(call: SkillCall, error: unknown, waits: Waits): Promise<void> {
  const { skillKey, contract, connection, request, waiter, hold, effort } = call;
  const failure = toSkillFailure(error);
  if (failure === null) throw error;
  // Without an `await` if it is not due: one would change the order of steps in recorded histories.
  if (call.renewal?.isDue()) await call.renewal.renew();
  const { code, facts } = failure;
  effort?.noteCall(connection.connectionId, facts?.spentMs ?? 0);
  if (effort && !mayWaitLonger()) throw error;
  if (effort && DOWN_CODES.has(code)) {
    effort.noteDown(connection.connectionId, waits.askedMs);
    const seconds = Math.max(DOWN_WAIT_SECONDS, facts?.retryAfterSeconds ?? 0);
    if (seconds > effort.remainingSeconds(connection.connectionId)) throw error;
    await sleep(seconds * 1000, { summary: `${contract.title}: ${escapeMarkdown(connection.instanceName)} does not answer` });
    return;
  }
  if (facts === null) throw error;
  if (code === 'RateLimited' || code === 'CircuitOpen') return waitForThrottle(call, error, facts, waits);
  if (code === 'WritesHeld' && hold) {
    await hold.waitForRelease({ because: failure.message, retryAfterSeconds: facts.retryAfterSeconds });
    return;
  }
  if (code === 'CredentialsRejected' && waiter !== null) {
    const isReconnected = await waiter.waitForReconnect({
      ...connection,
      generation: facts.generation ?? 0,
      alertId: request.alertId,
      skillKey,
      skillId: contract.title,
      reason: failure.message,
    });
    if (isReconnected) {
      waits.askedMs = Date.now();
      return;
    }
  }
  throw error;
}

/** Waits as long as the third party asks for, and longer with each reply that throttles the call. */
async function waitForThrottle(
  { contract, connection, effort }: SkillCall,
  error: unknown,
  { status, retryAfterSeconds }: SkillFailureFacts,
  waits: Waits,
): Promise<void> {
  // Our own request limit has no status.
  const isByThirdParty = status !== null;
  if (isByThirdParty) waits.throttledReplies += 1;
  const backoffSeconds = isByThirdParty ? Math.min(MAX_BACKOFF_SECONDS, 2 ** (waits.throttledReplies - 1)) : 1;
  // The jitter keeps the waiting investigations from calling all at once.
  const seconds = Math.max(backoffSeconds, retryAfterSeconds ?? 0) * (1 + Math.random() * JITTER);
  const atMostSeconds = isByThirdParty && effort ? MAX_THROTTLED_BY_THIRD_PARTY_SECONDS : MAX_THROTTLED_SECONDS;
  if (waits.throttledSeconds + seconds > atMostSeconds) throw error;
  await sleep(Math.ceil(seconds * 1000), { summary: `${contract.title}: rate limit of ${escapeMarkdown(connection.instanceName)}` });
  waits.throttledSeconds += seconds;
  waits.askedMs = Date.now();
}

function limitAgentWait({ connectionId, reconnectWaitSeconds }: ChosenConnection, effort: EffortLimit | undefined): number {
  return effort ? effort.remainingAgentSeconds(connectionId, reconnectWaitSeconds) : reconnectWaitSeconds;
}

function createSkillActivity({ skillKey, contract, connection, request, retryCount, effort }: SkillCall) {
  const retry = skillRetryPolicy(retryCount);
  const backoffSeconds = (retry.maximumAttempts * retry.maximumInterval) / 1000;
  const timeouts = connection.routed
    ? // Steps wait for a remote agent that is offline, in all attempts together.
      { scheduleToCloseTimeout: limitAgentWait(connection, effort) * 1000, heartbeatTimeout: PARKED_HEARTBEAT_TIMEOUT_MS }
    : {
        startToCloseTimeout: contract.timeoutSeconds * 1000,
        heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
        scheduleToCloseTimeout: (contract.timeoutSeconds * retry.maximumAttempts + backoffSeconds) * 1000,
      };
  const activities = proxyActivities<Record<string, (request: SkillRequest) => Promise<SkillReply>>>({
    ...timeouts,
    retry,
    // Temporal Web shows the summary of an activity as text, unlike that of a run.
    summary: `${titleWithTarget(contract.title, describeTarget(request.input))} (${connection.instanceName})`,
  });
  const perform = activities[skillKey];
  if (!perform) throw ApplicationFailure.nonRetryable(`Unknown skill ${skillKey}.`, 'UnknownSkill');
  return perform;
}
