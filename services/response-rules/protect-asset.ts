import { isUniqueViolation } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { insertProtectedAsset } from '../../db/response/protected-assets.js';
import type { ProtectedAsset } from '../../domain/response/response-rules.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import type { ProtectAsset } from './wire.js';

export async function protectAsset(
  context: Context,
  organizationUuid: string,
  { kind, value: given, reason }: Pick<ProtectAsset, 'kind' | 'value' | 'reason'>,
): Promise<ProtectedAsset> {
  const protect = inTransaction(context, async ({ db, by, now }) => {
    const asset = { assetUuid: newUuid(), organizationUuid, kind, value: given.trim(), reason };
    const created = await insertProtectedAsset(db, { ...asset, createdBy: by.name, createdByUuid: by.userUuid, createdAt: now() });
    const details = { kind, value: asset.value, reason };
    await recordAudit(db, { by, organizationUuid, action: 'protected-asset.create', target: asset.assetUuid, details });
    return created;
  });
  return protect.catch((error: unknown) => {
    throw isUniqueViolation(error) ? conflict('This asset is already protected. The comparison ignores case.') : error;
  });
}
