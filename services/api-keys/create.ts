import { insertApiKey, isKeyNameTaken, newApiKey } from '../../db/identity/api-keys.js';
import { recordAudit } from '../../db/identity/audit.js';
import { isUserName, lockNames } from '../../db/identity/users.js';
import { newUuid } from '../../db/ids.js';
import { inTransaction, type WorkContext } from '../context.js';
import { conflict, invalid } from '../errors.js';
import { grantableOrganization } from '../organizations/require-organization.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { lockCreator } from '../users/lock-creator.js';
import { ENVIRONMENT_KEY } from './replace-environment-key.js';
import type { CreateApiKey, CreatedApiKey } from './wire.js';

/** The key belongs to the user who creates it, or to a service. */
export function createApiKey(context: WorkContext, given: CreateApiKey): Promise<CreatedApiKey> {
  const { name, role, organization_code, expires_at = null } = given;
  return inTransaction(context, async ({ db, by, now }) => {
    await requireRecentSignIn({ db, by, now });
    const creatorUuid = await lockCreator({ db, by });
    if (expires_at !== null && expires_at <= now())
      throw invalid([{ pointer: '#/expires_at', detail: 'expires_at is in the past. Send a later time.' }]);
    const organizationUuid = await grantableOrganization(db, by, organization_code);
    const ownerUuid = given.service === undefined ? (by?.userUuid ?? null) : null;
    const service = ownerUuid === null ? (given.service ?? name) : null;
    await lockNames(db);
    const isTaken =
      name.toUpperCase() === ENVIRONMENT_KEY ||
      (await isKeyNameTaken(db, name, organizationUuid)) ||
      // The name of a service stands in decisions, where it must not look like a user.
      (service !== null && (await isUserName(db, name, organizationUuid)));
    if (isTaken) throw conflict('Another key or a user has this name. The comparison ignores case. Send another name.');
    const [keyUuid, apiKey, createdAt] = [newUuid(), newApiKey(), now()];
    const holderUuid = ownerUuid === null ? creatorUuid : null;
    const holder = { ownerUuid, service, personUuid: by?.personUuid ?? null, holderUuid };
    await insertApiKey(db, apiKey, { keyUuid, name, role, organizationUuid, expiresAt: expires_at, createdAt, ...holder });
    await recordAudit(db, {
      by,
      organizationUuid,
      action: 'api-key.create',
      target: keyUuid,
      details: { name, role, ...(service === null ? {} : { service }) },
    });
    const owner = ownerUuid === null ? null : (by?.name ?? null);
    const created = { key_uuid: keyUuid, name, role, organization_code, owner, service, created_at: createdAt };
    return { ...created, expires_at, revoked_at: null, api_key: apiKey };
  });
}
