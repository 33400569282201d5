import type { Database } from '../../db/client.js';
import {
  storeAgentStep,
  storeChatIdentity,
  storeDelivery,
  storeInboxEntry,
  storeProposal,
  storeSkillResult,
  storeSkillRun,
} from '../../test/support/rows.js';

interface Owner {
  readonly marker: string;
  readonly ids: ReadonlyMap<string, string>;
  readonly organizationUuid: string;
  readonly alertUuid: string;
  readonly userUuid: string;
}

/** Records that no request of an admin creates: investigations, third parties, a remote agent, Slack and the router of events write them. */
export async function storeRecords(database: Database, { marker, ids, organizationUuid, alertUuid, userUuid }: Owner): Promise<void> {
  const stored = { database };
  const idOf = (name: string) => ids.get(name) ?? '';
  const connectionUuid = idOf('connection_id');
  await storeSkillResult(stored, { organizationUuid, connectionUuid, alertUuid, output: { marker } });
  await storeSkillRun(stored, { organizationUuid, connectionUuid, input: { marker } });
  await storeProposal(stored, { organizationUuid, connectionUuid, alertUuid, reason: marker });
  await storeAgentStep(stored, { agentUuid: idOf('agent_id'), connectionUuid, alertUuid, request: { marker } });
  await storeDelivery(stored, { organizationUuid, channelUuid: idOf('channel_id'), lastError: marker });
  await storeInboxEntry(stored, { organizationUuid, userUuid });
  await storeChatIdentity(stored, { userUuid, chatUserName: marker });
}
