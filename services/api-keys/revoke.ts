import { lockApiKey, markKeyRevoked } from '../../db/identity/api-keys.js';
import { recordAudit } from '../../db/identity/audit.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';

/** Revoking twice changes nothing. */
export function revokeApiKey(context: Context, keyUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by, now }) => {
    const key = await lockApiKey(db, by.organizationUuid, keyUuid);
    if (key === null) throw notFound('API key with this id');
    if (key.revokedAt !== null) return;
    await markKeyRevoked(db, keyUuid, now());
    await recordAudit(db, { by, organizationUuid: key.organizationUuid, action: 'api-key.revoke', target: keyUuid });
    await announceEnd(db);
  });
}
