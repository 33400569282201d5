import { findAgentFacts } from '../../db/agents/remote-agents.js';
import type { Transaction } from '../../db/client.js';
import { conflict } from '../errors.js';

/** An agent reads the secrets of its connections in cleartext, so no admin may route new ones to an agent that only this admin knows. */
export async function requireConfirmedAgent(db: Transaction, agentUuid: string | null): Promise<void> {
  const agent = agentUuid === null ? null : await findAgentFacts(db, agentUuid);
  if (agent === null || agent.confirmedAt !== null) return;
  const resolution = 'A second admin must confirm it first (Settings → Remote agents).';
  throw conflict(`The remote agent ${agent.name} would receive the credentials in cleartext, and it is not confirmed. ${resolution}`);
}
