import { updateRun } from '../../db/skills/skill-runs.js';
import type { AffectedAssets } from '../../domain/connection/affected-assets.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { requireDecision } from './require-decision.js';

/** Stores the affected assets. False where the run has to wait for a second person. */
export function guardRun(context: ServiceContext, runUuid: string, assets: AffectedAssets | null): Promise<boolean> {
  return inTransaction(context, async ({ db }) => {
    await updateRun(db, runUuid, { assets });
    return (await requireDecision(db, runUuid)) === null;
  });
}
