import { recordAudit } from '../../db/identity/audit.js';
import { lockUnended, type ProposalRow, updateProposal } from '../../db/response/proposal-rows.js';
import type { AffectedAssets } from '../../domain/connection/affected-assets.js';
import { PROPOSAL_EXPIRES_AFTER_HOURS } from '../../domain/response/proposal.js';
import { addToTimelineOfAlert } from '../cases/timeline.js';
import { type Inside, inTransaction, type ServiceContext } from '../context.js';
import { type CountedApprovals, countApprovals } from './count-approvals.js';
import { needsSecondPerson } from './needs-second-person.js';
import { recordProposalEvent } from './record-proposal-event.js';

/**
 * Marks a proposal as running, if it is approved or due and has the approvals that it needs now. `assets`: the affected assets that
 * the workflow has just read.
 */
export function beginProposal(context: ServiceContext, proposalUuid: string, assets?: AffectedAssets | null): Promise<boolean> {
  return inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const stored = await lockUnended(db, proposalUuid);
    if (stored === null) return false;
    // A restarted workflow finds its earlier write by the operation key.
    if (stored.state === 'running') return true;
    const isDue = stored.state === 'scheduled' && stored.runAt !== null && stored.runAt <= now();
    if (stored.state !== 'approved' && !isDue) return false;
    const row = assets === undefined ? stored : { ...stored, assets };
    const approvals = await countApprovals(db, row);
    const isAllowed = approvals.given >= approvals.needed;
    await updateProposal(db, proposalUuid, { assets: row.assets, heldBecause: null, ...(isAllowed ? { state: 'running' } : {}) });
    if (!isAllowed) await waitForApprovals(inside, row, approvals);
    return isAllowed;
  });
}

async function waitForApprovals(
  inside: Inside<ServiceContext>,
  row: ProposalRow,
  { given, needed, caution, uncounted }: CountedApprovals,
): Promise<void> {
  const { db, now } = inside;
  const { proposalUuid, organizationUuid, connectionUuid, skillKey, skillId } = row;
  const reasons = new Set(uncounted.filter((each) => each !== null));
  const text = [`${skillId} now needs ${needed} approvals and has ${given}.`, ...caution, ...reasons].join(' ');
  const why = caution.length > 0 ? caution : ['The connection requires a second person.'];
  const error = needsSecondPerson([...why, ...reasons].join(' '));
  const expiresAt = now() + PROPOSAL_EXPIRES_AFTER_HOURS * 3600;
  await updateProposal(db, proposalUuid, { state: 'waiting', expiresAt, ...(row.alertUuid === null ? { error: { ...error } } : {}) });
  await addToTimelineOfAlert(inside, row.alertUuid, { kind: 'decided', by: null, text });
  if (row.alertUuid === null)
    await recordAudit(db, {
      by: null,
      organizationUuid,
      action: 'skill.propose',
      target: proposalUuid,
      details: { skill_id: skillId, skill_key: skillKey, connection_id: connectionUuid, caution },
    });
  await recordProposalEvent(inside, row, { name: 'proposal.waiting' });
}
