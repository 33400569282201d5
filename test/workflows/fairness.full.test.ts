import { expect, it, onTestFinished } from 'vitest';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { startTestService, type TestService, type TestServiceOptions, waitFor } from '../support/service.js';

const LIMIT_MS = 120_000;
const ALERT_TYPE = 'Reported phishing';

async function startService(options: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options);
  onTestFinished(() => service.stop());
  await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'QUIET', name: 'Quiet organization' } });
  return service;
}

async function flood({ sendAlert }: TestService, alerts: number): Promise<string[]> {
  const sent = await Promise.all(Array.from({ length: alerts }, () => sendAlert({ alert_type: ALERT_TYPE })));
  return sent.map(({ alert_id: alertId }) => alertId);
}

async function countHandedOver({ database: { pg } }: TestService): Promise<number> {
  const [row] = await pg<{ count: number }[]>`
    select count(*)::int as count from alerts where investigation_status >= ${InvestigationStatus.Submitted}`;
  return row?.count ?? 0;
}

it(
  "serves another organization's alert before the end of a flood that came first",
  async () => {
    const service = await startService({ worker: false, slots: 2 });
    const ids = await flood(service, 20);
    await waitFor('the flood to be submitted', async () => (await countHandedOver(service)) === ids.length);
    const quiet = await service.sendAlert({ organization_code: 'QUIET', alert_type: ALERT_TYPE });
    await waitFor('all alerts to be submitted', async () => (await countHandedOver(service)) === ids.length + 1);
    await service.startWorker();
    await waitFor('all alerts to be completed', async () => {
      const [open] = await service.database.pg`select from alerts where investigation_status < ${InvestigationStatus.Completed}`;
      return open === undefined;
    });
    const order = await service.database.pg<{ alert_id: string }[]>`select alert_id from alerts order by completed_at, alert_id`;
    expect(order.findIndex(({ alert_id: alertId }) => alertId === quiet.alert_id)).toBeLessThan(ids.length / 2);
  },
  LIMIT_MS,
);

it(
  'holds a flood back in the outbox while another organization sends alerts',
  async () => {
    const service = await startService({ worker: false });
    const quiet = () => service.sendAlert({ organization_code: 'QUIET', alert_type: ALERT_TYPE });
    await quiet();
    const ids = await flood(service, 40);
    const late = await quiet();
    await service.waitForStatus(late.alert_id, InvestigationStatus.Submitted);
    expect(await countHandedOver(service)).toBeLessThan(ids.length);
    // Once a worker runs, the rest of the flood is submitted.
    await service.startWorker();
    await waitFor('the flood to be submitted', async () => (await countHandedOver(service)) === ids.length + 2);
  },
  LIMIT_MS,
);
