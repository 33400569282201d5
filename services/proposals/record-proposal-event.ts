import type { ProposalRow } from '../../db/response/proposal-rows.js';
import { findCaseOfAlert } from '../../db/response/proposals.js';
import type { Inside, ServiceContext } from '../context.js';
import { recordCaseEvent } from '../events/record-case-event.js';

type Happened =
  | { readonly name: 'proposal.waiting' | 'action.failed' }
  | { readonly name: 'proposal.decided'; readonly decision: 'approved' | 'refused' | 'expired' | 'withdrawn' };

/** An alert without a case has no subject for events. */
export async function recordProposalEvent(
  inside: Inside<ServiceContext>,
  { alertUuid, proposalUuid, skillKey, skillId }: Pick<ProposalRow, 'alertUuid' | 'proposalUuid' | 'skillKey' | 'skillId'>,
  happened: Happened,
): Promise<void> {
  const found = await findCaseOfAlert(inside.db, alertUuid);
  if (found === null) return;
  const data = { alert_id: found.alertId, proposal_id: proposalUuid, skill_id: skillId, skill_key: skillKey };
  if (happened.name === 'proposal.decided')
    recordCaseEvent(inside, found.caseUuid, happened.name, { ...data, decision: happened.decision });
  else recordCaseEvent(inside, found.caseUuid, happened.name, data);
}
