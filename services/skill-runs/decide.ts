import type { SkillRunRow } from '../../db/skills/skill-runs.js';
import { explainDecision } from '../../domain/response/proposal-result.js';
import type { Context } from '../context.js';
import { conflict } from '../errors.js';
import { approveProposal } from '../proposals/approve.js';
import { refuseProposal } from '../proposals/refuse.js';
import { waitForManualWrite } from '../proposals/wait-for-manual-write.js';
import { requireRun } from './require-run.js';

/** The decision of the deprecated route. A run that is no proposal needs none. */
export async function decideRun(context: Context, runUuid: string, { approve }: { approve: boolean }): Promise<SkillRunRow> {
  const { isProposal } = await requireRun(context, runUuid);
  if (!isProposal) throw conflict(explainDecision('decided', approve ? 'approve' : 'refuse', { isManual: true }));
  if (approve) {
    await approveProposal(context, runUuid, {});
    await waitForManualWrite(context, runUuid);
  } else await refuseProposal(context, runUuid, null);
  return requireRun(context, runUuid);
}
