import { type Catalogue, planUndo } from '../../connectors/kit/define.js';
import { findProposalRow, findScheduledUndo, lockUnended, type ProposalRow, updateProposal } from '../../db/response/proposal-rows.js';
import type { SkillRunError } from '../../domain/connection/skill.js';
import { clip } from '../../domain/text.js';
import { addToTimelineOfAlert } from '../cases/timeline.js';
import { type Inside, inTransaction, type ServiceContext } from '../context.js';
import { recordProposalEvent } from './record-proposal-event.js';
import { scheduleUndo } from './schedule-undo.js';
import { startProposal } from './start-workflow.js';
import { withdrawRepeated } from './withdraw-repeated.js';

export type ProposalEnd = { readonly resultId: string; readonly outcome: string } | { readonly error: SkillRunError };

/** Also schedules the undo, if the write was approved for a time. A repeated call repeats only the steps after the commit. */
export async function endProposal(context: ServiceContext, catalogue: Catalogue, proposalUuid: string, end: ProposalEnd): Promise<void> {
  await inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const row = await lockUnended(db, proposalUuid);
    if (row === null) return;
    const outcome = clip('error' in end ? end.error.message : end.outcome, 2000);
    const ended = { outcome, heldBecause: null, endedAt: now() };
    if ('error' in end) {
      await updateProposal(db, proposalUuid, { ...ended, state: 'failed', error: { ...end.error } });
      await addToTimelineOfAlert(inside, row.alertUuid, { kind: 'action', by: null, text: `${row.skillId} failed: ${outcome}` });
      return recordProposalEvent(inside, row, { name: 'action.failed' });
    }
    await updateProposal(db, proposalUuid, { ...ended, state: 'done', resultUuid: end.resultId });
    await addToTimelineOfAlert(inside, row.alertUuid, { kind: 'action', by: null, text: outcome });
    await scheduleUndoAfter(inside, catalogue, row);
  });
  if ('error' in end) return;
  const sent = await findProposalRow(context.db, proposalUuid);
  if (sent !== null) await withdrawRepeated(context, catalogue, sent);
  const undoUuid = await findScheduledUndo(context.db, proposalUuid);
  if (undoUuid !== null) await startProposal(context, undoUuid);
}

async function scheduleUndoAfter(inside: Inside<ServiceContext>, catalogue: Catalogue, row: ProposalRow): Promise<void> {
  const { releaseAfterHours: hours } = row;
  const undo = hours === null ? null : planUndo(catalogue, row);
  if (hours === null || undo === null) return;
  const runAt = inside.now() + hours * 3600;
  const reason = `${row.skillId} was approved for ${hours} hour${hours === 1 ? '' : 's'}.`;
  const text = `${undo.skillId} runs at ${new Date(runAt * 1000).toISOString()} unless a person reconfirms ${row.skillId}`;
  await scheduleUndo(inside, row, undo, { runAt, reason });
  await addToTimelineOfAlert(inside, row.alertUuid, { kind: 'proposed', by: null, text });
}
