import { writeContracts } from '../../connectors/skill-index.js';
import { hasUndo, lockUndo, type ProposalRow, replaceDecision, updateProposal } from '../../db/response/proposal-rows.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { type Context, type Inside, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { confirmRuleChange } from '../response-rules/confirm-rule-change.js';
import { countApprovals } from './count-approvals.js';
import { lockVisibleProposal } from './lock-visible-proposal.js';
import { noteDecision } from './note-decision.js';
import { requireProposal } from './require-proposal.js';
import { scheduleUndo, type Undo } from './schedule-undo.js';
import { replaceRun } from './start-workflow.js';

/**
 * Undoes a write now: earlier than scheduled, or although a person had decided to keep it. A write that needs two people also needs
 * two people to end it early. `isPending`: the request waits for the second one.
 */
export async function releaseProposal(
  context: Context,
  proposalUuid: string,
  reason: string,
): Promise<{ readonly proposal: Proposal; readonly isPending: boolean }> {
  const isPending = await inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const row = await lockVisibleProposal(inside, proposalUuid);
    const stored = await lockUndo(db, proposalUuid, ['scheduled', 'withdrawn']);
    const planned = stored === null ? await planMissingUndo(inside, row) : null;
    const undone = stored ?? planned;
    if (undone === null) throw conflict('The service cannot undo this proposal: it was not done, it has no undo, or its undo has started.');
    const { needsTwoPeople } = await countApprovals(db, row);
    if (needsTwoPeople && (await waitsForSecondPerson(inside, row))) {
      await noteDecision(inside, stored ?? row, 'release', `A second person must confirm that ${undone.skillId} runs now`, { reason });
      return true;
    }
    const undo =
      stored === null ? await scheduleUndo(inside, row, undone, { runAt: now(), reason: `A person ended ${row.skillId}.` }) : stored;
    if (stored !== null)
      await updateProposal(db, undo.proposalUuid, { state: 'scheduled', runAt: now(), heldBecause: null, endedAt: null, outcome: null });
    const decision = {
      proposalUuid: undo.proposalUuid,
      principalUuid: by.uuid,
      by: by.name,
      byUuid: by.userUuid,
      decision: 'approve' as const,
    };
    if (needsTwoPeople) await replaceDecision(db, { ...decision, reason, at: now() });
    await noteDecision(inside, undo, 'release', `${undo.skillId} runs now`, { reason });
    inside.afterCommit(() => replaceRun(context, undo.proposalUuid));
    return false;
  });
  return { proposal: await requireProposal(context, proposalUuid), isPending };
}

async function planMissingUndo({ db }: Inside<Context>, row: ProposalRow): Promise<Undo | null> {
  const undo = row.state === 'done' && row.undoOf === null ? writeContracts.planUndo(row) : null;
  return undo === null || (await hasUndo(db, row.proposalUuid)) ? null : undo;
}

async function waitsForSecondPerson(inside: Inside<Context>, { organizationUuid, proposalUuid, undoOf }: ProposalRow): Promise<boolean> {
  const asked = { organizationUuid, change: 'release-action', target: undoOf ?? proposalUuid, value: null } as const;
  return (await confirmRuleChange(inside, asked)) !== null;
}
