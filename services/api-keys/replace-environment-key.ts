import { isUniqueViolation } from '../../db/client.js';
import { insertApiKey, isUnrevokedKey, markOtherAdminKeysRevoked } from '../../db/identity/api-keys.js';
import { recordAudit } from '../../db/identity/audit.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { newUuid } from '../../db/ids.js';
import { inTransaction, type WorkContext } from '../context.js';

/** The name of the key from the environment, which a start can replace. */
export const ENVIRONMENT_KEY = 'ADMIN_API_KEY';

/** Creates the admin key of the environment if it is new, and revokes the earlier ones. */
export async function replaceEnvironmentKey(context: WorkContext, apiKey: string): Promise<void> {
  const replaced = inTransaction(context, async ({ db, by, now }) => {
    const isCurrent = await isUnrevokedKey(db, apiKey);
    const revoked = await markOtherAdminKeysRevoked(db, ENVIRONMENT_KEY, apiKey, now());
    if (!isCurrent) {
      const [keyUuid, admin] = [newUuid(), { name: ENVIRONMENT_KEY, role: 'admin' } as const];
      const service = ENVIRONMENT_KEY;
      await insertApiKey(db, apiKey, { keyUuid, ...admin, organizationUuid: null, expiresAt: null, createdAt: now(), service });
      await recordAudit(db, { by, organizationUuid: null, action: 'api-key.create', target: keyUuid, details: { ...admin, service } });
    }
    for (const target of revoked) await recordAudit(db, { by, organizationUuid: null, action: 'api-key.revoke', target });
    if (revoked.length > 0) await announceEnd(db);
  });
  // A revoked key stays revoked. It also revokes no other key, so a process with an old environment changes nothing.
  await replaced.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
  });
}
