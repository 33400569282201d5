import { afterAll, beforeAll, expect, it } from 'vitest';
import { readClock } from '../../services/context.js';
import { beginInvestigation } from '../../services/investigations/begin.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

it('the retry count does not decrease when an earlier attempt begins late', async () => {
  const { pg } = service.database;
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Odd sign-in' });
  const playbookUuid = await waitFor('the playbook', async () => {
    const [playbook] = await pg<{ playbookUuid: string }[]>`select playbook_uuid as "playbookUuid" from playbooks limit 1`;
    return playbook?.playbookUuid ?? null;
  });
  const beginAttempt = (attempt: number) =>
    beginInvestigation({ pg, now: readClock }, { alertId, investigationNo: 1 }, { attempt, playbookUuid, entities: [], title: 'Test' });
  expect(await beginAttempt(3)).toMatchObject({ retryCount: 2 });
  expect(await beginAttempt(1)).toMatchObject({ retryCount: 2 });
  expect((await service.readAlert(alertId)).investigation_retry_count).toBe(2);
});
