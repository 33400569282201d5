import { createHash } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { planUndo, type SkillContract } from '../../connectors/kit/define.js';
import type { Topic } from '../../db/changes.js';
import type { Db } from '../../db/client.js';
import { findHold } from '../../db/response/allow-write.js';
import * as runs from '../../db/response/proposal-runs.js';
import { readProposalStart } from '../../db/response/proposal-start.js';
import { describeIssues } from '../../domain/connection/skill-errors.js';
import {
  PROPOSAL_CHANGED,
  type ProposalActivities,
  type ProposalState,
  proposalOperationKey,
  proposalStart,
  proposalWorkflowId,
} from '../../domain/response/proposal.js';
import type { SkillSet } from '../skills/perform-skill.js';
import { withdrawHappened } from './repeated-proposals.js';

export interface ProposalDeps {
  readonly db: Db;
  readonly client: Client;
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
  const { db } = deps;
  const start = (proposal: Pick<runs.StartableProposal, 'proposalUuid'>) =>
    startProposal(deps, Context.current().info.taskQueue, proposal.proposalUuid);
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
      const proposal = await runs.insertProposal(db, { ...draft, proposalKey, skillId });
      if (proposal === null) throw ApplicationFailure.nonRetryable('The connection no longer exists.', 'NotFound');
      const { proposalUuid, state, caution, reason, standsIn } = proposal;
      if (state === 'waiting' && standsIn === null) await start({ proposalUuid });
      return { proposalId: proposalUuid, state, caution, reason, standsIn };
    },

    async readProposal(proposalId) {
      const found = await runs.readProposal(db, proposalId);
      if (found === null) return null;
      const { state, connectorKey: connector, verb, input, connectionUuid: connectionId, outcome, expiresAt, runAt } = found.row;
      const { alertId, instanceName, remoteAgentUuid } = found;
      const connection = {
        connectionId,
        instanceName,
        routed: remoteAgentUuid !== null,
        reconnectWaitSeconds: deps.reconnectWaitSeconds,
      };
      // A write that this service may have sent is looked up by its operation key: it is not the work of another person.
      const check = found.mayBeSent ? {} : { check: { everySeconds: deps.proposalCheckSeconds, proposedAt: found.row.proposedAt } };
      return { state, connector, verb, input, connection, alertId, outcome, expiresAt, runAt, ...check };
    },

    beginProposal: (proposalId) => runs.beginProposal(db, proposalId),
    expireProposal: (proposalId) => runs.expireProposal(db, proposalId),
    withdrawDone: (proposalId) => runs.withdrawDone(db, proposalId),

    async holdProposal(proposalId, because) {
      const held = await runs.holdProposal(db, proposalId, because);
      return held !== null && (await findHold(deps.db, held.organizationUuid, proposalOperationKey(proposalId))) !== null;
    },

    async endProposal(proposalId, end) {
      const found = await runs.readProposal(db, proposalId);
      if (found === null) return;
      await runs.endProposal(db, proposalId, end, planUndo(catalogue, found.row));
      if (!('error' in end)) await withdrawHappened({ catalogue, db, client: deps.client }, found.row, proposalId);
      const undo = await runs.findUndo(db, proposalId);
      if (undo !== null) await start(undo);
    },
  };
}

type IdPolicy = Pick<WorkflowStartOptions, 'workflowIdReusePolicy' | 'workflowIdConflictPolicy'>;
const ONCE: IdPolicy = { workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE };
const REPLACE: IdPolicy = {
  workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
  workflowIdConflictPolicy: WorkflowIdConflictPolicy.TERMINATE_EXISTING,
};

/** The workflow id prevents a second start of a proposal. */
async function startProposal(
  { db, client }: Pick<ProposalDeps, 'db' | 'client'>,
  taskQueue: string,
  proposalUuid: string,
  policy = ONCE,
): Promise<void> {
  const start = await readProposalStart(db, proposalUuid);
  if (start === null) return;
  try {
    await client.workflow.start('proposal', { taskQueue, ...proposalStart(start, Date.now()), ...policy });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

const PAGE_SIZE = 200;
/** Temporal starts a delayed run a little after the requested time. */
const START_SLACK_MS = 10_000;
const READY_TO_SEND: ReadonlySet<string> = new Set<ProposalState>(['approved', 'scheduled']);

/** Starts proposals without a run, signals runs that missed a decision, and ends proposals whose run a person ended. */
export async function repairProposals(
  deps: Pick<ProposalDeps, 'db' | 'client'>,
  options: { taskQueue: string; untouchedForSeconds: number; heartbeat: () => void },
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const page: runs.StartableProposal[] = await runs.listUnended(deps.db, { ...options, after, limit: PAGE_SIZE });
    for (const proposal of page) {
      options.heartbeat();
      await repairProposal(deps, options.taskQueue, proposal);
    }
    after = page.at(-1)?.proposalUuid ?? null;
    if (page.length < PAGE_SIZE) return;
  }
}

async function repairProposal(
  deps: Pick<ProposalDeps, 'db' | 'client'>,
  taskQueue: string,
  proposal: runs.StartableProposal,
): Promise<void> {
  const { db, client } = deps;
  const { proposalUuid, state, heldBecause, runAt } = proposal;
  const handle = client.workflow.getHandle(proposalWorkflowId(proposalUuid));
  try {
    const { status, executionTime } = await handle.describe();
    if (status.name === 'RUNNING') {
      const now = Date.now();
      const dueMs = (runAt ?? 0) * 1000;
      const beginsMs = executionTime?.getTime() ?? 0;
      // A person moved the undo while Temporal was unavailable. The delayed run has not begun, so it receives no signal.
      if (state === 'scheduled' && beginsMs > Math.max(now, dueMs + START_SLACK_MS))
        await startProposal(deps, taskQueue, proposalUuid, REPLACE);
      else if (READY_TO_SEND.has(state) && heldBecause === null && dueMs <= now) await handle.signal(PROPOSAL_CHANGED);
      return;
    }
    const message = `The run ended in Temporal (${status.name.toLowerCase()}).`;
    const error = { code: 'Lost', message, third_party_status: null, resolution: 'Check at the third party whether the write happened.' };
    await runs.endProposal(db, proposalUuid, { error }, null);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await startProposal(deps, taskQueue, proposalUuid);
  }
}
