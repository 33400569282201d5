import { findLocalUser } from '../../db/identity/users.js';
import type { Keyring } from '../../platform/keyring.js';
import type { WorkContext } from '../context.js';
import { CommandError } from '../errors.js';
import { acceptCode } from '../totp/accept-code.js';
import { type Caller, isPassword } from './passwords.js';
import { recordRefusal } from './record-refusal.js';
import { type NewSession, startSession } from './start.js';
import type { PasswordSignIn } from './wire.js';

interface From {
  readonly caller: Caller;
  readonly address: string;
}

/** Returns the token of a new session. null: the password is right, and the code of the authenticator app is missing. */
export async function signIn(
  context: WorkContext,
  keyring: Keyring,
  { email, password, code }: PasswordSignIn,
  session: NewSession,
  { caller, address }: From,
): Promise<string | null> {
  const user = await findLocalUser(context.db, email);
  if (!(await isPassword(password, user?.passwordHash ?? null, caller)) || user === null) {
    if (user !== null) await recordRefusal(context, { userUuid: user.userUuid, reason: 'password', address });
    throw new CommandError('unauthenticated', 'The email address or the password is wrong.');
  }
  if (user.totp !== null) {
    if (code === undefined) return null;
    const detail = 'The code is wrong, or was used before. Enter the next one.';
    if (!(await acceptCode(context, keyring, user.userUuid, user.totp, code, address)))
      throw new CommandError('unauthenticated', detail, { errors: [{ pointer: '#/code', detail }] });
  }
  return startSession(context, user.userUuid, session);
}
