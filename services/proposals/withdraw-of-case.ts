import type { ProposalRow } from '../../db/response/proposal-rows.js';
import { type Context, inTransaction } from '../context.js';
import { wakeProposals } from './wake.js';
import { withdrawRows } from './withdraw-rows.js';

/** Ends the locked proposals of a case that no worker sends yet. The undo of a write that was sent is not among them. */
export function withdrawProposalsOfCase(context: Context, unsent: readonly ProposalRow[], reason: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await withdrawRows(inside, unsent, reason);
    wakeProposals(inside, unsent);
  });
}
