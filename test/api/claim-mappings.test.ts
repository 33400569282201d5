import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const map = (value: string, role: string) =>
  service.request<{ mapping_uuid: string }>('POST', '/platformapi/claim-mappings', {
    body: { claim: 'groups', value, role, organization_code: 'DEMO' },
  });

it('is for admins of all organizations, and unique', async () => {
  const { api_key: key } = await service.createKey('admin', 'DEMO');
  const list = (given: string) => service.request('GET', '/platformapi/claim-mappings', { key: given });
  expect([(await list(key)).status, (await list(service.adminKey)).status]).toEqual([403, 200]);
  const made = await map('soc', 'analyst');
  expect(made.status).toBe(201);
  expect((await map('soc', 'admin')).status).toBe(409);
  expect((await map('leads', 'sender')).status).toBe(422);
  const path = `/platformapi/claim-mappings/${made.body.mapping_uuid}`;
  expect((await service.request('DELETE', path)).status).toBe(204);
  expect((await service.request('DELETE', path)).status).toBe(404);
});
