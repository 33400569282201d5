import { findLocalUser } from '../../db/identity/users.js';
import type { Keyring } from '../../platform/keyring.js';
import type { WorkContext } from '../context.js';
import { CommandError } from '../errors.js';
import { acceptCode } from '../totp/accept-code.js';
import { isPassword } from './passwords.js';
import { type NewSession, startSession } from './start.js';
import type { PasswordSignIn } from './wire.js';

/** Returns the token of a new session. null: the password is right, and the code of the authenticator app is missing. */
export async function signIn(
  context: WorkContext,
  keyring: Keyring,
  { email, password, code }: PasswordSignIn,
  session: NewSession,
): Promise<string | null> {
  const user = await findLocalUser(context.db, email);
  if (!(await isPassword(password, user?.passwordHash ?? null)) || user === null)
    throw new CommandError('unauthenticated', 'The email address or the password is wrong.');
  if (user.totp !== null) {
    if (code === undefined) return null;
    const detail = 'The code is wrong, or was used before. Enter the next one.';
    if (!(await acceptCode(context.db, keyring, user.userUuid, user.totp, code)))
      throw new CommandError('unauthenticated', detail, { errors: [{ pointer: '#/code', detail }] });
  }
  return startSession(context, user.userUuid, session);
}
