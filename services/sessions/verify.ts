import { recordAudit } from '../../db/identity/audit.js';
import { markVerified } from '../../db/identity/user-sessions.js';
import { readPasswordHash } from '../../db/identity/users.js';
import type { Keyring } from '../../platform/keyring.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, invalid } from '../errors.js';
import { acceptCode } from '../totp/accept-code.js';
import { requireLocalUser, wrongCode } from '../totp/require-local-user.js';
import { isPassword } from './passwords.js';
import { recordRefusal } from './record-refusal.js';
import type { VerifySession } from './wire.js';

/** Notes that the user of the session entered the password or a code again. */
export async function verifySession(context: Context, keyring: Keyring, given: VerifySession): Promise<void> {
  const { totp } = await requireLocalUser(context);
  if ('password' in given) await requirePassword(context, given.password, 'password');
  else {
    if (totp === null) throw conflict('Two-factor authentication is off. Send your password.');
    if (!(await acceptCode(context, keyring, context.by.uuid, totp, given.code))) throw wrongCode();
  }
  await inTransaction(context, async ({ db, by, now }) => {
    if (by.sessionUuid === null) return;
    await markVerified(db, by.sessionUuid, now());
    await recordAudit(db, { by, organizationUuid: by.organizationUuid, action: 'session.verify', target: by.sessionUuid });
  });
}

/** Returns the hash of the password of the signed-in user. `field` is its name in the request. */
export async function requirePassword(context: Context, password: string, field: string): Promise<string> {
  const { db, by } = context;
  const passwordHash = await readPasswordHash(db, by.uuid);
  if (passwordHash !== null && (await isPassword(password, passwordHash, 'known'))) return passwordHash;
  await recordRefusal(context, { userUuid: by.uuid, reason: 'password' });
  throw invalid([{ pointer: `#/${field}`, detail: 'This is not your password.' }]);
}
