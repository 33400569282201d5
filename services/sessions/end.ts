import { recordAudit } from '../../db/identity/audit.js';
import { isRevocable, markSessionEnded } from '../../db/identity/user-sessions.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';

/** An admin can end the sessions of all users of the organization, another user only their own. */
export function endSession(context: Context, sessionUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by, now }) => {
    if (!(await isRevocable(db, by, sessionUuid))) throw notFound('open session with this id');
    await markSessionEnded(db, { sessionUuid }, now());
    await recordAudit(db, { by, organizationUuid: by.organizationUuid, action: 'session.revoke', target: sessionUuid });
  });
}
