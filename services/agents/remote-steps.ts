import { ActivityCancelledError, ActivityNotFoundError, type AsyncCompletionClient } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type KnownSkill, SKILLS } from '../../connectors/skill-index.js';
import { claimStep, type HeldStep, releaseStep, removeStep, touchStep } from '../../db/agents/agent-steps.js';
import type { Database } from '../../db/client.js';
import { isDatabaseAway, withoutParameters } from '../../db/client.js';
import { readForTest, recordTest } from '../../db/connections/connection-calls.js';
import { recordAudit } from '../../db/identity/audit.js';
import { allowSending, findHold, reserveWithinRules } from '../../db/response/allow-write.js';
import { noteError, readUsable, toSkillCall, toSkillEnd } from '../../db/skills/skill-calls.js';
import { isRejected, releaseRejectedWrite, saveRead, saveWrite } from '../../db/skills/skill-outcomes.js';
import { findWrite, markSent, retryWrite, type SkillEnd } from '../../db/skills/skill-results.js';
import type { ConnectionTestReport } from '../../domain/connection/connection.js';
import {
  type ClaimedStep,
  type ClaimRequest,
  CONNECTION_TEST,
  type StepReport,
  TestedConnection,
  toError,
} from '../../domain/connection/remote-agent.js';
import { type SkillReply, toFailureFacts } from '../../domain/connection/skill.js';
import { settlesInSeconds, toSkillReply } from '../../domain/connection/skill-call.js';
import { SkillError, ThirdPartyError, UnexpectedReply, type WritesHeld } from '../../domain/connection/skill-errors.js';
import { parseSkillInput, parseSkillOutput } from '../../domain/connection/skill-io.js';
import { type Keyring, openCredentials } from '../../platform/keyring.js';
import type { Metrics } from '../../platform/metrics.js';
import { CommandError } from '../errors.js';
import type { WorkflowRunner } from '../workflow-runner.js';

const TEMPORAL_TIMEOUT_MS = 10_000;
/** An agent does not repeat a write before it settles. A held write always gets this time, so the agent only looks it up. */
const HELD_LOOK_SECONDS = 60;

export interface StepHolder {
  readonly agentUuid: string;
  readonly stepUuid: string;
  readonly claim: string;
}

interface RemoteStepDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly runner: WorkflowRunner;
  readonly metrics: Metrics;
}

/** Hands steps of routed connections to agents and stores their results, as `skill-activity.ts` does within one process. */
export class RemoteSteps {
  readonly #deps: RemoteStepDeps;

  constructor(deps: RemoteStepDeps) {
    this.#deps = deps;
  }

  /** Returns the next step of this agent with its credentials; null: no step waits. */
  async claim(agentUuid: string, agent: Pick<ClaimRequest, 'asks_before_sending'>): Promise<ClaimedStep | null> {
    const { pg } = this.#deps.database;
    for (;;) {
      const step = await claimStep(pg, agentUuid);
      if (step === null) return null;
      try {
        const opened = await this.#open(step, agentUuid, agent);
        if (opened === null) continue;
        await this.#auditClaim(step, agentUuid);
        return opened;
      } catch (error) {
        await releaseStep(pg, step);
        throw error;
      }
    }
  }

  /** The agent gets the credentials of the connection with the step. */
  async #auditClaim(step: HeldStep, agentUuid: string): Promise<void> {
    await this.#deps.database.db.transaction((transaction) =>
      recordAudit(transaction, {
        by: null,
        organizationUuid: step.organizationUuid,
        action: 'connection.claim-credentials',
        target: step.connectionUuid,
        details: { remote_agent: agentUuid, instance_name: step.instanceName, activity: step.activityName },
      }),
    );
  }

  /** null: the step has ended, or belongs to another agent now. */
  async #open(step: HeldStep, agentUuid: string, agent: Pick<ClaimRequest, 'asks_before_sending'>): Promise<ClaimedStep | null> {
    if (!(await this.#isWanted(step))) return null;
    const { db, pg } = this.#deps.database;
    const { request } = step;
    try {
      const isTest = step.activityName === CONNECTION_TEST.activityName;
      const skill = isTest ? null : findStepSkill(step);
      const connection = skill === null ? await readForTest(pg, step.connectionUuid) : await readUsable(pg, skill, request);
      if (connection?.remoteAgentUuid !== agentUuid) {
        await releaseStep(pg, step);
        return null;
      }
      const { connectionUuid: id, connectorKind: connector, generation, settings } = connection;
      const opened = {
        step_id: step.stepUuid,
        claim: step.claim,
        activity_name: step.activityName,
        input: request.input,
        operation_key: request.operationKey,
        settles_in_seconds: 0,
        asks_before_sending: true,
        connection: { id, connector, generation, settings, credentials: openCredentials(connection, this.#deps.keyring) },
      };
      if (skill === null) return { ...opened, mode: 'test' };
      if (skill.contract.effect === 'read') return { ...opened, mode: 'perform' };
      const input = parseSkillInput(skill.contract, request.input);
      const call = toSkillCall(skill, request, connection, { input, attempt: request.attempt });
      const reserved = await reserveWithinRules(db, call, request.operationKey);
      // An older agent can send it from now on, without a question.
      if (reserved.state !== 'done' && !agent.asks_before_sending) await markSent(db, request.operationKey);
      if (reserved.state === 'ours') return { ...opened, mode: 'perform' };
      if (reserved.state === 'unknown') {
        // The agent looks up a held write too, but does not repeat it.
        const held = await findHold(db, connection.organizationUuid, request.operationKey);
        const settlesIn = Math.max(settlesInSeconds(reserved), held === null ? 0 : HELD_LOOK_SECONDS);
        if (settlesIn === 0) await retryWrite(pg, reserved.resultUuid);
        return { ...opened, mode: 'lookup', settles_in_seconds: settlesIn };
      }
      await this.#complete(step, toSkillReply(reserved.resultUuid, reserved.output, connection.instanceName));
      return null;
    } catch (error) {
      if (error instanceof CommandError || isDatabaseAway(error)) throw error;
      await this.#fail(step, error);
      return null;
    }
  }

  /** False: this agent no longer holds the step, or Temporal no longer waits for it. */
  async heartbeat(holder: StepHolder): Promise<boolean> {
    const step = await touchStep(this.#deps.database.pg, holder);
    return step !== null && (await this.#isWanted(step));
  }

  /** The agent asks before the request of a write leaves. False: it must not send the write, and no longer holds the step. */
  async allowSending(holder: StepHolder): Promise<boolean> {
    const { db, pg } = this.#deps.database;
    const step = await touchStep(pg, holder);
    if (step === null) return false;
    const { organizationUuid, request } = step;
    try {
      await allowSending(db, { organizationUuid, runUuid: request.runId, operationKey: request.operationKey });
      return true;
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      await this.#noteFailure(step, error);
      await this.#fail(step, error);
      return false;
    }
  }

  /** False: this agent no longer holds the step. */
  async report(holder: StepHolder, report: StepReport): Promise<boolean> {
    const step = await touchStep(this.#deps.database.pg, holder);
    if (step === null) return false;
    if (step.activityName === CONNECTION_TEST.activityName) return this.#endTest(step, report);
    const skill = findStepSkill(step);
    let reply: SkillReply;
    try {
      if (report.outcome === 'failed') throw toError(report.error);
      const output = parseSkillOutput(skill.contract, report.output);
      reply = await this.#store(step, toSkillEnd(output, report.duration_ms));
      this.#deps.metrics.skillSeconds.observe({ skill: step.activityName }, report.duration_ms / 1000);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      const held = await this.#holdAfter(step, error);
      if (held === null) await this.#noteFailure(step, error);
      await this.#fail(step, held ?? error);
      return true;
    }
    await this.#complete(step, reply);
    return true;
  }

  /** A settled write that the lookup did not find is held like a new one, which costs no attempt. */
  async #holdAfter(step: HeldStep, error: unknown): Promise<WritesHeld | null> {
    if (!(error instanceof ThirdPartyError) || error.code !== 'Unavailable' || findStepSkill(step).contract.effect !== 'write') return null;
    const { db, pg } = this.#deps.database;
    const { operationKey } = step.request;
    const write = await findWrite(pg, operationKey);
    if (write === null || settlesInSeconds(write) > 0) return null;
    return findHold(db, step.organizationUuid, operationKey);
  }

  async #endTest(step: HeldStep, report: StepReport): Promise<true> {
    const tested = report.outcome === 'ok' ? TestedConnection.safeParse(report.output) : null;
    if (!tested?.success) {
      await this.#fail(
        step,
        report.outcome === 'failed'
          ? toError(report.error)
          : new UnexpectedReply('The agent reported a connection test in an unknown form. Update the agent to the version of the service.'),
      );
      return true;
    }
    const { broken, ...result } = tested.data;
    const { ok, summary } = result;
    await recordTest(this.#deps.database.db, step.connectionUuid, step.generation, ok ? { ok } : { ok, reason: summary, broken });
    await this.#complete(step, result);
    return true;
  }

  async #store(step: HeldStep, end: SkillEnd): Promise<SkillReply> {
    const { pg } = this.#deps.database;
    const { request } = step;
    const skill = findStepSkill(step);
    if (skill.contract.effect === 'write') {
      const write = await findWrite(pg, request.operationKey);
      if (write === null) throw new Error('The agent reported a write without a reservation.');
      return saveWrite(pg, write.resultUuid, end, step.instanceName);
    }
    const input = parseSkillInput(skill.contract, request.input);
    const call = toSkillCall(skill, request, step, { input, attempt: request.attempt });
    return saveRead(pg, call, end, step);
  }

  async #noteFailure(step: HeldStep, error: unknown): Promise<void> {
    const { database } = this.#deps;
    const { connectionUuid, generation } = step;
    const { contract, skillId } = findStepSkill(step);
    if (contract.effect === 'write' && isRejected(error)) {
      const write = await findWrite(database.pg, step.request.operationKey);
      if (write !== null) await releaseRejectedWrite(database.pg, write.resultUuid, error);
    }
    await noteError(database, { connectionUuid, generation, skillId }, error);
  }

  /** Whether Temporal still waits for the step. If not, removes the step. */
  async #isWanted(step: HeldStep): Promise<boolean> {
    try {
      await this.#tell((activity) => activity.heartbeat(readTaskToken(step)));
      return true;
    } catch (error) {
      if (error instanceof ActivityCancelledError) await this.#end(step, (activity) => activity.reportCancellation(readTaskToken(step)));
      else if (error instanceof ActivityNotFoundError) await removeStep(this.#deps.database.db, step);
      else throw error;
      return false;
    }
  }

  async #complete(step: HeldStep, reply: SkillReply | ConnectionTestReport): Promise<void> {
    await this.#end(step, (activity) => activity.complete(readTaskToken(step), reply));
    this.#deps.metrics.skillCalls.inc({ skill: step.activityName, outcome: 'ok' });
  }

  async #fail(step: HeldStep, error: unknown): Promise<void> {
    const { connectionUuid: connectionId, instanceName, generation } = step;
    const failure = toFailureFacts(withoutParameters(error), { connectionId, instanceName, generation });
    await this.#end(step, (activity) => activity.fail(readTaskToken(step), ApplicationFailure.create(failure)));
    this.#deps.metrics.skillCalls.inc({ skill: step.activityName, outcome: failure.type });
  }

  /** Removes the row last: if this process stops in between, `#isWanted` finds and removes the row later. */
  async #end(step: HeldStep, tell: (activity: AsyncCompletionClient) => Promise<void>): Promise<void> {
    try {
      await this.#tell(tell);
    } catch (error) {
      if (!(error instanceof ActivityNotFoundError)) throw error;
    }
    await removeStep(this.#deps.database.db, step);
  }

  async #tell(tell: (activity: AsyncCompletionClient) => Promise<void>): Promise<void> {
    const { client } = this.#deps.runner;
    try {
      await client.withDeadline(Date.now() + TEMPORAL_TIMEOUT_MS, () => tell(client.activity));
    } catch (error) {
      if (error instanceof ActivityNotFoundError || error instanceof ActivityCancelledError) throw error;
      throw new CommandError(
        'unavailable',
        'Temporal does not answer, so the API can neither hand out a step nor accept a report. Try again in a few seconds.',
        {
          retryAfterSeconds: 5,
        },
      );
    }
  }
}

function readTaskToken({ taskToken }: HeldStep): Uint8Array {
  return Buffer.from(taskToken, 'base64');
}

function findStepSkill({ activityName }: HeldStep): KnownSkill {
  const skill = SKILLS.get(activityName);
  if (!skill)
    throw new ThirdPartyError(
      'BadRequest',
      `This version of the service has no skill ${activityName}. Run the API and the workers in the same version.`,
    );
  return skill;
}
