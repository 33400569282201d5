import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/activity';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { catalogue } from '../../connectors/catalogue.js';
import type { SkillContract } from '../../connectors/kit/define.js';
import type { Topic } from '../../db/changes.js';
import type { Db } from '../../db/client.js';
import { isManualWrite, listUnended, type OpenProposal, readProposal } from '../../db/response/proposal-rows.js';
import { describeIssues } from '../../domain/connection/skill-errors.js';
import { PROPOSAL_CHANGED, type ProposalActivities, type ProposalState, proposalWorkflowId } from '../../domain/response/proposal.js';
import { readClock, type ServiceContext } from '../../services/context.js';
import { CommandError } from '../../services/errors.js';
import { beginProposal } from '../../services/proposals/begin.js';
import { endProposal } from '../../services/proposals/end.js';
import { expireProposal } from '../../services/proposals/expire.js';
import { holdProposal } from '../../services/proposals/hold.js';
import { propose } from '../../services/proposals/propose.js';
import { replaceRun, startProposal } from '../../services/proposals/start-workflow.js';
import { withdrawDone } from '../../services/proposals/withdraw-done.js';
import { serviceContext } from '../service-context.js';
import type { SkillSet } from '../skills/perform-skill.js';

interface RepairDeps {
  readonly db: Db;
  readonly client: Client;
  readonly runner: ServiceContext['runner'];
}

export interface ProposalDeps extends RepairDeps {
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
      const { alertId, instanceName, remoteAgentUuid, isGuarded } = found;
      const connection = {
        connectionId,
        instanceName,
        routed: remoteAgentUuid !== null,
        reconnectWaitSeconds: deps.reconnectWaitSeconds,
      };
      const read = { state, connector, verb, input, connection, alertId, outcome, expiresAt, runAt };
      if (isManualWrite(found.row)) return { ...read, manual: { isGuarded } };
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

const PAGE_SIZE = 200;
/** Temporal starts a delayed run a little after the requested time. */
const START_SLACK_MS = 10_000;
const READY_TO_SEND: ReadonlySet<string> = new Set<ProposalState>(['approved', 'scheduled']);

/** Starts proposals without a run, signals runs that missed a decision, and ends proposals whose run a person ended. */
export async function repairProposals(
  deps: RepairDeps,
  options: { readonly untouchedForSeconds: number; readonly heartbeat: () => void },
): Promise<void> {
  const before = readClock() - options.untouchedForSeconds;
  for (let after: string | null = null; ; ) {
    const page: OpenProposal[] = await listUnended(deps.db, { before, after, limit: PAGE_SIZE });
    for (const proposal of page) {
      options.heartbeat();
      await repairProposal(deps, proposal);
    }
    after = page.at(-1)?.proposalUuid ?? null;
    if (page.length < PAGE_SIZE) return;
  }
}

async function repairProposal(deps: RepairDeps, { proposalUuid, state, heldBecause, runAt }: OpenProposal): Promise<void> {
  const context = serviceContext(deps);
  const handle = deps.client.workflow.getHandle(proposalWorkflowId(proposalUuid));
  try {
    const { status, executionTime } = await handle.describe();
    if (status.name === 'RUNNING') {
      const now = Date.now();
      const dueMs = (runAt ?? 0) * 1000;
      const beginsMs = executionTime?.getTime() ?? 0;
      // A person moved the undo while Temporal was unavailable. The delayed run has not begun, so it receives no signal.
      if (state === 'scheduled' && beginsMs > Math.max(now, dueMs + START_SLACK_MS)) await replaceRun(context, proposalUuid);
      else if (READY_TO_SEND.has(state) && heldBecause === null && dueMs <= now) await handle.signal(PROPOSAL_CHANGED);
      return;
    }
    const message = `The run ended in Temporal (${status.name.toLowerCase()}).`;
    const error = { code: 'Lost', message, third_party_status: null, resolution: 'Check at the third party whether the write happened.' };
    await endProposal(context, catalogue, proposalUuid, { error });
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await startProposal(context, proposalUuid);
  }
}
