import { recordAudit } from '../../db/identity/audit.js';
import { setTotp } from '../../db/identity/totp.js';
import type { Keyring } from '../../platform/keyring.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { acceptCode } from './accept-code.js';
import { requireLocalUser, wrongCode } from './require-local-user.js';

/** Limits wrong codes for an account. */
export interface Guesses {
  requireFewFailures(account: string): void;
  count(account: string): void;
}

export async function disableTotp(context: Context, keyring: Keyring, code: string, guesses: Guesses): Promise<void> {
  const { totp, email } = await requireLocalUser(context);
  if (totp === null) throw conflict('Two-factor authentication is off.');
  const account = email ?? context.by.uuid;
  guesses.requireFewFailures(account);
  if (!(await acceptCode(context.db, keyring, context.by.uuid, totp, code))) {
    guesses.count(account);
    throw wrongCode();
  }
  await inTransaction(context, async ({ db, by }) => {
    await setTotp(db, by.uuid, null);
    await recordAudit(db, { by, organizationUuid: by.organizationUuid, action: 'user.totp-disable', target: by.uuid });
  });
}
