import { writeContracts } from '../../connectors/skill-index.js';
import { readSecondPersonRule } from '../../db/connections/second-person.js';
import { newUuid } from '../../db/ids.js';
import {
  findAlertWithConnection,
  findEquivalentProposal,
  findFailure,
  lockProposalsOfConnection,
  releaseKeyOfFailed,
  upsertProposal,
} from '../../db/response/proposal-rows.js';
import { readProtection } from '../../db/response/protected-assets.js';
import { PROPOSAL_EXPIRES_AFTER_HOURS, type ProposalDraft, type ProposedWrite } from '../../domain/response/proposal.js';
import { listCautions, listDefaultCautions, NO_PROTECTION } from '../../domain/response/response-rules.js';
import { clip } from '../../domain/text.js';
import { addToTimelineOfAlert } from '../cases/timeline.js';
import { inTransaction, type ServiceContext } from '../context.js';
import { CommandError } from '../errors.js';
import { recordProposalEvent } from './record-proposal-event.js';
import { startProposal } from './start-workflow.js';

const EXPIRES_AFTER_SECONDS = PROPOSAL_EXPIRES_AFTER_HOURS * 3600;

/**
 * Stores the proposal and starts its workflow. One proposal for each key: returns the existing proposal, or the same pending write
 * of another alert, instead of a new one.
 */
export async function propose(
  context: ServiceContext,
  draft: ProposalDraft & { proposalKey: string; skillId: string },
): Promise<ProposedWrite> {
  const proposed = await inTransaction(context, async (inside): Promise<ProposedWrite> => {
    const { db, now } = inside;
    const { investigationNo, proposalKey, connectionId: connectionUuid, connector, verb, skillId, input, assets } = draft;
    const found = await findAlertWithConnection(db, { alertId: draft.alertId, connectionUuid });
    if (found === null) throw new CommandError('not-found', 'The connection no longer exists.');
    const { alertUuid, organizationUuid } = found;
    const protection = (await readProtection(db, [organizationUuid])).get(organizationUuid) ?? NO_PROTECTION;
    const named = writeContracts.listTargets({ connectorKey: connector, verb, input });
    const secondPersonRule = await readSecondPersonRule(db, connectionUuid);
    const cautionFor = (touched: typeof assets) => {
      const sensitivities = writeContracts.listSensitivities({ connectorKey: connector, verb, input, assets: touched });
      return [...listCautions(touched, protection, named), ...listDefaultCautions({ secondPersonRule, sensitivities })];
    };
    await lockProposalsOfConnection(db, connectionUuid);
    await releaseKeyOfFailed(db, proposalKey);
    const failure = await findFailure(db, alertUuid, proposalKey);
    const reason = clip([draft.reason, ...(failure === null ? [] : [`An earlier try failed: ${failure}`])].join(' '), 4000);
    const write = { organizationUuid, alertUuid, proposalKey, connectionUuid, connectorKey: connector, verb, input };
    const other = await findEquivalentProposal(db, write, now());
    if (other !== null) {
      const { proposalUuid: proposalId, state, existingCaseId } = other;
      return { proposalId, state, caution: cautionFor(other.assets), reason, existingCaseId };
    }
    const row = await upsertProposal(db, {
      ...write,
      proposalUuid: newUuid(),
      investigationNo,
      skillId,
      reason,
      assets,
      state: 'waiting',
      releaseAfterHours: draft.releaseAfterHours,
      proposedAt: now(),
      expiresAt: now() + EXPIRES_AFTER_SECONDS,
    });
    const caution = cautionFor(row.assets);
    if (row.isNew) {
      const text = [`${skillId}: ${row.reason}`, ...caution].join(' ');
      await addToTimelineOfAlert(inside, alertUuid, { kind: 'proposed', by: null, text });
      await recordProposalEvent(inside, row, { name: 'proposal.waiting' });
    }
    return { proposalId: row.proposalUuid, state: row.state, caution, reason, existingCaseId: null };
  });
  if (proposed.state === 'waiting' && proposed.existingCaseId === null) await startProposal(context, proposed.proposalId);
  return proposed;
}
