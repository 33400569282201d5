import { and, eq, inArray, or } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { proposals } from '../schema/index.js';
import { type Decided, lockProposal, noteDecision, type ProposalRow } from './proposal-decisions.js';
import { scheduleUndo } from './proposal-runs.js';
import type { WriteContracts } from './proposals.js';

/** Undoes a write now: earlier than scheduled, or although a person had decided to keep it. `moved`: the id of the undo whose workflow starts. */
export async function releaseProposal(
  db: Db,
  by: Principal,
  proposalUuid: string,
  reason: string,
  { planUndo }: Pick<WriteContracts, 'planUndo'>,
): Promise<{ decided: Decided; moved: string | null }> {
  return db.transaction(async (transaction) => {
    const row = await lockProposal(transaction, by, proposalUuid);
    if (!row) return { decided: 'missing', moved: null };
    const undo = (await moveUndo(transaction, row)) ?? (await addUndo(transaction, row, planUndo));
    if (undo === null) return { decided: 'decided', moved: null };
    await noteDecision(transaction, by, undo, 'proposal.release', `${undo.skillId} runs now`, { reason });
    return { decided: 'done', moved: undo.proposalUuid };
  });
}

/** An undo that waits for its time, or that a person withdrew, runs now. */
async function moveUndo(transaction: Transaction, { proposalUuid }: ProposalRow): Promise<ProposalRow | null> {
  const [undo] = await transaction
    .update(proposals)
    .set({ state: 'scheduled', runAt: nowSeconds(), heldBecause: null, endedAt: null, outcome: null })
    .where(
      or(
        and(eq(proposals.undoOf, proposalUuid), inArray(proposals.state, ['scheduled', 'withdrawn'])),
        and(eq(proposals.proposalUuid, proposalUuid), eq(proposals.state, 'scheduled')),
      ),
    )
    .returning();
  return undo ?? null;
}

async function addUndo(transaction: Transaction, row: ProposalRow, planUndo: WriteContracts['planUndo']): Promise<ProposalRow | null> {
  const undo = row.state === 'done' && row.undoOf === null ? planUndo(row) : null;
  if (undo === null || (await transaction.$count(proposals, eq(proposals.undoOf, row.proposalUuid))) > 0) return null;
  return scheduleUndo(transaction, row, undo, { runAt: nowSeconds(), reason: `A person ended ${row.skillId}.` });
}
