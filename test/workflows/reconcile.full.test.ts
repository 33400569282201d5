import { expect, it } from 'vitest';
import { changeAlerts } from '../support/rows.js';
import { waitFor } from '../support/service.js';
import { findSchedule, runningAlert, service, setUpReconciler } from './support/reconcile.js';

setUpReconciler();

/** A run waits between two rounds of passes. */
async function listReconciliations(): Promise<{ status: string; passes: number }[]> {
  const found: { status: string; passes: number }[] = [];
  for await (const { workflowId, status } of service.temporal.workflow.list({ query: "WorkflowType = 'reconcile'" })) {
    const { events } = await service.temporal.workflow.getHandle(workflowId).fetchHistory();
    found.push({ status: status.name, passes: events?.filter((event) => event.timerFiredEventAttributes).length ?? 0 });
  }
  return found;
}

const countPasses = async () => (await listReconciliations()).reduce((sum, { passes }) => sum + passes, 0);

it('does not change a running investigation', async () => {
  const alertId = await runningAlert('alive');
  const before = await countPasses();
  await waitFor('two more passes', async () => (await countPasses()) >= before + 2);
  expect((await service.readAlert(alertId)).investigation_status).toBe(10);
  await service.temporal.workflow.getHandle(alertId).terminate();
  await service.waitForStatus(alertId, 20);
});

it('starts an investigation again whose run failed without a saved end, three times', async () => {
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed refusing' });
  await service.waitForStatus(alertId, 20);
  // As if the database had been away when the run wanted to save its failure, each time.
  for (const requeueCount of [1, 2, 3]) {
    await changeAlerts(service, { alertId }, { investigationStatus: 10, completedAt: null });
    await waitFor(`restart ${requeueCount}`, async () => {
      const [row] = await service.database.pg`select requeue_count, investigation_status from alerts where alert_id = ${alertId}`;
      return row?.['requeue_count'] === requeueCount && row['investigation_status'] === 20;
    });
  }
  await changeAlerts(service, { alertId }, { investigationStatus: 10, completedAt: null });
  await service.waitForStatus(alertId, 20);
  expect((await service.readCase(alertId)).summary).toContain('lost 4 times (last: failed): This alert cannot be investigated.');
});

it('makes many passes in one run, and starts another one when a person ends it', async () => {
  await waitFor('three passes of one run', async () => (await listReconciliations()).some(({ passes }) => passes >= 3));
  const open = (await listReconciliations()).filter(({ status }) => status === 'RUNNING');
  expect(open.length).toBeLessThanOrEqual(1);
  const { runningActions } = (await findSchedule().describe()).info;
  const workflowId = runningActions[0]?.workflow.workflowId ?? '';
  await service.temporal.workflow.getHandle(workflowId).terminate('not today');
  const before = await countPasses();
  await waitFor('a pass of the next run', async () => (await countPasses()) > before);
});
