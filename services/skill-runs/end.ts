import type { Catalogue } from '../../connectors/kit/define.js';
import { lockRun, updateRun } from '../../db/skills/skill-runs.js';
import type { SkillRunError } from '../../domain/connection/skill.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { withdrawRepeated } from '../proposals/withdraw-repeated.js';

type RunEnd = { readonly resultId: string } | { readonly error: SkillRunError };

/** Ends a run once. A write that was sent also ends the proposals of the same write. */
export async function endRun(context: ServiceContext, catalogue: Catalogue, runUuid: string, end: RunEnd): Promise<void> {
  await inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const run = await lockRun(db, runUuid);
    if (run?.state !== 'running') return;
    const isDone = 'resultId' in end;
    const outcome = isDone ? { state: 'done' as const, resultUuid: end.resultId, error: null } : { error: { ...end.error } };
    await updateRun(db, runUuid, { state: 'failed', ...outcome, endedAt: now() });
    if (isDone) await withdrawRepeated(inside, catalogue, run, null);
  });
}
