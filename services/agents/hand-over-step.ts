import { type HandedStep, upsertStep } from '../../db/agents/agent-steps.js';
import { inTransaction, type WorkContext } from '../context.js';

export function handOverStep(context: WorkContext, step: HandedStep): Promise<void> {
  return inTransaction(context, ({ db, now }) => upsertStep(db, step, now()));
}
