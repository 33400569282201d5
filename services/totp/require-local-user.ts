import { readTotp } from '../../db/identity/totp.js';
import type { Context } from '../context.js';
import { type CommandError, conflict, invalid } from '../errors.js';

export async function requireLocalUser({ db, by }: Context) {
  const user = by.sessionUuid === null ? null : await readTotp(db, by.uuid);
  if (user === null) throw conflict('This is only for a user who signed in with a password. Sign in with yours.');
  return user;
}

export function wrongCode(): CommandError {
  return invalid([{ pointer: '#/code', detail: 'The code is wrong, or was used before. Enter the next one.' }]);
}
