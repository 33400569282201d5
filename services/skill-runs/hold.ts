import { lockRun, updateRun } from '../../db/skills/skill-runs.js';
import type { SkillRunError } from '../../domain/connection/skill.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { findHold } from '../writes/find-hold.js';

/** Stores the reason while the run is held; the end replaces it. False where nothing holds it any more. */
export async function holdRun(context: ServiceContext, runUuid: string, because: string): Promise<boolean> {
  const error: SkillRunError = { code: 'WritesHeld', message: because, third_party_status: null, resolution: null };
  const held = await inTransaction(context, async ({ db }) => {
    const run = await lockRun(db, runUuid);
    if (run?.state !== 'running') return null;
    await updateRun(db, runUuid, { error: { ...error } });
    return run;
  });
  // After the commit: a change of the rules from now on finds the held run.
  return held !== null && (await findHold(context.db, held.organizationUuid, runUuid)) !== null;
}
