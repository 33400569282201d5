import { lockUnended } from '../../db/response/proposal-rows.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { withdrawRows } from './withdraw-rows.js';

/** A person did it at the third party. An undo can be done there too. */
export function withdrawDone(context: ServiceContext, proposalUuid: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const row = await lockUnended(inside.db, proposalUuid);
    if (row === null || row.state === 'running') return;
    await withdrawRows(inside, [row], 'The third party reports that this is already done.');
  });
}
