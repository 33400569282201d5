import { generateSecret, generateURI } from 'otplib';
import { setPendingTotp } from '../../db/identity/totp.js';
import { type Keyring, totpPlace } from '../../platform/keyring.js';
import type { Context } from '../context.js';
import { conflict } from '../errors.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { requireLocalUser } from './require-local-user.js';
import type { TotpSecret } from './wire.js';

const ISSUER = 'alert-investigator';

/** A new secret for an authenticator app. It counts after the first code. */
export async function requestSecret(context: Context, keyring: Keyring): Promise<TotpSecret> {
  const { db, by } = context;
  const user = await requireLocalUser(context);
  // A user who may do nothing else has just signed in, or has no other way.
  if (!by.needsTwoFactor) await requireRecentSignIn(context);
  if (user.totp !== null) throw conflict('Two-factor authentication is on already. Turn it off first.');
  const secret = generateSecret();
  await setPendingTotp(db, by.uuid, keyring.seal(secret, totpPlace(by.uuid)));
  return { secret, uri: generateURI({ issuer: ISSUER, label: user.email ?? by.name, secret }) };
}
