import { listLocalUsers } from '../../db/identity/users.js';
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
  const accounts = await listLocalUsers(context.db, email);
  const user = await findByPassword(accounts, password, caller);
  if (user === null) {
    for (const { userUuid } of accounts) await recordRefusal(context, { userUuid, reason: 'password', address });
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

/** So that the time does not reveal whether an account of another organization has the same address. */
const MIN_COMPARED = 2;

/** Accounts of several organizations can have the same address. The password decides which one signs in. */
async function findByPassword<Account extends { passwordHash: string | null }>(
  accounts: readonly Account[],
  password: string,
  caller: Caller,
): Promise<Account | null> {
  for (let compared = 0; compared < Math.max(accounts.length, MIN_COMPARED); compared += 1) {
    const account = accounts[compared];
    if ((await isPassword(password, account?.passwordHash ?? null, caller)) && account !== undefined) return account;
  }
  return null;
}
