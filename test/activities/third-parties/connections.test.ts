import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ActivityDeps, createActivities } from '../../../activities/index.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createConnection } from '../../support/with-third-parties.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

it('stores the key of a skill that a waiting run of an earlier build names only by its title', async () => {
  const connectionId = await createConnection(service, {
    connector: 'threat-intelligence',
    instance_name: 'Intelligence',
    settings: { api_host: 'https://api.invalid' },
    credentials: { api_key: 'key' },
  });
  const { alert_id: alertId } = await service.sendAlert();
  const { parkOnConnection } = createActivities({ ...service.database } as unknown as ActivityDeps);
  const waiter = { connectionId, generation: 1, workflowId: alertId, alertId, reason: '401', untilSeconds: 4_000_000_000 };
  expect(await parkOnConnection({ ...waiter, skillId: 'List Alerts' })).toBe(true);
  const { body } = await service.request('GET', `/platformapi/alerts/${alertId}`);
  expect(body).toMatchObject({ waiting_on: [{ skill_id: 'List Alerts', skill_key: 'threatIntelligence.listAlerts' }] });
});
