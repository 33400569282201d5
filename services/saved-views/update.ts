import { recordAudit } from '../../db/identity/audit.js';
import { updateViewRow } from '../../db/saved-views/queries.js';
import { type Context, inTransaction } from '../context.js';
import { lockChangeableView } from './lock-changeable-view.js';
import type { SavedView, UpdateSavedView } from './wire.js';

export function updateView(context: Context, viewUuid: string, update: UpdateSavedView): Promise<SavedView> {
  return inTransaction(context, async ({ db, by }) => {
    await lockChangeableView(db, by, viewUuid);
    const { name, filters, is_shared: isShared } = update;
    const view = await updateViewRow(db, by, viewUuid, {
      ...(name === undefined ? {} : { name }),
      ...(filters === undefined ? {} : { filters }),
      ...(isShared === undefined ? {} : { isShared }),
    });
    await recordAudit(db, {
      by,
      organizationUuid: by.organizationUuid,
      action: 'saved-view.update',
      target: viewUuid,
      details: { changed: Object.keys(update) },
    });
    return view;
  });
}
