import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Rule } from '../../services/notifications/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import { createRule, createWebhook } from '../support/webhook-receiver.js';
import { readAllPages } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const RULES = '/platformapi/notification-rules';

it('is created, replaced as a whole, listed and deleted in its organization', async () => {
  const { channel_id } = await createWebhook(service, 'https://hooks.example/x');
  const rule = await createRule(service, channel_id, { events: ['case.opened'], min_severity: 'critical' });
  await createOrganization(service, 'OTHER');
  const { api_key: stranger } = await service.createKey('admin', 'OTHER');
  const path = `${RULES}/${rule.rule_id}`;
  const replacement = { name: 'Comments', channel_id, events: ['case.commented'] };
  expect((await service.request('PUT', path, { key: stranger, body: replacement })).status).toBe(404);
  expect(await service.request<Rule>('PUT', path, { body: replacement })).toMatchObject({
    status: 200,
    body: { name: 'Comments', events: ['case.commented'], min_severity: null },
  });
  const list = (key: string) => readAllPages<Rule>(service, RULES, { limit: 1, key });
  expect(await list(service.adminKey)).toMatchObject([{ rule_id: rule.rule_id, name: 'Comments' }]);
  expect(await list(stranger)).toEqual([]);
  expect((await service.request('DELETE', path, { key: stranger })).status).toBe(404);
  expect((await service.request('DELETE', path)).status).toBe(204);
  expect(await list(service.adminKey)).toEqual([]);
});
