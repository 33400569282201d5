import type { DecisionDetails } from '../../channels/kit/deliver.js';
import { catalogue } from '../../connectors/catalogue.js';
import { readWriteContracts } from '../../connectors/kit/define.js';
import { findAlert } from '../../db/alerts/alerts.js';
import type { Db, Transaction } from '../../db/client.js';
import { findProposal } from '../../db/response/proposals.js';
import { findSkillRun, type SkillRunRow } from '../../db/skills/skill-runs.js';
import type { AffectedAssets } from '../../domain/connection/affected-assets.js';
import { describeTarget } from '../../domain/connection/skill-target.js';
import type { NotificationEvent } from '../../domain/notification/event.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { describeResult } from '../../domain/response/proposal-result.js';
import { describeRunResult } from '../../domain/response/run-result.js';
import { clip } from '../../domain/text.js';

/** Within the limits of the receivers for one field. */
const MAX_VALUE = 1_500;
const contracts = readWriteContracts(catalogue);

export function readProposal(db: Db | Transaction, organizationUuid: string, proposalId: string): Promise<Proposal | null> {
  return findProposal(db, organizationUuid, proposalId, contracts);
}

/** As a sentence: "Isolate hr-ws-014 of Harbour & Reed". */
export function describeRun(run: SkillRunRow): string {
  return contracts.describe(run, run.organizationName);
}

/** The write of an event as it is now: a late message does not ask for a decision that was made. null: another event. */
export async function readDecisionDetails(db: Db, organizationUuid: string, { data }: NotificationEvent): Promise<DecisionDetails | null> {
  if ('proposal_id' in data) {
    const proposal = await readProposal(db, organizationUuid, data.proposal_id);
    return proposal === null ? null : describeProposal(db, organizationUuid, proposal);
  }
  if (!('run_id' in data)) return null;
  const run = await findSkillRun(db, organizationUuid, data.run_id);
  if (run === null) return null;
  const result = describeRunResult(run);
  const facts = [
    { label: 'Action', value: describeRun(run) },
    { label: 'Target', value: describeAssets(run.assets, run.instanceName, describeTarget(run.input)) },
    { label: 'Requested by', value: run.askedBy },
    result === null ? { label: 'Approvals', value: 'Needs a second person.' } : { label: 'Result', value: result },
  ];
  return { kind: 'run', id: run.runUuid, facts: writeFacts(facts), isWaiting: result === null };
}

async function describeProposal(db: Db, organizationUuid: string, proposal: Proposal): Promise<DecisionDetails> {
  const alert = await findAlert(db, { organizationUuid, createdBy: null }, proposal.alert_id);
  const result = describeResult(proposal);
  const facts = [
    { label: 'Action', value: proposal.sentence },
    { label: 'Target', value: describeAssets(proposal.touches, proposal.connection) },
    { label: 'Requested by', value: describeRequester(proposal, alert?.playbook ?? null) },
    ...(result === null ? describeWaiting(proposal) : [{ label: 'Result', value: result }]),
  ];
  return { kind: 'proposal', id: proposal.proposal_id, facts: writeFacts(facts), isWaiting: result === null };
}

/** One line for each fact: a line break in a name could look like another fact. */
function writeFacts(facts: DecisionDetails['facts']): DecisionDetails['facts'] {
  return facts.map(({ label, value }) => ({ label, value: clip(value.replace(/\s+/g, ' '), MAX_VALUE) }));
}

/** `named`: the object in the input, where the assets were not read. */
function describeAssets(assets: AffectedAssets | null, instanceName: string, named: string | null = null): string {
  const affected = assets === null ? [named ?? 'assets that the service could not determine'] : [...assets.hosts, ...assets.users];
  return `${affected.length === 0 ? 'No known asset of the organization' : affected.join(', ')} (on ${instanceName})`;
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
