import { ApplicationFailure, proxyActivities, sleep } from '@temporalio/workflow';
import type { SkillContract } from '../../activities/connectors/kit/define.js';
import type { ChosenConnection, SkillReply, SkillRequest } from '../../domain/connection/skill.js';
import { skillRetryPolicy } from '../../domain/investigation/retry-policy.js';
import type { ConnectionWaiter } from './connection-waiter.js';
import { toSkillFailure } from './skill-failure.js';
import type { WriteHold } from './write-hold.js';

/** The API and the reconciler send a heartbeat for every parked step each minute. Longer silence means the step was never handed over. */
const PARKED_HEARTBEAT_TIMEOUT_MS = 10 * 60_000;

const MAX_THROTTLED_SECONDS = 24 * 3600;

interface SkillCall {
  readonly activityName: string;
  readonly contract: SkillContract;
  readonly connection: ChosenConnection;
  readonly request: SkillRequest;
  readonly retryCount: number;
  /** null: rejected credentials fail the call at once. */
  readonly waiter: ConnectionWaiter | null;
  /** Without it, a write that the response rules hold fails at once. */
  readonly hold?: WriteHold;
}

/** Calls one skill. Waiting for a throttled third party, a reconnect or a release uses up no attempt. */
export async function callSkill(call: SkillCall): Promise<SkillReply> {
  const perform = createSkillActivity(call);
  let throttledSeconds = 0;
  for (;;) {
    try {
      return await perform(call.request);
    } catch (error) {
      throttledSeconds += await waitBeforeRetry(call, error, throttledSeconds);
    }
  }
}

/** Returns the seconds for which the third party throttled the call. Throws the error again if waiting does not help. */
async function waitBeforeRetry({ contract, connection, request, waiter, hold }: SkillCall, error: unknown, throttledSeconds: number) {
  const failure = toSkillFailure(error);
  const facts = failure?.facts ?? null;
  if (failure === null || facts === null) throw error;
  if (failure.code === 'RateLimited' || failure.code === 'CircuitOpen') {
    const seconds = Math.max(1, facts.retryAfterSeconds ?? 1);
    if (throttledSeconds + seconds > MAX_THROTTLED_SECONDS) throw error;
    await sleep(seconds * 1000, { summary: `${contract.title}: rate limit of ${connection.instanceName}` });
    return seconds;
  }
  if (failure.code === 'WritesHeld' && hold) {
    await hold.waitForRelease({ because: failure.message, retryAfterSeconds: facts.retryAfterSeconds });
    return 0;
  }
  if (failure.code === 'CredentialsRejected' && waiter !== null) {
    const isReconnected = await waiter.waitForReconnect({
      ...connection,
      generation: facts.generation ?? 0,
      alertId: request.alertId,
      skillId: contract.title,
      reason: failure.message,
    });
    if (isReconnected) return 0;
  }
  throw error;
}

function createSkillActivity({ activityName, contract, connection, retryCount }: SkillCall) {
  const retry = skillRetryPolicy(retryCount);
  const backoffSeconds = (retry.maximumAttempts * retry.maximumInterval) / 1000;
  const timeouts = connection.routed
    ? // Steps wait for a remote agent that is offline.
      { startToCloseTimeout: connection.reconnectWaitSeconds * 1000, heartbeatTimeout: PARKED_HEARTBEAT_TIMEOUT_MS }
    : {
        startToCloseTimeout: contract.timeoutSeconds * 1000,
        scheduleToCloseTimeout: (contract.timeoutSeconds * retry.maximumAttempts + backoffSeconds) * 1000,
      };
  const activities = proxyActivities<Record<string, (request: SkillRequest) => Promise<SkillReply>>>({
    ...timeouts,
    retry,
    summary: `${contract.title} (${connection.instanceName})`,
  });
  const perform = activities[activityName];
  if (!perform) throw ApplicationFailure.nonRetryable(`Unknown skill ${activityName}.`, 'UnknownSkill');
  return perform;
}
