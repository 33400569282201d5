import { verify } from 'otplib';
import type { Db, Transaction } from '../../db/client.js';
import { takeTotpStep } from '../../db/identity/totp.js';
import { type Keyring, type Sealed, totpPlace } from '../../platform/keyring.js';

const STEP_SECONDS = 30;

/** Whether the code is right now, or one step ago or ahead, and was not used before. */
export async function acceptCode(db: Db | Transaction, keyring: Keyring, userUuid: string, sealed: Sealed, code: string): Promise<boolean> {
  const secret = keyring.open(sealed, totpPlace(userUuid));
  const result = await verify({ secret, token: code, epochTolerance: STEP_SECONDS });
  return result.valid && 'epoch' in result && takeTotpStep(db, userUuid, Math.floor(result.epoch / STEP_SECONDS));
}
