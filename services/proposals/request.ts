import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { insertDecision, insertProposal } from '../../db/response/proposal-rows.js';
import { PROPOSAL_EXPIRES_AFTER_HOURS } from '../../domain/response/proposal.js';
import type { SkillKey } from '../../domain/skill-key.js';
import { type Context, inTransaction } from '../context.js';
import { requireRefusal } from '../errors.js';
import { recordProposalEvent } from './record-proposal-event.js';
import { startProposal } from './start-workflow.js';
import { waitForManualWrite } from './wait-for-manual-write.js';

export interface RequestedSkill {
  readonly organizationUuid: string;
  readonly connectionUuid: string;
  readonly connectorKey: string;
  readonly verb: string;
  readonly skillKey: SkillKey;
  readonly skillId: string;
  readonly input: Record<string, unknown>;
}

/**
 * Stores a manual write as a proposal that its requester approves, and waits for its end, at most 30 seconds. The workflow finds
 * out whether the affected assets require a second person. Returns the id of the proposal.
 */
export async function requestWrite(
  context: Context,
  write: RequestedSkill,
  { needsSecondPerson }: { needsSecondPerson: boolean },
): Promise<string> {
  const proposalUuid = newUuid();
  await inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const { organizationUuid, connectionUuid, skillId, skillKey } = write;
    const requester = { requestedBy: by.name, requestedByUuid: by.uuid, requestedByUserUuid: by.userUuid };
    await insertProposal(db, {
      ...write,
      ...requester,
      proposalUuid,
      proposalKey: `manual/${proposalUuid}`,
      reason: `Requested by ${by.name}.`,
      state: needsSecondPerson ? 'waiting' : 'approved',
      proposedAt: now(),
      expiresAt: needsSecondPerson ? now() + PROPOSAL_EXPIRES_AFTER_HOURS * 3600 : null,
    });
    await insertDecision(db, { proposalUuid, principalUuid: by.uuid, by: by.name, byUuid: by.userUuid, decision: 'approve', at: now() });
    await recordAudit(db, {
      by,
      organizationUuid,
      action: needsSecondPerson ? 'skill.propose' : 'skill.run',
      target: proposalUuid,
      details: { skill_id: skillId, skill_key: skillKey, connection_id: connectionUuid },
    });
    const row = { ...write, ...requester, proposalUuid, alertUuid: null };
    if (needsSecondPerson) await recordProposalEvent(inside, row, { name: 'proposal.waiting' });
  });
  try {
    await startProposal(context, proposalUuid);
  } catch (error) {
    // The write is stored, and the reconcile pass starts its workflow. An error would make the person request it a second time.
    if (requireRefusal(error).refusal !== 'unavailable') throw error;
    return proposalUuid;
  }
  await waitForManualWrite(context, proposalUuid);
  return proposalUuid;
}
