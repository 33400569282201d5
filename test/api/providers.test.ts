import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

it('has a unique segment, which the ids of its alerts contain', async () => {
  const created = await service.request<{ segment: string }>('POST', '/platformapi/providers', { body: { name: 'mail gateway 2' } });
  expect(created.status).toBe(201);
  expect(created.body.segment).toBe('MAIL_GATEWAY_2');
  expect((await service.sendAlert({ alert_provider: 'mail gateway 2' })).alert_id).toBe('DEMO-MAIL_GATEWAY_2-1');
  for (const name of ['Mail-Gateway.2', 'mail gateway 2', 'MAIL_GATEWAY 2']) {
    expect(await service.request('POST', '/platformapi/providers', { body: { name } })).toMatchObject({
      status: 409,
      body: { errors: [{ pointer: '#/name' }] },
    });
  }
  expect(await service.request('POST', '/platformapi/providers', { body: { name: 'Case' } })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '#/name' }] },
  });
});

it.each([{ name: 'p'.repeat(65) }, { name: '_' }])('is not created from %j', async (body) => {
  expect(await service.request('POST', '/platformapi/providers', { body })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '#/name' }] },
  });
});
