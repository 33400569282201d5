import { lockAgent, setAgentRevoked } from '../../db/agents/remote-agents.js';
import { recordAudit } from '../../db/identity/audit.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';

/** Revoking twice changes nothing. */
export function revokeAgent(context: Context, agentUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by, now }) => {
    const agent = await lockAgent(db, by.organizationUuid, agentUuid);
    if (agent === null) throw notFound('remote agent with this id');
    if (agent.revokedAt !== null) return;
    await setAgentRevoked(db, agentUuid, now());
    const { organizationUuid, name } = agent;
    await recordAudit(db, { by, organizationUuid, action: 'remote-agent.revoke', target: agentUuid, details: { name } });
  });
}
