import { findAlert } from '../../db/alerts/alerts.js';
import type { Db } from '../../db/client.js';
import { findProposal } from '../../db/response/proposals.js';
import type { NotificationEvent } from '../../domain/notification/event.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { describeResult } from '../../domain/response/proposal-result.js';
import { clip } from '../../domain/text.js';
import { catalogue } from '../connectors/catalogue.js';
import { readWriteContracts } from '../connectors/kit/define.js';
import type { ProposalDetails } from './channel.js';

/** Within the limits of the receivers for one field. */
const MAX_VALUE = 1_500;
const contracts = readWriteContracts(catalogue);

export function readProposal(db: Db, organizationUuid: string, proposalId: string): Promise<Proposal | null> {
  return findProposal(db, organizationUuid, proposalId, contracts);
}

/** The proposal of an event as it is now: a late message does not ask for a decision that was made. null: another event. */
export async function readProposalDetails(db: Db, organizationUuid: string, { data }: NotificationEvent): Promise<ProposalDetails | null> {
  const proposal = 'proposal_id' in data ? await readProposal(db, organizationUuid, data.proposal_id) : null;
  if (proposal === null) return null;
  const alert = await findAlert(db, { organizationUuid, createdBy: null }, proposal.alert_id);
  const result = describeResult(proposal);
  const facts = [
    { label: 'Action', value: proposal.sentence },
    { label: 'Target', value: describeTarget(proposal) },
    { label: 'Requested by', value: describeRequester(proposal, alert?.playbook ?? null) },
    ...(result === null ? describeWaiting(proposal) : [{ label: 'Result', value: result }]),
  ];
  return {
    proposalId: proposal.proposal_id,
    // One line for each fact: a line break in a name could look like another fact.
    facts: facts.map(({ label, value }) => ({ label, value: clip(value.replace(/\s+/g, ' '), MAX_VALUE) })),
    isWaiting: result === null,
  };
}

function describeTarget({ touches, connection }: Proposal): string {
  const affected = touches === null ? ['assets that the service could not determine'] : [...touches.hosts, ...touches.users];
  return `${affected.length === 0 ? 'No known asset of the organization' : affected.join(', ')} (on ${connection})`;
}

function describeRequester({ alert_id: alertId, undo_of: undoOf }: Proposal, playbook: string | null): string {
  const investigation = `the investigation of alert ${alertId}${playbook === null ? '' : ` (${playbook})`}`;
  return undoOf === null ? investigation : `the end of an action of ${investigation}`;
}

function describeWaiting({ approvals_needed: needed, caution, expires_at: expiresAt }: Proposal) {
  return [
    ...(needed > 1 ? [{ label: 'Approvals', value: `Needs ${needed} people. ${caution.join(' ')}`.trim() }] : []),
    ...(expiresAt === null ? [] : [{ label: 'Expires', value: formatTime(expiresAt) }]),
  ];
}

function formatTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
