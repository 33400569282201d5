import { ApplicationFailure, CancelledFailure, CompleteAsyncError, Context } from '@temporalio/activity';
import { Effort } from '../../connectors/kit/effort.js';
import type { SkillContext } from '../../connectors/kit/implement.js';
import type { HandedStep } from '../../db/agents/agent-steps.js';
import type { Db } from '../../db/client.js';
import type { CallableConnection } from '../../db/connections/connection-calls.js';
import { findRecent, findReusable, type ReusableResult } from '../../db/investigations/reuse.js';
import { toSkillCall, toSkillEnd } from '../../db/skills/skill-calls.js';
import { retryWrite, type SkillCall, type SkillEnd, storeResult } from '../../db/skills/skill-results.js';
import { type SkillReply, type SkillRequest, toFailureFacts } from '../../domain/connection/skill.js';
import { type CalledSkill, limitRequests, settlesInSeconds, toSkillReply } from '../../domain/connection/skill-call.js';
import { parseSkillInput } from '../../domain/connection/skill-io.js';
import { handOverStep } from '../../services/agents/hand-over-step.js';
import { recordFailure } from '../../services/connections/record-failure.js';
import { asService } from '../../services/context.js';
import { requireUsableConnection } from '../../services/skills/require-usable.js';
import { releaseRejectedWrite, saveRead, saveWrite } from '../../services/skills/save-outcome.js';
import { allowSending, reserveWithinRules, type Write } from '../../services/writes/allow-write.js';
import { type CopiedAnswers, createCopiedAnswers } from './copied-answers.js';
import { createGroupedAnswers, type GroupedAnswers } from './grouped-questions.js';
import { createOpener } from './open-connection.js';
import { listSkills, lookUp, performSkill, type RunnableSkill, type SkillSet } from './perform-skill.js';
import type { SkillDeps } from './skill-deps.js';

/** Of a last attempt, so that it can succeed. */
const MIN_EFFORT_MS = 1000;

type SkillActivity = (request: SkillRequest) => Promise<SkillReply>;

/** Wraps every skill: checks the connection, reuses or requests the answer, saves it and records failures. */
export function createSkillActivities(skills: SkillSet, deps: SkillDeps): Record<string, SkillActivity> {
  const savers: Savers = { answerFromCopy: createCopiedAnswers(skills, deps), askTogether: createGroupedAnswers(deps) };
  return Object.fromEntries(listSkills(skills).map((skill) => [skill.skillKey, wrapSkill(skill, savers, deps)]));
}

/** The ways to answer a question without a call of its own. All questions of a process share them. */
interface Savers {
  readonly answerFromCopy: CopiedAnswers;
  readonly askTogether: GroupedAnswers;
}

function wrapSkill(skill: RunnableSkill, savers: Savers, deps: SkillDeps): SkillActivity {
  const { skillKey: name, contract } = skill;
  const called = toCalledSkill(skill);
  return async (request) => {
    const endTimer = deps.metrics.skillSeconds.startTimer({ skill: name });
    const effort = new Effort(limitEffortMs(request));
    let connection: CallableConnection | null = null;
    try {
      const input = parseSkillInput(contract, request.input);
      connection = await requireUsableConnection({ ...deps, workflowId: readWorkflowId() }, called, request);
      const saved = await saveCall(skill, savers, { request, input, connection }, deps);
      if (saved !== null) return saved;
      if (connection.remoteAgentUuid !== null) throw await handToAgent(deps.db, called, request, connection, connection.remoteAgentUuid);
      const reply = await callThirdParty(skill, request, input, { connection, effort }, deps);
      deps.metrics.skillCalls.inc({ skill: name, outcome: 'ok' });
      return { ...reply, spentMs: effort.spentMs };
    } catch (error) {
      if (error instanceof CancelledFailure || error instanceof CompleteAsyncError) throw error;
      const failure = toFailure(error, request, connection, readSpentMs(effort));
      deps.metrics.skillCalls.inc({ skill: name, outcome: failure.type ?? 'error' });
      throw failure;
    } finally {
      endTimer();
    }
  };
}

function readWorkflowId(): string {
  return Context.current().info.workflowExecution?.workflowId ?? '';
}

function toCalledSkill({ skillKey, connector, contract }: RunnableSkill): CalledSkill {
  return { connectorKind: connector.kind, skillKey, skillId: contract.title };
}

interface Asked {
  readonly request: SkillRequest;
  readonly input: unknown;
  readonly connection: CallableConnection;
}

/**
 * An answer without a call of its own: an earlier one of a re-run, one from the copy of a list, a recent one of another alert, or one of
 * several that a call answers together. null: there is none.
 */
async function saveCall(
  skill: RunnableSkill,
  { answerFromCopy, askTogether }: Savers,
  asked: Asked,
  { pg, metrics }: SkillDeps,
): Promise<SkillReply | null> {
  const { request, input, connection } = asked;
  const { contract, skillKey } = skill;
  const { reuseSeconds = 0 } = contract;
  if (contract.effect !== 'read' || request.mayReuse !== true) return null;
  const call = toSkillCall(toCalledSkill(skill), request, connection, { input, attempt: 1 });
  const { reuseBefore } = connection;
  const earlier = reuseBefore === null ? null : toReused(skill, asked, await findReusable(pg, call, reuseBefore));
  if (earlier !== null) return earlier;
  const { cancellationSignal } = Context.current();
  const began = performance.now();
  const store = async (outcome: 'copied' | 'grouped', output: unknown, copied: Pick<SkillReply, 'copiedAt'>): Promise<SkillReply> => {
    const end = toSkillEnd(output, Math.round(performance.now() - began));
    await storeResult(pg, call, { ...end, ...copied });
    metrics.skillCalls.inc({ skill: skillKey, outcome });
    return { resultId: call.resultUuid, ...end.shown, instanceName: connection.instanceName, ...copied };
  };
  const copied = await answerFromCopy(skill, asked, cancellationSignal);
  if (copied !== null) return store('copied', copied.output, { copiedAt: copied.copiedAt });
  const recent = reuseSeconds === 0 ? null : toReused(skill, asked, await findRecent(pg, call, Date.now() / 1000 - reuseSeconds));
  if (recent !== null) return recent;
  const grouped = await askTogether(skill, { input, connection, isSevere: request.isSevere === true }, cancellationSignal);
  return grouped === null ? null : store('grouped', grouped, {});
}

/** null: there is no such answer, or it no longer matches the contract. */
function toReused({ contract }: RunnableSkill, { connection }: Asked, found: ReusableResult | null): SkillReply | null {
  const output = contract.output.safeParse(found?.output);
  if (!found || !output.success) return null;
  const { copiedAt } = found;
  const reply = toSkillReply(found.resultUuid, output.data, connection.instanceName);
  return { ...reply, reused: true, ...(copiedAt === null ? {} : { copiedAt }) };
}

/** Hands the step to a remote agent. The activity completes when the agent reports. */
export async function handToAgent(
  db: Db,
  { skillKey, skillId }: Pick<HandedStep, 'skillKey' | 'skillId'>,
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
    skillKey,
    skillId,
    alertUuid: connection.alertUuid,
  };
  await handOverStep(asService(db), step);
  return new CompleteAsyncError();
}

async function callThirdParty(
  skill: RunnableSkill,
  request: SkillRequest,
  input: unknown,
  { connection, effort }: { connection: CallableConnection; effort: Effort },
  deps: SkillDeps,
): Promise<SkillReply> {
  const { contract, connector } = skill;
  const { cancellationSignal, info } = Context.current();
  const called = toCalledSkill(skill);
  const row = toSkillCall(called, request, connection, { input, attempt: info.attempt });
  const write = { ...row, operationKey: request.operationKey, input: request.input, workflowId: readWorkflowId() };
  const context: SkillContext = createOpener(deps).contextFor(connector, connection, {
    http: deps.httpClient.forConnection({
      connectionId: connection.connectionUuid,
      organization: connection.organizationCode,
      requestsPerMinute: contract.effect === 'write' ? connector.requestsPerMinute : limitRequests(connector.requestsPerMinute, request),
      signal: cancellationSignal,
      effort,
      ...(contract.effect === 'write' ? { beforeWrite: () => allowSending(deps.db, write) } : {}),
    }),
    signal: cancellationSignal,
    operationKey: request.operationKey,
  });
  const began = performance.now();
  const toEnd = (output: unknown): SkillEnd => toSkillEnd(output, Math.round(performance.now() - began));
  const run = (perform: RunnableSkill['perform']) => performSkill(contract, perform, input, context, cancellationSignal);
  try {
    if (contract.effect === 'read') return await saveRead(deps.pg, row, toEnd(await run(skill.perform)), connection);
    return await writeOnce(skill, { row, write, instanceName: connection.instanceName, run, toEnd }, deps);
  } catch (error) {
    await recordFailure({ ...asService(deps.db), pg: deps.pg }, { ...connection, ...called }, error);
    throw error;
  }
}

interface PreparedWrite {
  readonly row: SkillCall;
  readonly write: Write;
  readonly instanceName: string;
  run(perform: RunnableSkill['perform']): Promise<unknown>;
  toEnd(output: unknown): SkillEnd;
}

/** Looks up an earlier attempt with an unknown outcome first, even while the response rules hold new writes. */
async function writeOnce(skill: RunnableSkill, prepared: PreparedWrite, { db, pg }: SkillDeps): Promise<SkillReply> {
  const { row, instanceName, run, toEnd } = prepared;
  const reserved = await reserveWithinRules(db, row, prepared.write);
  const { resultUuid } = reserved;
  if (reserved.state === 'done') return toSkillReply(resultUuid, reserved.output, instanceName);
  if (reserved.state === 'unknown') {
    const found = await lookUp(skill, run, settlesInSeconds(reserved));
    if (found !== null) return saveWrite(pg, resultUuid, toEnd(found), instanceName);
    await retryWrite(pg, resultUuid);
  }
  try {
    return await saveWrite(pg, resultUuid, toEnd(await run(skill.perform)), instanceName);
  } catch (error) {
    await releaseRejectedWrite(pg, resultUuid, error);
    throw error;
  }
}

/** The only place where a skill error becomes a Temporal failure. */
function toFailure(error: unknown, request: SkillRequest, connection: CallableConnection | null, spentMs: number): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const { connectionId } = request;
  const { instanceName, generation } = connection ?? { instanceName: null, generation: null };
  const failure = toFailureFacts(error, { connectionId, instanceName, generation, spentMs });
  return ApplicationFailure.create({ ...failure, nonRetryable: failure.nonRetryable || isOutOfPatience(request) });
}

/** Only a third party that does not answer is asked again, so the whole time since the first attempt counts. */
function limitEffortMs({ effortSeconds }: SkillRequest): number | undefined {
  return effortSeconds === undefined ? undefined : Math.max(MIN_EFFORT_MS, effortSeconds * 1000 - countEarlierAttemptsMs());
}

function readSpentMs(effort: Effort): number {
  return Math.round(Math.max(effort.spentMs, countEarlierAttemptsMs()));
}

function countEarlierAttemptsMs(): number {
  const { attempt, scheduledTimestampMs } = Context.current().info;
  return attempt === 1 ? 0 : Date.now() - scheduledTimestampMs;
}

function isOutOfPatience({ patienceSeconds }: SkillRequest): boolean {
  const waitedMs = Date.now() - Context.current().info.scheduledTimestampMs;
  return patienceSeconds !== undefined && waitedMs >= patienceSeconds * 1000;
}
