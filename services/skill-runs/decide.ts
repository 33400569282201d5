import type { Transaction } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import { lockRules } from '../../db/response/write-rules.js';
import { isReserved } from '../../db/skills/skill-results.js';
import { isRequestedBy, lockRun, type SkillRunRow, type StoredRun, updateRun } from '../../db/skills/skill-runs.js';
import { skillRunWorkflowId, WRITES_RELEASED } from '../../domain/connection/skill.js';
import { explainRunDecision } from '../../domain/response/run-result.js';
import { type Context, inTransaction } from '../context.js';
import { CommandError, conflict, notFound } from '../errors.js';
import { recordRunEvent } from './record-run-event.js';
import { requireRun } from './require-run.js';
import { runApproved } from './run-workflow.js';

interface Decision {
  readonly approve: boolean;
  /** How long the caller waits for the end of an approved run. */
  readonly waitMs: number;
}

/**
 * A second person approves or refuses a proposed run. Anyone, also the person who requested it, can refuse a run that is not sent
 * yet.
 */
export async function decideRun(context: Context, runUuid: string, { approve, waitMs }: Decision): Promise<SkillRunRow> {
  const found = await requireRun(context, runUuid);
  await inTransaction(context, async ({ db, by, now, runner, afterCommit }) => {
    await lockRules(db, found.organizationUuid);
    const run = await lockRun(db, runUuid);
    if (run === null) throw notFound('run with this id');
    const isProposed = run.state === 'proposed';
    const isPossible = approve ? isProposed && !(await isRequestedBy(db, by, runUuid)) : isProposed || (await isHeld(db, run));
    if (!isPossible) throw conflict(explainRunDecision(run));
    const change = approve ? ({ state: 'running' } as const) : ({ state: 'refused', endedAt: now() } as const);
    await updateRun(db, runUuid, { ...change, decidedBy: by.name, error: null });
    await recordAudit(db, {
      by,
      organizationUuid: run.organizationUuid,
      action: approve ? 'skill.approve' : 'skill.refuse',
      target: runUuid,
      details: { skill_id: run.skillId, skill_key: run.skillKey, connection_id: run.connectionUuid },
    });
    if (isProposed) await recordRunEvent(db, run, { name: 'run.decided', decision: approve ? 'approved' : 'refused' });
    // The waiting workflow finds a refusal and ends.
    afterCommit(() =>
      approve
        ? runApproved(context, found, waitMs).catch(ignoreUnavailable)
        : runner.signal([skillRunWorkflowId(runUuid)], WRITES_RELEASED),
    );
  });
  return requireRun(context, runUuid);
}

/** The rules hold the write, and no attempt of it is reserved. */
async function isHeld(db: Transaction, { runUuid, state, error }: StoredRun): Promise<boolean> {
  return state === 'running' && error?.['code'] === 'WritesHeld' && !(await isReserved(db, runUuid));
}

/** The decision is stored. If the workflow does not start now, the reconcile pass starts it. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof CommandError && error.refusal === 'unavailable')) throw error;
}
