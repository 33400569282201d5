import type { DecisionDetails } from '../../channels/kit/deliver.js';
import { catalogue } from '../../connectors/catalogue.js';
import { readWriteContracts } from '../../connectors/kit/define.js';
import { findAlert } from '../../db/alerts/alerts.js';
import type { Db, Transaction } from '../../db/client.js';
import { findProposal } from '../../db/response/proposals.js';
import { describeTarget } from '../../domain/connection/skill-target.js';
import type { NotificationEvent } from '../../domain/notification/event.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { describeResult, listUncounted } from '../../domain/response/proposal-result.js';
import { clip, toLine } from '../../domain/text.js';

/** Within the limits of the receivers for one field. */
const MAX_VALUE = 1_500;
const contracts = readWriteContracts(catalogue);

export function readProposal(db: Db | Transaction, organizationUuid: string, proposalId: string): Promise<Proposal | null> {
  return findProposal(db, organizationUuid, proposalId, contracts);
}

/** The write of an event as it is now: a late message does not ask for a decision that was made. null: another event. */
export async function readDecisionDetails(db: Db, organizationUuid: string, { data }: NotificationEvent): Promise<DecisionDetails | null> {
  const id = 'proposal_id' in data ? data.proposal_id : 'run_id' in data ? data.run_id : null;
  const proposal = id === null ? null : await readProposal(db, organizationUuid, id);
  if (proposal === null) return null;
  const result = describeResult(proposal);
  const facts = [
    { label: 'Action', value: proposal.sentence },
    { label: 'Target', value: describeAssets(proposal) },
    { label: 'Requested by', value: proposal.requested_by ?? (await describeInvestigation(db, organizationUuid, proposal)) },
    ...(result === null ? describeWaiting(proposal) : [{ label: 'Result', value: result }]),
  ];
  return { kind: 'run_id' in data ? 'run' : 'proposal', id: proposal.proposal_id, facts: writeFacts(facts), isWaiting: result === null };
}

/** One line for each fact: a line break in a name could look like another fact. */
function writeFacts(facts: DecisionDetails['facts']): DecisionDetails['facts'] {
  return facts.map(({ label, value }) => ({ label, value: clip(toLine(value), MAX_VALUE) }));
}

/** A manual write names the object in its input, where its assets were not read. */
function describeAssets({ touches: assets, connection, requested_by: requester, input }: Proposal): string {
  const named = requester === null ? null : describeTarget(input);
  const affected = assets === null ? [named ?? 'assets that the service could not determine'] : [...assets.hosts, ...assets.users];
  return `${affected.length === 0 ? 'No known asset of the organization' : affected.join(', ')} (on ${connection})`;
}

async function describeInvestigation(db: Db, organizationUuid: string, { alert_id: alertId, undo_of: undoOf }: Proposal): Promise<string> {
  const playbook = alertId === null ? null : (await findAlert(db, { organizationUuid, createdBy: null }, alertId))?.playbook;
  const investigation = `the investigation of alert ${alertId}${playbook ? ` (${playbook})` : ''}`;
  return undoOf === null ? investigation : `the end of an action of ${investigation}`;
}

function describeWaiting(proposal: Proposal) {
  const { approvals_needed: needed, caution, expires_at: expiresAt, requested_by: requester } = proposal;
  const approvals = requester === null ? `Needs ${needed} people.` : 'Needs a second person.';
  return [
    ...(needed > 1 || requester !== null
      ? [{ label: 'Approvals', value: [approvals, ...caution, ...listUncounted(proposal)].join(' ') }]
      : []),
    ...(expiresAt === null ? [] : [{ label: 'Expires', value: formatTime(expiresAt) }]),
  ];
}

function formatTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
