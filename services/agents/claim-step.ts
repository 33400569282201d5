import { claimStep as claimRow, type HeldStep, releaseStep } from '../../db/agents/agent-steps.js';
import { isDatabaseAway } from '../../db/client.js';
import { readForRecords, readForTest } from '../../db/connections/connection-calls.js';
import { recordAudit } from '../../db/identity/audit.js';
import { toSkillCall } from '../../db/skills/skill-calls.js';
import { markSent, retryWrite } from '../../db/skills/skill-results.js';
import { type ClaimedStep, type ClaimRequest, CONNECTION_TEST } from '../../domain/connection/remote-agent.js';
import { requireUsable, settlesInSeconds, toSkillReply } from '../../domain/connection/skill-call.js';
import { parseSkillInput } from '../../domain/connection/skill-io.js';
import { openCredentials } from '../../platform/keyring.js';
import { inTransaction } from '../context.js';
import { CommandError } from '../errors.js';
import { requireUsableConnection } from '../skills/require-usable.js';
import { reserveWithinRules } from '../writes/allow-write.js';
import { findHold } from '../writes/find-hold.js';
import { complete, fail, findStepSkill, isWanted, type StepContext, toWrite } from './step.js';

/** An agent does not repeat a write before it settles. A held write always gets this time, so the agent only looks it up. */
const HELD_LOOK_SECONDS = 60;

type Claimer = Pick<ClaimRequest, 'asks_before_sending'>;

/** Returns the next step of this agent with its credentials; null: no step waits. */
export async function claimStep(context: StepContext, agentUuid: string, agent: Claimer): Promise<ClaimedStep | null> {
  for (;;) {
    const step = await claimRow(context.pg, agentUuid);
    if (step === null) return null;
    try {
      const opened = await open(context, step, agentUuid, agent);
      if (opened === null) continue;
      await auditClaim(context, step, agentUuid);
      return opened;
    } catch (error) {
      await releaseStep(context.pg, step);
      throw error;
    }
  }
}

/** The agent gets the credentials of the connection with the step. */
async function auditClaim(context: StepContext, step: HeldStep, agentUuid: string): Promise<void> {
  const { organizationUuid, connectionUuid: target, instanceName, skillKey } = step;
  const details = { remote_agent: agentUuid, instance_name: instanceName, activity: skillKey };
  await inTransaction(context, ({ db }) =>
    recordAudit(db, { by: null, organizationUuid, action: 'connection.claim-credentials', target, details }),
  );
}

/** null: the step has ended, or belongs to another agent now. */
async function open(context: StepContext, step: HeldStep, agentUuid: string, agent: Claimer): Promise<ClaimedStep | null> {
  if (!(await isWanted(context, step))) return null;
  const { db, pg, keyring } = context;
  const { request } = step;
  try {
    const isTest = step.skillKey === CONNECTION_TEST.skillKey;
    const skill = isTest ? null : findStepSkill(step);
    const connection =
      skill === null
        ? await readForTest(pg, step.connectionUuid)
        : step.isForRecords
          ? requireUsable(await readForRecords(pg, step.connectionUuid, step.skillKey))
          : await requireUsableConnection({ db, pg, workflowId: step.workflowId }, skill, request);
    if (connection?.remoteAgentUuid !== agentUuid) {
      await releaseStep(pg, step);
      return null;
    }
    const { connectionUuid: id, connectorKind: connector, generation, settings } = connection;
    const opened = {
      step_id: step.stepUuid,
      claim: step.claim,
      activity_name: step.skillKey,
      input: request.input,
      operation_key: request.operationKey,
      settles_in_seconds: 0,
      effort_seconds: request.effortSeconds ?? null,
      asks_before_sending: true,
      connection: { id, connector, generation, settings, credentials: openCredentials(connection, keyring) },
    };
    if (skill === null) return { ...opened, mode: 'test' };
    if (skill.contract.effect === 'read') return { ...opened, mode: 'perform' };
    const input = parseSkillInput(skill.contract, request.input);
    const call = toSkillCall(skill, request, connection, { input, attempt: request.attempt });
    const reserved = await reserveWithinRules(db, call, toWrite(step));
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
    await complete(context, step, toSkillReply(reserved.resultUuid, reserved.output, connection.instanceName));
    return null;
  } catch (error) {
    if (error instanceof CommandError || isDatabaseAway(error)) throw error;
    await fail(context, step, error);
    return null;
  }
}
