import { randomUUID } from 'node:crypto';
import { toPlanVersion } from '../../db/playbooks/playbooks.js';
import type { PlanEffect } from '../../domain/playbook/comparison.js';
import { type Context, inTransaction } from '../context.js';
import { CommandError } from '../errors.js';
import type { WorkflowRunner } from '../workflow-runner.js';
import { lockForEdit, requireRunnable } from './plan-edit.js';
import type { EditPlan, PlanVersion } from './wire.js';

const COMPARE_WAIT_MS = 60_000;

/** The version that the edit would create, with the results of past investigations that it would change. Stores nothing. */
export async function tryPlan(
  context: Context,
  runner: Pick<WorkflowRunner, 'run'>,
  playbookUuid: string,
  edit: EditPlan,
): Promise<PlanVersion & { effect: PlanEffect }> {
  requireRunnable(edit.plan);
  const { plan, made_from: madeFrom } = edit;
  const version = await inTransaction(context, async ({ db, by, now }) => {
    const playbook = await lockForEdit(db, by.organizationUuid, playbookUuid, edit);
    return toPlanVersion(playbook, { version: madeFrom + 1, plan, author: by.name, madeFrom, createdAt: now() });
  });
  // The worker runs the plan, because only the worker has the code of playbooks.
  const outcome = await runner.run<PlanEffect>({
    type: 'comparePlan',
    workflowId: `compare-plan-${playbookUuid}-${randomUUID()}`,
    input: { playbookId: playbookUuid, organizationUuid: context.by.organizationUuid, plan },
    summary: 'Effect of a plan on past alerts',
    waitMs: COMPARE_WAIT_MS,
  });
  if (outcome.ended && outcome.result !== null) return { ...version, effect: outcome.result };
  const detail = 'The plan was not stored. The comparison with past alerts did not end in time. Try again shortly.';
  throw new CommandError('unavailable', detail, { retryAfterSeconds: 30 });
}
