import type { ProposalRow } from '../../db/response/proposal-rows.js';
import { PROPOSAL_CHANGED, proposalWorkflowId } from '../../domain/response/proposal.js';
import type { Inside, ServiceContext } from '../context.js';

/** After the commit, because the workflow reads the row. If the signal is lost, the reconcile pass wakes the workflow. */
export function wakeProposals({ runner, afterCommit }: Inside<ServiceContext>, rows: readonly Pick<ProposalRow, 'proposalUuid'>[]): void {
  const workflowIds = rows.map(({ proposalUuid }) => proposalWorkflowId(proposalUuid));
  afterCommit(() => runner.signal(workflowIds, PROPOSAL_CHANGED));
}
