import { endRunningRun } from '../../db/skills/skill-runs.js';
import type { SkillRunError } from '../../domain/connection/skill.js';
import type { ServiceContext } from '../context.js';

type RunEnd = { readonly resultId: string } | { readonly error: SkillRunError };

/** Ends a run once. */
export async function endRun({ db, now }: ServiceContext, runUuid: string, end: RunEnd): Promise<void> {
  const outcome =
    'resultId' in end ? { state: 'done' as const, resultUuid: end.resultId } : { state: 'failed' as const, error: { ...end.error } };
  await endRunningRun(db, runUuid, { ...outcome, endedAt: now() });
}
