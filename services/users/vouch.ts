import { recordAudit } from '../../db/identity/audit.js';
import { lockLocalUsers, markUserVouched } from '../../db/identity/users.js';
import { inTransaction, type WorkContext } from '../context.js';
import { conflict, notFound } from '../errors.js';

/** The operator states that the account belongs to a person of its own: its approvals count as one of two people. Returns the name. */
export function vouchForUser(context: WorkContext, email: string): Promise<string> {
  return inTransaction(context, async ({ db, by, now }) => {
    const [user, ...others] = await lockLocalUsers(db, email.trim());
    // One of them may be of an admin who invited the address of another person.
    if (others.length > 0)
      throw conflict(`${others.length + 1} active accounts have the address ${email}. Deactivate the others, then run the command again.`);
    if (user === undefined) throw notFound(`active local account with the address ${email}`);
    const { userUuid, name, vouchedAt } = user;
    if (vouchedAt !== null) return name;
    await markUserVouched(db, userUuid, now());
    await recordAudit(db, { by, organizationUuid: null, action: 'user.vouch', target: userUuid, details: { name } });
    return name;
  });
}
