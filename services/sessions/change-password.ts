import { recordAudit } from '../../db/identity/audit.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { markOtherSessionsEnded, markVerified } from '../../db/identity/user-sessions.js';
import { replacePasswordHash } from '../../db/identity/users.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { requireLocalUser } from '../totp/require-local-user.js';
import { hashPassword } from './passwords.js';
import { requirePassword } from './verify.js';
import type { ChangePassword } from './wire.js';

/** Also ends the other sessions of the user. Keys stay: they do not depend on the password. */
export async function changePassword(context: Context, given: ChangePassword): Promise<void> {
  await requireLocalUser(context);
  const before = await requirePassword(context, given.current_password, 'current_password');
  const after = await hashPassword(given.new_password);
  await inTransaction(context, async ({ db, by, now }) => {
    const { uuid: userUuid, sessionUuid } = by;
    if (sessionUuid === null) return;
    if (!(await replacePasswordHash(db, userUuid, before, after)))
      throw conflict('The password was changed in another session. Sign in with the new one.');
    await markOtherSessionsEnded(db, { userUuid, sessionUuid }, now());
    await markVerified(db, sessionUuid, now());
    await recordAudit(db, { by, organizationUuid: by.organizationUuid, action: 'user.password-change', target: userUuid });
    await announceEnd(db);
  });
}
