import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { catalogue } from '../../connectors/catalogue.js';
import { listUnended, type OpenProposal } from '../../db/response/proposal-rows.js';
import { PROPOSAL_CHANGED, type ProposalState, proposalWorkflowId } from '../../domain/response/proposal.js';
import type { ServiceContext } from '../context.js';
import { type SweepRun, sweep } from '../reconciler/sweep.js';
import { endProposal } from './end.js';
import { replaceRun, startProposal } from './start-workflow.js';

/** Temporal starts a delayed run a little after the requested time. */
const START_SLACK_MS = 10_000;
const READY_TO_SEND: ReadonlySet<string> = new Set<ProposalState>(['approved', 'scheduled']);

/** Starts proposals without a run, signals runs that missed a decision, and ends proposals whose run a person ended. */
export function repairProposals(
  context: ServiceContext,
  { client, untouchedForSeconds }: { readonly client: Client; readonly untouchedForSeconds: number },
  run: SweepRun,
): Promise<string | null> {
  const before = context.now() - untouchedForSeconds;
  return sweep<OpenProposal>(run, {
    list: (after, limit) => listUnended(context.db, { before, after, limit }),
    keyOf: ({ proposalUuid }) => proposalUuid,
    handle: (proposal) => repairProposal(context, client, proposal),
  });
}

async function repairProposal(
  context: ServiceContext,
  { workflow }: Client,
  { proposalUuid, state, heldBecause, runAt }: OpenProposal,
): Promise<void> {
  const handle = workflow.getHandle(proposalWorkflowId(proposalUuid));
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
