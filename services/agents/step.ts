import { ActivityCancelledError, ActivityNotFoundError, type AsyncCompletionClient } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type IndexedSkill, SKILLS } from '../../connectors/skill-index.js';
import { answerRecordStep, type HeldStep, removeStep } from '../../db/agents/agent-steps.js';
import { type Db, type PgClient, withoutParameters } from '../../db/client.js';
import { findWrite } from '../../db/skills/skill-results.js';
import type { ConnectionTestReport } from '../../domain/connection/connection.js';
import { reportedError } from '../../domain/connection/remote-agent.js';
import { type SkillReply, toFailureFacts } from '../../domain/connection/skill.js';
import { isRejected } from '../../domain/connection/skill-call.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import type { Keyring } from '../../platform/keyring.js';
import type { Metrics } from '../../platform/metrics.js';
import { recordFailure } from '../connections/record-failure.js';
import type { WorkContext } from '../context.js';
import { CommandError } from '../errors.js';
import { releaseRejectedWrite } from '../skills/save-outcome.js';
import type { WorkflowRunner } from '../workflow-runner.js';
import type { Write } from '../writes/allow-write.js';

const TEMPORAL_TIMEOUT_MS = 10_000;

/** For the commands of an agent. They store results as `skill-activity.ts` does within one process. */
export interface StepContext extends WorkContext {
  readonly db: Db;
  readonly pg: PgClient;
  readonly keyring: Keyring;
  readonly runner: WorkflowRunner;
  readonly metrics: Metrics;
}

export interface StepHolder {
  readonly agentUuid: string;
  readonly stepUuid: string;
  readonly claim: string;
}

export function notHeld(): CommandError {
  return new CommandError('not-found', 'This agent does not hold this step.');
}

/** The write that the agent would send for the step. */
export function toWrite({ request, ...step }: HeldStep): Write {
  return { ...step, runUuid: request.runId, operationKey: request.operationKey, input: request.input };
}

export function findStepSkill({ skillKey }: HeldStep): IndexedSkill {
  const skill = SKILLS.get(skillKey);
  if (!skill)
    throw new ThirdPartyError(
      'BadRequest',
      `This version of the service has no skill ${skillKey}. Run the API and the workers in the same version.`,
    );
  return skill;
}

/** Whether Temporal, or a copy of records, still waits for the step. If Temporal does not, removes the step. */
export async function isWanted(context: StepContext, step: HeldStep): Promise<boolean> {
  if (step.isForRecords) return !step.isExpired;
  try {
    await tell(context, (activity) => activity.heartbeat(readTaskToken(step)));
    return true;
  } catch (error) {
    if (error instanceof ActivityCancelledError) await end(context, step, (activity) => activity.reportCancellation(readTaskToken(step)));
    else if (error instanceof ActivityNotFoundError) await removeStep(context.db, step);
    else throw error;
    return false;
  }
}

export async function complete(context: StepContext, step: HeldStep, reply: SkillReply | ConnectionTestReport): Promise<void> {
  await end(context, step, (activity) => activity.complete(readTaskToken(step), reply));
  context.metrics.skillCalls.inc({ skill: step.skillKey, outcome: 'ok' });
}

export async function fail(context: StepContext, step: HeldStep, error: unknown): Promise<void> {
  if (step.isForRecords)
    return answerRecordStep(context.pg, step.stepUuid, JSON.stringify({ error: reportedError(withoutParameters(error)) }));
  const { connectionUuid: connectionId, instanceName, generation } = step;
  const failure = toFailureFacts(withoutParameters(error), { connectionId, instanceName, generation });
  await end(context, step, (activity) => activity.fail(readTaskToken(step), ApplicationFailure.create(failure)));
  context.metrics.skillCalls.inc({ skill: step.skillKey, outcome: failure.type });
}

export async function noteFailure(context: StepContext, step: HeldStep, error: unknown): Promise<void> {
  const { connectionUuid, generation } = step;
  const { contract, skillKey, skillId } = findStepSkill(step);
  if (contract.effect === 'write' && isRejected(error)) {
    const write = await findWrite(context.pg, step.request.operationKey);
    if (write !== null) await releaseRejectedWrite(context.pg, write.resultUuid, error);
  }
  await recordFailure(context, { connectionUuid, generation, skillKey, skillId }, error);
}

/** Removes the row last: if this process stops in between, `isWanted` finds and removes the row later. */
async function end(context: StepContext, step: HeldStep, tellEnd: (activity: AsyncCompletionClient) => Promise<void>): Promise<void> {
  try {
    await tell(context, tellEnd);
  } catch (error) {
    if (!(error instanceof ActivityNotFoundError)) throw error;
  }
  await removeStep(context.db, step);
}

async function tell({ runner: { client } }: StepContext, call: (activity: AsyncCompletionClient) => Promise<void>): Promise<void> {
  try {
    await client.withDeadline(Date.now() + TEMPORAL_TIMEOUT_MS, () => call(client.activity));
  } catch (error) {
    if (error instanceof ActivityNotFoundError || error instanceof ActivityCancelledError) throw error;
    throw new CommandError(
      'unavailable',
      'Temporal does not answer, so the API can neither hand out a step nor accept a report. Try again in a few seconds.',
      { retryAfterSeconds: 5 },
    );
  }
}

function readTaskToken({ taskToken }: HeldStep): Uint8Array {
  return Buffer.from(taskToken, 'base64');
}
