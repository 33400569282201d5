import { recordAudit } from '../../db/identity/audit.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { setTotp } from '../../db/identity/totp.js';
import type { Keyring } from '../../platform/keyring.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { acceptCode } from './accept-code.js';
import { requireLocalUser, wrongCode } from './require-local-user.js';

export async function enableTotp(context: Context, keyring: Keyring, code: string): Promise<void> {
  const { totpPending } = await requireLocalUser(context);
  if (totpPending === null) throw conflict('Request a secret first.');
  // A used code stays used, so it has a transaction of its own.
  if (!(await acceptCode(context, keyring, context.by.uuid, totpPending, code))) throw wrongCode();
  await inTransaction(context, async ({ db, by }) => {
    await setTotp(db, by.uuid, totpPending);
    await announceEnd(db);
    await recordAudit(db, { by, organizationUuid: by.organizationUuid, action: 'user.totp-enable', target: by.uuid });
  });
}
