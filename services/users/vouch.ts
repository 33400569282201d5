import { recordAudit } from '../../db/identity/audit.js';
import { lockLocalUser, markUserVouched } from '../../db/identity/users.js';
import { inTransaction, type WorkContext } from '../context.js';
import { notFound } from '../errors.js';

/** The operator states that the account belongs to a person of its own: its approvals count as one of two people. Returns the name. */
export function vouchForUser(context: WorkContext, email: string): Promise<string> {
  return inTransaction(context, async ({ db, by, now }) => {
    const user = await lockLocalUser(db, email.trim());
    if (user === null) throw notFound(`active local account with the address ${email}`);
    const { userUuid, name, vouchedAt } = user;
    if (vouchedAt !== null) return name;
    await markUserVouched(db, userUuid, now());
    await recordAudit(db, { by, organizationUuid: null, action: 'user.vouch', target: userUuid, details: { name } });
    return name;
  });
}
