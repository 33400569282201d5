import { describe, expect, inject, it } from 'vitest';
import { type AlertListItem, InvestigationStatus } from '../../../domain/alert/alert.js';
import { startRelay } from '../../support/relay.js';
import { changeAlerts } from '../../support/rows.js';
import { startedEagerly, startTestService, waitFor } from '../../support/service.js';
import { createOrganization } from '../support/records.js';

describe('the dispatcher while Temporal is down', () => {
  it('keeps every accepted alert and starts them all when Temporal is back', async () => {
    const relay = await startRelay(inject('temporalAddress'));
    const service = await startTestService({ env: { TEMPORAL_ADDRESS: relay.address } });
    try {
      const before = await service.sendAlert();
      await service.waitForStatus(before.alert_id, 15);
      await relay.interrupt();
      const sent: AlertListItem[] = [];
      for (let n = 0; n < 10; n += 1) sent.push(await service.sendAlert({ alert_content: `during the outage ${n}` }));
      await waitFor('the outage to be reported', async () => {
        const { body } = await service.request<{ status: string }>('GET', '/readyz');
        return body.status === 'degraded';
      });
      expect((await service.readAlert(sent[0]?.alert_id ?? '')).investigation_status).toBe(0);
      await relay.resume();
      for (const alert of sent) expect((await service.waitForStatus(alert.alert_id, 15, 20)).investigation_status).toBe(15);
      const [row] = await service.database.pg`select count(*)::int as cases from cases`;
      expect(row).toEqual({ cases: sent.length + 1 });
    } finally {
      await service.stop();
      await relay.interrupt();
    }
  });
});

it('notifies the other processes when more alerts wait than one process can start', async () => {
  // Without a worker, because only the starts count.
  const service = await startTestService({ worker: false });
  try {
    const { pg } = service.database;
    let announced = 0;
    await pg.listen('alerts_ready', () => {
      announced += 1;
    });
    const lone = await service.sendAlert({ alert_type: 'Announced' });
    await service.waitForStatus(lone.alert_id, InvestigationStatus.Submitted);
    expect(announced).toBe(0);
    // A lease from the start keeps the alerts in the outbox until all of them wait there.
    await pg`alter table alerts alter column lease_until set default now() + interval '1 hour'`;
    await Promise.all(Array.from({ length: 120 }, () => service.sendAlert({ alert_type: 'Announced' })));
    await pg`alter table alerts alter column lease_until drop default`;
    await changeAlerts(service, { dispatchedNo: 0 }, { leaseUntil: null });
    await waitFor('a notification', async () => announced > 0);
  } finally {
    await service.stop();
  }
});

it('starts an alert on the colocated worker without the task queue, unless several organizations send alerts', async () => {
  const service = await startTestService();
  try {
    await waitFor('a run that bypasses the task queue', async () => startedEagerly(service, (await service.sendAlert()).alert_id));
    await createOrganization(service, 'SECOND');
    const { alert_id: second } = await service.sendAlert({ organization_code: 'SECOND' });
    await service.waitForStatus(second, 15);
    const { alert_id: next } = await service.sendAlert();
    expect(await startedEagerly(service, next)).toBe(false);
  } finally {
    await service.stop();
  }
});
