import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Delivery } from '../../services/notifications/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import { createWebhook, storeFailedDelivery } from '../support/webhook-receiver.js';
import { readAllPages } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const DELIVERIES = '/platformapi/notification-deliveries';

it('is listed with its error and replayed once, in its organization', async () => {
  const { channel_id: channelId } = await createWebhook(service, 'https://hooks.example/x');
  await storeFailedDelivery(service, channelId, 'The receiver answered with HTTP 500.');
  await createOrganization(service, 'OTHER');
  const { api_key: stranger } = await service.createKey('admin', 'OTHER');
  const list = (query: string, key = service.adminKey) => readAllPages<Delivery>(service, `${DELIVERIES}?${query}`, { limit: 1, key });
  const [failed] = await list(`channel_id=${channelId}&state=failed`);
  expect(failed).toMatchObject({ state: 'failed', last_error: 'The receiver answered with HTTP 500.' });
  expect(await list('state=delivered')).toEqual([]);
  expect(await list('state=failed', stranger)).toEqual([]);
  const replay = (key: string) => service.request<Delivery>('POST', `${DELIVERIES}/${failed?.delivery_id}/replay`, { key });
  expect((await replay(stranger)).status).toBe(404);
  expect(await replay(service.adminKey)).toMatchObject({ status: 200, body: { state: 'pending', event_id: failed?.event_id } });
  expect((await replay(service.adminKey)).status).toBe(409);
});
