import { recordAudit } from '../../db/identity/audit.js';
import { deleteProtectedAsset, findProtectedAsset } from '../../db/response/protected-assets.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import { confirmRuleChange } from './confirm-rule-change.js';
import { recordRuleEvent } from './record-rule-event.js';

/** Writes to the asset need a second person, so the end of its protection does too. Returns the request while it waits for one. */
export function unprotectAsset(context: Context, assetUuid: string): Promise<PendingRuleChange | null> {
  return inTransaction(context, async (inside) => {
    const { db, by } = inside;
    const asset = await findProtectedAsset(db, by.organizationUuid, assetUuid);
    if (asset === null) throw notFound('protected asset with this id');
    const { organizationUuid, kind, value } = asset;
    const change = { organizationUuid, change: 'unprotect-asset', target: assetUuid, value: null } as const;
    const pending = await confirmRuleChange(inside, change);
    if (pending !== null) return pending;
    recordRuleEvent(inside, 'rule.relaxed', change);
    await deleteProtectedAsset(db, assetUuid);
    await recordAudit(db, { by, organizationUuid, action: 'protected-asset.delete', target: assetUuid, details: { kind, value } });
    return null;
  });
}
