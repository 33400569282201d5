import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/activity';
import type { SkillContract } from '../../connectors/kit/define.js';
import { writeContracts } from '../../connectors/skill-index.js';
import type { Topic } from '../../db/changes.js';
import { isManualWrite, readProposal } from '../../db/response/proposal-rows.js';
import { describeIssues } from '../../domain/connection/skill-errors.js';
import type { ProposalActivities } from '../../domain/response/proposal.js';
import { CommandError } from '../../services/errors.js';
import { beginProposal } from '../../services/proposals/begin.js';
import { endProposal } from '../../services/proposals/end.js';
import { expireProposal } from '../../services/proposals/expire.js';
import { holdProposal } from '../../services/proposals/hold.js';
import { propose } from '../../services/proposals/propose.js';
import { withdrawDone } from '../../services/proposals/withdraw-done.js';
import { type CommandDeps, serviceContext } from '../service-context.js';
import type { SkillSet } from '../skills/perform-skill.js';

export interface ProposalDeps extends CommandDeps {
  readonly reconnectWaitSeconds: number;
  readonly proposalCheckSeconds: number;
}

export const PROPOSAL_ACTIVITY_TOPICS = {
  checkProposal: [],
  propose: ['proposals', 'cases', 'alerts'],
  readProposal: [],
  beginProposal: ['proposals', 'cases', 'alerts'],
  holdProposal: ['proposals', 'cases', 'alerts'],
  expireProposal: ['proposals', 'cases', 'alerts'],
  withdrawDone: ['proposals', 'cases', 'alerts'],
  endProposal: ['proposals', 'cases', 'alerts'],
} as const satisfies Record<keyof ProposalActivities, readonly Topic[]>;

/** Each activity is idempotent. */
export function createProposalActivities({ catalogue }: SkillSet, deps: ProposalDeps): ProposalActivities {
  const context = serviceContext(deps);
  const requireContract = ({ connector, verb }: { connector: string; verb: string }): SkillContract => {
    const contract = catalogue[connector]?.skills[verb];
    if (!contract) throw ApplicationFailure.nonRetryable(`Unknown skill ${connector}.${verb}.`, 'UnknownSkill');
    return contract;
  };
  return {
    async checkProposal(write) {
      const parsed = requireContract(write).input.safeParse(write.input);
      return parsed.success ? { input: parsed.data } : { problem: describeIssues(parsed.error) };
    },

    async propose(draft) {
      const { connector, verb, input, connectionId } = draft;
      const { title: skillId } = requireContract(draft);
      const digest = createHash('sha256')
        .update(JSON.stringify([connectionId, input]))
        .digest('base64url');
      const proposalKey = `${draft.alertId}/${connector}.${verb}/${digest}`;
      const proposed = await propose(context, { ...draft, proposalKey, skillId }).catch((error: unknown) => {
        throw error instanceof CommandError && error.refusal === 'not-found'
          ? ApplicationFailure.nonRetryable(error.message, 'NotFound')
          : error;
      });
      return { ...proposed, standsIn: proposed.existingCaseId };
    },

    async readProposal(proposalId) {
      const found = await readProposal(deps.db, proposalId);
      if (found === null) return null;
      const { state, connectorKey: connector, verb, input, connectionUuid: connectionId, outcome, expiresAt, runAt } = found.row;
      const { alertId, instanceName, remoteAgentUuid, secondPersonRule, hasProtectedAssets, hasSecondApproval } = found;
      const connection = {
        connectionId,
        instanceName,
        routed: remoteAgentUuid !== null,
        reconnectWaitSeconds: deps.reconnectWaitSeconds,
      };
      const read = { state, connector, verb, input, connection, alertId, outcome, expiresAt, runAt };
      const dependsOnAssets = hasProtectedAssets || (secondPersonRule === 'sensitive' && writeContracts.isSensitiveByAssets(found.row));
      if (isManualWrite(found.row)) return { ...read, manual: { isGuarded: dependsOnAssets && !hasSecondApproval } };
      // A write that this service may have sent is looked up by its operation key: it is not the work of another person.
      return found.mayBeSent ? read : { ...read, check: { everySeconds: deps.proposalCheckSeconds, proposedAt: found.row.proposedAt } };
    },

    beginProposal: (proposalId, assets) => beginProposal(context, proposalId, assets),
    expireProposal: (proposalId) => expireProposal(context, proposalId),
    withdrawDone: (proposalId) => withdrawDone(context, proposalId),
    holdProposal: (proposalId, because) => holdProposal(context, proposalId, because),
    endProposal: (proposalId, end) => endProposal(context, catalogue, proposalId, end),
  };
}
