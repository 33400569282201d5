import { takeSilentAgents } from '../../db/agents/remote-agents.js';
import { AGENT_AWAY_AFTER_SECONDS } from '../../domain/connection/remote-agent.js';
import { inTransaction, type WorkContext } from '../context.js';
import { recordEvent } from '../events/record-event.js';

/** Agents that were there and do not respond any more. */
export function announceSilentAgents(context: WorkContext): Promise<void> {
  return inTransaction(context, async ({ db, now }) => {
    for (const { agentUuid, organizationUuid, name, lastSeenAt } of await takeSilentAgents(db, AGENT_AWAY_AFTER_SECONDS, now())) {
      const data = { agent_id: agentUuid, name, last_seen_at: lastSeenAt };
      await recordEvent(db, { name: 'agent.away', organizationUuid, subjectUuid: agentUuid, data });
    }
  });
}
