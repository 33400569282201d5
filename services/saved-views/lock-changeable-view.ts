import type { Transaction } from '../../db/client.js';
import { lockView, type ViewRow } from '../../db/saved-views/queries.js';
import type { Principal } from '../../domain/identity/identity.js';
import { forbidden, notFound } from '../errors.js';

/** Others see a shared view, but only its creator and admins can change it. */
export async function lockChangeableView(db: Transaction, by: Principal, viewUuid: string): Promise<ViewRow> {
  const view = await lockView(db, by, viewUuid);
  if (view === null) throw notFound('view with this id');
  if (!view.is_own && by.role !== 'admin')
    throw forbidden('Another person or key created this view. They or an admin can change it. Save a view of your own.');
  return view;
}
