import { ApplicationFailure, CancelledFailure, CompleteAsyncError, Context } from '@temporalio/activity';
import { type HandedStep, handOver } from '../../db/agents/agent-steps.js';
import type { Db, PgClient } from '../../db/client.js';
import { type CallableConnection, forgetFailures } from '../../db/connections/connection-calls.js';
import { findReusable } from '../../db/investigations/reuse.js';
import { requireWithinRules, reserveWithinRules } from '../../db/response/response-rules.js';
import { noteError, readUsable, toSkillCall, toSkillEnd } from '../../db/skills/skill-calls.js';
import { endWrite, refuseWrite, retryWrite, type SkillCall, type SkillEnd, storeResult } from '../../db/skills/skill-results.js';
import { type SkillReply, type SkillRequest, toFailureFacts } from '../../domain/connection/skill.js';
import { type CalledSkill, settlesInSeconds, toSkillReply } from '../../domain/connection/skill-call.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import type { Metrics } from '../../platform/metrics.js';
import type { HttpClient } from '../connectors/kit/http.js';
import type { SkillContext } from '../connectors/kit/implement.js';
import { createOpener, type Opener } from './open-connection.js';
import { type KnownSkill, listSkills, lookUp, parseInput, performSkill, type SkillSet } from './perform-skill.js';

type SkillActivity = (request: SkillRequest) => Promise<SkillReply>;

export interface SkillDeps extends Opener {
  readonly db: Db;
  readonly pg: PgClient;
  readonly httpClient: HttpClient;
  readonly metrics: Metrics;
}

/** The wrapper round every skill: whose connection, in what state, opened for one call, its answer stored, its failure noted. */
export function createSkillActivities(skills: SkillSet, deps: SkillDeps): Record<string, SkillActivity> {
  return Object.fromEntries(listSkills(skills).map((skill) => [skill.activityName, wrapSkill(skill, deps)]));
}

function wrapSkill(skill: KnownSkill, deps: SkillDeps): SkillActivity {
  const { activityName: name, contract } = skill;
  const called: CalledSkill = { connectorKind: skill.connector.kind, skillId: contract.title };
  return async (request) => {
    const endTimer = deps.metrics.skillSeconds.startTimer({ skill: name });
    let connection: CallableConnection | null = null;
    try {
      const input = parseInput(contract, request.input);
      connection = await readUsable(deps.pg, called, request);
      const reused = await reuse(deps.pg, skill, request, input, connection);
      if (reused !== null) return reused;
      if (connection.remoteAgentUuid !== null)
        throw await handToAgent(deps.db, { activityName: name, skillId: contract.title }, request, connection, connection.remoteAgentUuid);
      const reply = await call(skill, request, input, connection, deps);
      deps.metrics.skillCalls.inc({ skill: name, outcome: 'ok' });
      return reply;
    } catch (error) {
      if (error instanceof CancelledFailure || error instanceof CompleteAsyncError) throw error;
      const failure = toFailure(error, request, connection);
      deps.metrics.skillCalls.inc({ skill: name, outcome: failure.type ?? 'error' });
      throw failure;
    } finally {
      endTimer();
    }
  };
}

/** A re-run takes what was answered before; an answer that no longer fits the contract is asked for again. */
async function reuse(
  pg: PgClient,
  { contract, connector }: KnownSkill,
  request: SkillRequest,
  input: unknown,
  connection: CallableConnection,
): Promise<SkillReply | null> {
  if (contract.effect !== 'read' || request.mayReuse !== true || connection.reuseBefore === null) return null;
  const asked = toSkillCall({ connectorKind: connector.kind, skillId: contract.title }, request, connection, { input, attempt: 1 });
  const found = await findReusable(pg, asked, connection.reuseBefore);
  const output = contract.output.safeParse(found?.output);
  return found && output.success ? { ...toSkillReply(found.resultUuid, output.data, connection.instanceName), reused: true } : null;
}

/** The activity ends when the agent reports. */
export async function handToAgent(
  db: Db,
  what: Pick<HandedStep, 'activityName' | 'skillId'>,
  request: SkillRequest,
  connection: CallableConnection,
  agentUuid: string,
): Promise<CompleteAsyncError> {
  const { taskToken, workflowExecution, activityId, attempt } = Context.current().info;
  const step: HandedStep = {
    agentUuid,
    connectionUuid: connection.connectionUuid,
    activityKey: `${workflowExecution?.workflowId}/${workflowExecution?.runId}/${activityId}`,
    taskToken: Buffer.from(taskToken).toString('base64'),
    request: { ...request, attempt },
    ...what,
    alertUuid: connection.alertUuid,
  };
  await handOver(db, step);
  return new CompleteAsyncError();
}

async function call(
  skill: KnownSkill,
  request: SkillRequest,
  input: unknown,
  connection: CallableConnection,
  deps: SkillDeps,
): Promise<SkillReply> {
  const { contract, connector } = skill;
  const { cancellationSignal, info } = Context.current();
  const called: CalledSkill = { connectorKind: connector.kind, skillId: contract.title };
  const row = toSkillCall(called, request, connection, { input, attempt: info.attempt });
  const context: SkillContext = createOpener(deps).contextFor(connector, connection, {
    http: deps.httpClient.forConnection({
      connectionId: connection.connectionUuid,
      requestsPerMinute: connector.requestsPerMinute,
      signal: cancellationSignal,
    }),
    signal: cancellationSignal,
    operationKey: request.operationKey,
  });
  const began = performance.now();
  const ended = (output: unknown): SkillEnd => toSkillEnd(output, Math.round(performance.now() - began));
  const perform = (how: KnownSkill['perform']) => performSkill(contract, how, input, context, cancellationSignal);
  try {
    if (contract.effect === 'read') {
      const end = ended(await perform(skill.perform));
      await storeResult(deps.pg, row, end);
      if (connection.failuresInARow > 0) await forgetFailures(deps.pg, connection.connectionUuid);
      return toSkillReply(row.resultUuid, end.output, connection.instanceName);
    }
    const written = await writeOnce(skill, row, request.operationKey, perform, ended, deps);
    return toSkillReply(written.resultUuid, written.output, connection.instanceName);
  } catch (error) {
    await noteError(deps, { ...connection, skillId: contract.title }, error);
    throw error;
  }
}

/** A write whose earlier try has no known outcome is looked up before anything else, whatever holds new ones. */
async function writeOnce(
  skill: KnownSkill,
  row: SkillCall,
  operationKey: string,
  run: (how: KnownSkill['perform']) => Promise<unknown>,
  ended: (output: unknown) => SkillEnd,
  deps: SkillDeps,
): Promise<{ resultUuid: string; output: unknown }> {
  const reserved = await reserveWithinRules(deps.pg, row, operationKey);
  const { resultUuid } = reserved;
  if (reserved.state === 'done') return { resultUuid, output: reserved.output };
  if (reserved.state === 'unknown') {
    const found = await lookUp(skill, run, settlesInSeconds(reserved));
    if (found !== null) {
      await endWrite(deps.pg, resultUuid, ended(found));
      return { resultUuid, output: found };
    }
    await requireWithinRules(deps.pg, row.organizationUuid, operationKey);
    await retryWrite(deps.pg, resultUuid);
  }
  try {
    const end = ended(await run(skill.perform));
    await endWrite(deps.pg, resultUuid, end);
    return { resultUuid, output: end.output };
  } catch (error) {
    if (error instanceof ThirdPartyError && !error.mayHaveHappened)
      await refuseWrite(deps.pg, resultUuid, { code: error.code, message: error.message });
    throw error;
  }
}

/** The one edge where errors become Temporal's. */
function toFailure(error: unknown, request: SkillRequest, connection: CallableConnection | null): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const { connectionId } = request;
  const { instanceName, generation } = connection ?? { instanceName: null, generation: null };
  return ApplicationFailure.create(toFailureFacts(error, { connectionId, instanceName, generation }));
}
