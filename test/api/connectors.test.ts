import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

it('describes the six connector kinds with their fields and skills', async () => {
  const { status, body } = await service.request<{ items: { connector: string; credentials: object[]; skills: { slug: string }[] }[] }>(
    'GET',
    '/platformapi/connectors',
  );
  expect(status).toBe(200);
  expect(body.items.map((item) => item.connector).sort()).toEqual([
    'endpoint-detection',
    'incident-source',
    'malware-protection',
    'threat-intelligence',
    'travel-booking',
    'vulnerability-investigation',
  ]);
  const endpoints = body.items.find((item) => item.connector === 'endpoint-detection');
  expect(endpoints?.credentials).toMatchObject([
    { name: 'tenant_id', secret: false, required: true },
    { name: 'client_id', secret: false, required: true },
    { name: 'client_secret', secret: true, required: true },
  ]);
  expect(endpoints?.skills.map((skill) => skill.slug)).toContain('list-machine-logon-users');
  const malware = body.items.find((item) => item.connector === 'malware-protection');
  expect(malware?.credentials).toMatchObject([{ secret: false }, { secret: true }, { name: 'stream', secret: true, required: false }]);
});
