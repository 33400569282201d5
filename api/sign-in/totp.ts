import { generateSecret, generateURI, verify } from 'otplib';
import type { Db } from '../../db/client.js';
import { takeTotpStep } from '../../db/identity/totp.js';
import { type Keyring, type Sealed, totpPlace } from '../../platform/keyring.js';

const ISSUER = 'alert-investigator';
const STEP_SECONDS = 30;

/** A new secret for an authenticator app. */
export function createTotp(keyring: Keyring, userUuid: string, label: string): { secret: string; uri: string; sealed: Sealed } {
  const secret = generateSecret();
  const sealed = keyring.seal(secret, totpPlace(userUuid));
  return { secret, uri: generateURI({ issuer: ISSUER, label, secret }), sealed };
}

/** Whether the code is right now, or one step ago or ahead, and was not used before. */
export async function acceptTotp(db: Db, keyring: Keyring, userUuid: string, sealed: Sealed, code: string): Promise<boolean> {
  const secret = keyring.open(sealed, totpPlace(userUuid));
  const result = await verify({ secret, token: code, epochTolerance: STEP_SECONDS });
  return result.valid && 'epoch' in result && takeTotpStep(db, userUuid, Math.floor(result.epoch / STEP_SECONDS));
}
