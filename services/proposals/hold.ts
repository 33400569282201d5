import { lockUnended, updateProposal } from '../../db/response/proposal-rows.js';
import { proposalOperationKey } from '../../domain/response/proposal.js';
import { clip } from '../../domain/text.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { findHold } from '../writes/find-hold.js';

/** Sets a held proposal back to approved, so that people can still refuse it. False where nothing holds it any more. */
export async function holdProposal(context: ServiceContext, proposalUuid: string, because: string): Promise<boolean> {
  const held = await inTransaction(context, async ({ db }) => {
    const row = await lockUnended(db, proposalUuid);
    if (row?.state !== 'running') return null;
    await updateProposal(db, proposalUuid, { heldBecause: clip(because, 1000), state: row.undoOf === null ? 'approved' : 'scheduled' });
    return row;
  });
  if (held === null) return false;
  const operationKey = proposalOperationKey(proposalUuid, { isManual: held.alertUuid === null });
  // After the commit: a change of the rules from now on finds the held proposal.
  return (await findHold(context.db, held.organizationUuid, operationKey)) !== null;
}
