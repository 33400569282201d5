import { countRecentEntries, lockRecentEntries, recordAudit } from '../../db/identity/audit.js';
import { clip } from '../../domain/text.js';
import { inTransaction, type WorkContext } from '../context.js';

/** A flood of calls must not fill the audit log. */
const MAX_ENTRIES_PER_HOUR = { organization: 60, all: 600 };
const ACTION = 'activity.refuse';

export interface RefusedCall {
  /** null: the call leads to no organization. */
  readonly organizationUuid: string | null;
  readonly workflowId: string;
  /** The activity, which for a skill is its key. */
  readonly activity: string;
  readonly connectionUuid: string | null;
  readonly reason: string;
}

/** Audits a call of a workflow that the stored rows do not allow. */
export function recordRefusedCall(context: Pick<WorkContext, 'db'>, refused: RefusedCall): Promise<void> {
  return inTransaction(context, async ({ db }) => {
    const { organizationUuid, activity, connectionUuid, reason } = refused;
    await lockRecentEntries(db, ACTION);
    const recent = await countRecentEntries(db, { action: ACTION, organizationUuid, limit: MAX_ENTRIES_PER_HOUR.all });
    if (recent.organization >= MAX_ENTRIES_PER_HOUR.organization || recent.all >= MAX_ENTRIES_PER_HOUR.all) return;
    const isLast = recent.organization === MAX_ENTRIES_PER_HOUR.organization - 1 || recent.all === MAX_ENTRIES_PER_HOUR.all - 1;
    await recordAudit(db, {
      by: null,
      organizationUuid,
      action: ACTION,
      target: connectionUuid ?? activity,
      details: {
        activity,
        workflow_id: clip(refused.workflowId, 200),
        reason,
        ...(isLast ? { more: 'Further refused calls of this hour have no entry.' } : {}),
      },
    });
  });
}
