import { findConnectionFacts } from '../../db/connections/connections.js';
import type { ProposalRow } from '../../db/response/proposal-rows.js';
import { findCaseOfAlert } from '../../db/response/proposals.js';
import type { Inside, ServiceContext } from '../context.js';
import { recordCaseEvent } from '../events/record-case-event.js';
import { recordEvent } from '../events/record-event.js';

type Happened =
  | { readonly name: 'proposal.waiting' | 'action.failed' }
  | { readonly name: 'proposal.decided'; readonly decision: 'approved' | 'refused' | 'expired' | 'withdrawn' };

type Subject = Pick<
  ProposalRow,
  'alertUuid' | 'proposalUuid' | 'skillKey' | 'skillId' | 'organizationUuid' | 'connectionUuid' | 'requestedBy'
>;

/** An alert without a case has no subject for events. */
export async function recordProposalEvent(inside: Inside<ServiceContext>, row: Subject, happened: Happened): Promise<void> {
  if (row.alertUuid === null) return recordRunEvent(inside, row, happened);
  const found = await findCaseOfAlert(inside.db, row.alertUuid);
  if (found === null) return;
  const data = { alert_id: found.alertId, proposal_id: row.proposalUuid, skill_id: row.skillId, skill_key: row.skillKey };
  if (happened.name === 'proposal.decided')
    recordCaseEvent(inside, found.caseUuid, happened.name, { ...data, decision: happened.decision });
  else recordCaseEvent(inside, found.caseUuid, happened.name, data);
}

/** Rules and receivers know a manual write as a run. Its requester sees the failure in the reply. */
async function recordRunEvent({ db, beforeCommit }: Inside<ServiceContext>, row: Subject, happened: Happened): Promise<void> {
  const { proposalUuid: subjectUuid, organizationUuid, skillKey, skillId, requestedBy } = row;
  const connection = await findConnectionFacts(db, row.connectionUuid);
  if (connection === null || happened.name === 'action.failed') return;
  const data = { ...connection, run_id: subjectUuid, skill_id: skillId, skill_key: skillKey, requested_by: requestedBy ?? '' };
  if (happened.name === 'proposal.decided') {
    const decided = { ...data, decision: happened.decision === 'approved' ? ('approved' as const) : ('refused' as const) };
    beforeCommit((last) => recordEvent(last, { name: 'run.decided', organizationUuid, subjectUuid, data: decided }));
  } else beforeCommit((last) => recordEvent(last, { name: 'run.waiting', organizationUuid, subjectUuid, data }));
}
