import { answerRecordStep, findHeldSkill, type HeldStep, touchStep } from '../../db/agents/agent-steps.js';
import { isDatabaseAway } from '../../db/client.js';
import { forgetFailures } from '../../db/connections/connection-calls.js';
import { toSkillCall } from '../../db/skills/skill-calls.js';
import { findWrite, type SkillEnd } from '../../db/skills/skill-results.js';
import { CONNECTION_TEST, toError } from '../../domain/connection/remote-agent.js';
import type { SkillReply } from '../../domain/connection/skill.js';
import { settlesInSeconds } from '../../domain/connection/skill-call.js';
import { ThirdPartyError, UnexpectedReply, type WritesHeld } from '../../domain/connection/skill-errors.js';
import { parseSkillInput } from '../../domain/connection/skill-io.js';
import { recordTest } from '../connections/record-test.js';
import { saveRead, saveWrite } from '../skills/save-outcome.js';
import { findHold } from '../writes/find-hold.js';
import type { ReadReport } from './read-report.js';
import type { ReportReader } from './report-reader.js';
import { complete, fail, findStepSkill, noteFailure, notHeld, type StepContext, type StepHolder } from './step.js';

/** Stores the report of an agent and ends the activity. */
export async function completeStep(
  context: StepContext & { readonly reports: ReportReader },
  holder: Omit<StepHolder, 'claim'>,
  body: Buffer,
): Promise<void> {
  const report = await context.reports.read(body, await findHeldSkill(context.pg, holder));
  const step = await touchStep(context.pg, { ...holder, claim: report.claim });
  if (step === null) throw notHeld();
  if (step.skillKey === CONNECTION_TEST.skillKey) return endTest(context, step, report);
  findStepSkill(step);
  if (step.isForRecords) return answerList(context, step, report);
  let reply: SkillReply;
  try {
    const end = requireAnswer(report);
    reply = { ...(await store(context, step, end)), spentMs: end.durationMs };
    context.metrics.skillSeconds.observe({ skill: step.skillKey }, end.durationMs / 1000);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const held = await findHoldAfter(context, step, error);
    if (held === null) await noteFailure(context, step, error);
    return fail(context, step, held ?? error);
  }
  await complete(context, step, reply);
}

function requireAnswer(report: ReadReport): SkillEnd {
  if (report.outcome === 'answered') return report.end;
  throw report.outcome === 'failed'
    ? toError(report.error)
    : new UnexpectedReply('message' in report ? report.message : 'The agent reported a connection test instead of an answer.');
}

/** The worker that copies the records takes the answer. */
async function answerList(context: StepContext, step: HeldStep, report: ReadReport): Promise<void> {
  try {
    const { json } = requireAnswer(report);
    await answerRecordStep(context.pg, step.stepUuid, `{"output":${json}}`);
    if (step.failuresInARow + step.throttledInARow > 0) await forgetFailures(context.pg, step.connectionUuid);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    await noteFailure(context, step, error);
    await fail(context, step, error);
  }
}

/** A settled write that the lookup did not find is held like a new one, which costs no attempt. */
async function findHoldAfter({ db, pg }: StepContext, step: HeldStep, error: unknown): Promise<WritesHeld | null> {
  if (!(error instanceof ThirdPartyError) || error.code !== 'Unavailable' || findStepSkill(step).contract.effect !== 'write') return null;
  const { operationKey } = step.request;
  const write = await findWrite(pg, operationKey);
  if (write === null || settlesInSeconds(write) > 0) return null;
  return findHold(db, step.organizationUuid, operationKey);
}

async function endTest(context: StepContext, step: HeldStep, report: ReadReport): Promise<void> {
  const tested = report.outcome === 'tested' ? report.tested : null;
  if (tested === null)
    return fail(
      context,
      step,
      report.outcome === 'failed'
        ? toError(report.error)
        : new UnexpectedReply('The agent reported a connection test in an unknown form. Update the agent to the version of the service.'),
    );
  const { broken, ...result } = tested;
  const { ok, summary } = result;
  await recordTest(context, step, ok ? { ok } : { ok, reason: summary, broken });
  await complete(context, step, result);
}

async function store({ pg }: StepContext, step: HeldStep, end: SkillEnd): Promise<SkillReply> {
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
