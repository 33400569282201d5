import { afterAll, beforeAll, expect, it } from 'vitest';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import type { Overview } from '../../domain/case/overview.js';
import { changeAlerts } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { createOrganization, investigate } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

it('counts alerts per status, verdicts and open cases of the organization of the key', async () => {
  for (const code of ['NORTH', 'SOUTH']) await createOrganization(service, code);
  const { Created, Submitted, InProgress, Completed, Failed } = InvestigationStatus;
  // A different number for each status, so that the counts cannot be confused.
  const wanted = [Created, Submitted, Submitted, ...Array(3).fill(InProgress), ...Array(4).fill(Completed), ...Array(5).fill(Failed)];
  for (const [index, status] of wanted.entries()) {
    const { alert_id, alert_uuid } = await service.sendAlert({ organization_code: 'NORTH' });
    const alert = await service.waitForStatus(alert_id, Submitted);
    if (index === wanted.length - 1) await investigate(service, alert);
    await changeAlerts(service, { alertUuid: alert_uuid }, { investigationStatus: status });
  }
  await service.sendAlert({ organization_code: 'SOUTH' });
  const { alert_id } = await service.sendAlert({ organization_code: 'NORTH' });
  const taken = await investigate(service, await service.waitForStatus(alert_id, Submitted));
  await service.request('PATCH', `/platformapi/cases/${taken}`, { body: { status: 'in_progress' } });
  await changeAlerts(service, { alertId: alert_id }, { investigationStatus: Submitted });
  const { api_key: key } = await service.createKey('analyst', 'NORTH');
  const { body } = await service.request<Overview>('GET', '/platformapi/overview?hours=2', { key });
  const sum = (status: Exclude<keyof Overview['alerts'][number], 'at'>) => body.alerts.reduce((all, bucket) => all + bucket[status], 0);
  expect([sum('created'), sum('submitted'), sum('in_progress'), sum('completed'), sum('failed')]).toEqual([1, 3, 3, 4, 5]);
  expect(body).toMatchObject({ verdicts: [{ verdict: 'malicious', cases: 2 }], open_cases: 1, unassigned_cases: 1, proposals_waiting: 0 });
});
