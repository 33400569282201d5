import { touchStep } from '../../db/agents/agent-steps.js';
import { isWanted, notHeld, type StepContext, type StepHolder } from './step.js';

/** The heartbeat of an agent. Refuses where this agent no longer holds the step, or Temporal no longer waits for it. */
export async function keepStep(context: StepContext, holder: StepHolder): Promise<void> {
  const step = await touchStep(context.pg, holder);
  if (step === null || !(await isWanted(context, step))) throw notHeld();
}
