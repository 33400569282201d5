import { expect, it, onTestFinished } from 'vitest';
import { leaseOutbox } from '../../db/alerts/outbox.js';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { asService } from '../../services/context.js';
import { registerWrittenPlaybooks } from '../../services/playbooks/register-written.js';
import { startTestService, type TestService, type TestServiceOptions, waitFor } from '../support/service.js';

async function startService(options: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options);
  onTestFinished(() => service.stop());
  await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'QUIET', name: 'Quiet organization' } });
  return service;
}

it('takes alerts with high severity from the outbox first', async () => {
  const service = await startService({ worker: false, env: { TEMPORAL_ADDRESS: '127.0.0.1:1' } });
  const { db, pg } = service.database;
  const ordinary = await service.sendAlert({ alert_type: 'Nothing special' });
  const severe = await service.sendAlert({ alert_type: 'Testbed' });
  await registerWrittenPlaybooks(asService(db), [{ name: 'testbed', severity: 'critical', alertTypes: ['Testbed'] }]);
  const leased = await waitFor('both outbox entries to be free', async () => {
    const wave = await leaseOutbox(pg, { limit: 10, leaseSeconds: 0 });
    return wave.length === 2 && wave;
  });
  expect(leased.map(({ alertId }) => alertId)).toEqual([severe.alert_id, ordinary.alert_id]);
});

it('sets the priority of the playbook and the organization as the fairness key', async () => {
  const service = await startService({ worker: false });
  const alert = await service.sendAlert({ alert_type: 'Testbed' });
  await service.waitForStatus(alert.alert_id, InvestigationStatus.Submitted);
  const { raw } = await service.temporal.workflow.getHandle(alert.alert_id).describe();
  expect(raw.workflowExecutionInfo?.priority).toMatchObject({ priorityKey: 3, fairnessKey: 'DEMO' });
});
