import type { Db, PgClient } from '../../db/client.js';
import { type CallableConnection, findConnectionOwner, readForCall } from '../../db/connections/connection-calls.js';
import { isUuid } from '../../db/ids.js';
import { type SkillRequest, skillRunWorkflowId } from '../../domain/connection/skill.js';
import { type CalledSkill, requireUsable } from '../../domain/connection/skill-call.js';
import { proposalWorkflowId, readProposalId } from '../../domain/response/proposal.js';
import { recordRefusedCall } from '../callers/record-refused-call.js';

interface SkillCaller {
  readonly db: Db;
  readonly pg: PgClient;
  readonly workflowId: string;
}

/**
 * Read again for every call: the connection may have been deleted, broken or paused since it was chosen. No argument of the call is
 * trusted: an unfinished alert, proposal or skill run of the same organization must lead to the connection.
 */
export async function requireUsableConnection(
  { db, pg, workflowId }: SkillCaller,
  skill: CalledSkill,
  request: SkillRequest,
): Promise<CallableConnection> {
  const connection = isOwnWorkflow(request, workflowId) ? await readForCall(pg, skill, toCallRows(request)) : null;
  if (connection === null) await auditRefusal({ db, pg, workflowId }, skill, request);
  return requireUsable(connection);
}

function isOwnWorkflow({ alertId, runId, operationKey }: SkillRequest, workflowId: string): boolean {
  if (runId !== null) return alertId === null && workflowId === skillRunWorkflowId(runId);
  return workflowId === alertId || workflowId === proposalWorkflowId(readProposalId(operationKey));
}

function toCallRows(request: SkillRequest) {
  const { connectionId, alertId, runId, input } = request;
  const proposalId = readProposalId(request.operationKey);
  return {
    connectionUuid: isUuid(connectionId) ? connectionId : null,
    alertId,
    runUuid: runId !== null && isUuid(runId) ? runId : null,
    proposalUuid: isUuid(proposalId) ? proposalId : null,
    input,
  };
}

/** A connection that is gone is no attack: a person deletes it while investigations run. */
async function auditRefusal({ db, pg, workflowId }: SkillCaller, { skillKey }: CalledSkill, { connectionId }: SkillRequest): Promise<void> {
  const organizationUuid = isUuid(connectionId) ? await findConnectionOwner(pg, connectionId) : null;
  if (organizationUuid === null) return;
  const reason = 'No unfinished alert, proposal or skill run of this workflow leads to the connection.';
  await recordRefusedCall({ db }, { organizationUuid, workflowId, activity: skillKey, connectionUuid: connectionId, reason });
}
