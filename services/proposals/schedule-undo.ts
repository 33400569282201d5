import type { Transaction } from '../../db/client.js';
import { newUuid } from '../../db/ids.js';
import { insertProposal, type ProposalRow } from '../../db/response/proposal-rows.js';
import type { SkillKey } from '../../domain/skill-key.js';

export interface Undo {
  readonly verb: string;
  readonly skillKey: SkillKey;
  readonly skillId: string;
  readonly input: Record<string, unknown>;
}

/** Adds the write that undoes a sent one at `runAt`. */
export async function scheduleUndo(
  { db, now }: { db: Transaction; now: () => number },
  row: ProposalRow,
  undo: Undo,
  { runAt, reason }: { runAt: number; reason: string },
): Promise<ProposalRow> {
  const added: ProposalRow = {
    ...row,
    ...undo,
    proposalUuid: newUuid(),
    proposalKey: `undo/${row.proposalUuid}`,
    reason,
    state: 'scheduled',
    heldBecause: null,
    releaseAfterHours: null,
    undoOf: row.proposalUuid,
    runAt,
    proposedAt: now(),
    expiresAt: null,
    endedAt: null,
    resultUuid: null,
    outcome: null,
    error: null,
  };
  await insertProposal(db, added);
  return added;
}
