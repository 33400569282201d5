import { z } from 'zod';
import { nameText, storable } from '../../domain/text.js';

export const CreateRemoteAgent = z.strictObject({
  organization_code: storable(32),
  name: nameText(100).describe('Unique within the organization.'),
});
export type CreateRemoteAgent = z.infer<typeof CreateRemoteAgent>;

export const RemoteAgent = z.object({
  agent_id: z.uuid().describe("The value for a connection's `remote_agent`."),
  organization_code: z.string(),
  name: z.string(),
  version: z.string().nullable().describe('The version that the agent reported in its last call.'),
  last_seen_at: z.int().nullable(),
  waiting_steps: z.int().describe('Steps of its connections that the agent has not started yet.'),
  waiting_since: z.int().nullable(),
  created_at: z.int(),
  confirmed_at: z
    .int()
    .nullable()
    .describe('A person of the organization itself created it, or a second admin confirmed it. null: it gets no new credentials.'),
  revoked_at: z.int().nullable(),
});
export type RemoteAgent = z.infer<typeof RemoteAgent>;

export const CreatedRemoteAgent = RemoteAgent.extend({ token: z.string().describe('Shown only once: the service stores only its hash.') });
export type CreatedRemoteAgent = z.infer<typeof CreatedRemoteAgent>;
