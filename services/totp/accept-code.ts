import { verify } from 'otplib';
import { forgetCodeGuesses, takeCodeGuess, takeTotpStep } from '../../db/identity/totp.js';
import { type Keyring, type Sealed, totpPlace } from '../../platform/keyring.js';
import type { WorkContext } from '../context.js';
import { CommandError } from '../errors.js';
import { recordRefusal } from '../sessions/record-refusal.js';

const STEP_SECONDS = 30;
const MAX_GUESSES = { count: 10, seconds: 600 };

/** Whether the code is right now, or one step ago or ahead, and was not used before. A code counts before it is checked. */
export async function acceptCode(
  context: WorkContext,
  keyring: Keyring,
  userUuid: string,
  sealed: Sealed,
  code: string,
  address?: string,
): Promise<boolean> {
  const { db } = context;
  const from = { userUuid, ...(address === undefined ? {} : { address }) };
  const retryAfterSeconds = await takeCodeGuess(db, userUuid, MAX_GUESSES, context.now());
  if (retryAfterSeconds !== null) {
    await recordRefusal(context, { ...from, reason: 'too-many-codes' });
    throw new CommandError('too-many', 'Too many wrong codes for this user. Wait, then try again.', { retryAfterSeconds });
  }
  const secret = keyring.open(sealed, totpPlace(userUuid));
  const result = await verify({ secret, token: code, epochTolerance: STEP_SECONDS });
  const isRight = result.valid && 'epoch' in result && (await takeTotpStep(db, userUuid, Math.floor(result.epoch / STEP_SECONDS)));
  if (isRight) await forgetCodeGuesses(db, userUuid);
  else await recordRefusal(context, { ...from, reason: 'code' });
  return isRight;
}
