import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { inviteAndJoin } from '../support/users.js';
import type { List } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await createOrganization(service, 'OTHER');
});
afterAll(() => service.stop());

it('lists the people of an organization and of its provider, and no sender, stranger or revoked key', async () => {
  const { api_key: key } = await service.createKey('analyst', 'DEMO', { name: 'dana' });
  const { api_key: foreign } = await service.createKey('analyst', 'OTHER', { name: 'nia' });
  await service.createKey('sender', 'DEMO', { name: 'siem' });
  await service.createKey('analyst', null, { name: 'provider' });
  const gone = await service.createKey('analyst', 'DEMO', { name: 'gone' });
  await service.request('DELETE', `/platformapi/api-keys/${gone.key_uuid}`);
  const { name: user } = await inviteAndJoin(service, 'analyst', 'DEMO');
  const path = '/platformapi/organizations/DEMO/people';
  const { body } = await service.request<List<{ name: string }>>('GET', path, { key });
  const names = body.items.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['dana', 'provider', user]));
  for (const name of ['nia', 'siem', 'gone']) expect(names).not.toContain(name);
  expect((await service.request('GET', path, { key: foreign })).status).toBe(404);
});
