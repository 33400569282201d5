import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { countOwnViews, insertView } from '../../db/saved-views/queries.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import type { CreateSavedView, SavedView } from './wire.js';

/** For each principal. */
const MAX_VIEWS = 50;

export function createView(context: Context, given: CreateSavedView): Promise<SavedView> {
  return inTransaction(context, async ({ db, by, now }) => {
    if ((await countOwnViews(db, by)) >= MAX_VIEWS) throw conflict(`This API key has ${MAX_VIEWS} views. Delete one first.`);
    const { list, name, filters, is_shared: isShared } = given;
    const owner = { organizationUuid: by.organizationUuid, principalUuid: by.uuid };
    const created = await insertView(db, by, { viewUuid: newUuid(), ...owner, list, name, filters, isShared, createdAt: now() });
    await recordAudit(db, {
      by,
      organizationUuid: by.organizationUuid,
      action: 'saved-view.create',
      target: created.view_id,
      details: { name, is_shared: isShared },
    });
    return created;
  });
}
