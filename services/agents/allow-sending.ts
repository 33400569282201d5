import { touchStep } from '../../db/agents/agent-steps.js';
import { SkillError } from '../../domain/connection/skill-errors.js';
import { allowSending } from '../writes/allow-write.js';
import { fail, noteFailure, notHeld, type StepContext, type StepHolder, toWrite } from './step.js';

/** The agent asks before the request of a write leaves. After a refusal it must not send the write, and no longer holds the step. */
export async function allowAgentSending(context: StepContext, holder: StepHolder): Promise<void> {
  const step = await touchStep(context.pg, holder);
  if (step === null) throw notHeld();
  try {
    await allowSending(context.db, toWrite(step));
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    await noteFailure(context, step, error);
    await fail(context, step, error);
    throw notHeld();
  }
}
