import { expect } from 'vitest';
import type { CreatedRemoteAgent } from '../../services/agents/wire.js';
import type { TestService } from './service.js';

/** An agent that may receive secrets, because a person of its organization creates it. */
export async function createConfirmedAgent(service: TestService, name: string): Promise<CreatedRemoteAgent> {
  const { api_key: key } = await service.createPerson('admin', 'DEMO');
  const body = { organization_code: 'DEMO', name };
  const reply = await service.request<CreatedRemoteAgent>('POST', '/platformapi/remote-agents', { key, body });
  expect(reply).toMatchObject({ status: 201, body: { confirmed_at: expect.any(Number) } });
  return reply.body;
}
