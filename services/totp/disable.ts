import { recordAudit } from '../../db/identity/audit.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { setTotp } from '../../db/identity/totp.js';
import type { Keyring } from '../../platform/keyring.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { acceptCode } from './accept-code.js';
import { requireLocalUser, wrongCode } from './require-local-user.js';

export async function disableTotp(context: Context, keyring: Keyring, code: string): Promise<void> {
  const { totp } = await requireLocalUser(context);
  if (totp === null) throw conflict('Two-factor authentication is off.');
  if (!(await acceptCode(context, keyring, context.by.uuid, totp, code))) throw wrongCode();
  await inTransaction(context, async ({ db, by }) => {
    await setTotp(db, by.uuid, null);
    await announceEnd(db);
    await recordAudit(db, { by, organizationUuid: by.organizationUuid, action: 'user.totp-disable', target: by.uuid });
  });
}
