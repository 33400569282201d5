import { recordAudit } from '../../db/identity/audit.js';
import { deleteViewRow } from '../../db/saved-views/queries.js';
import { type Context, inTransaction } from '../context.js';
import { lockChangeableView } from './lock-changeable-view.js';

export function deleteView(context: Context, viewUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by }) => {
    const { name } = await lockChangeableView(db, by, viewUuid);
    await deleteViewRow(db, viewUuid);
    await recordAudit(db, { by, organizationUuid: by.organizationUuid, action: 'saved-view.delete', target: viewUuid, details: { name } });
  });
}
