import { lockUnsentOfCase } from '../../db/response/proposal-rows.js';
import { type Context, inTransaction } from '../context.js';
import { wakeProposals } from './wake.js';
import { withdrawRows } from './withdraw-rows.js';

/** Ends the proposals of a case that no worker sends yet. The undo of a write that was sent stays. */
export function withdrawProposalsOfCase(context: Context, caseUuid: string, reason: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const unsent = await lockUnsentOfCase(inside.db, caseUuid);
    await withdrawRows(inside, unsent, reason);
    wakeProposals(inside, unsent);
  });
}
