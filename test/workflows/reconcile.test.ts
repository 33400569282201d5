import { WorkflowNotFoundError } from '@temporalio/client';
import { expect, it, onTestFinished } from 'vitest';
import { skillRetryPolicy } from '../../domain/investigation/retry-policy.js';
import { changeAlerts } from '../support/rows.js';
import { waitFor } from '../support/service.js';
import { findSchedule, release, runningAlert, service, setUpReconciler } from './support/reconcile.js';

setUpReconciler();

/** A cancelled reconciliation ends after its current pass. */
async function endRunningPasses(): Promise<void> {
  for await (const { workflowId } of service.temporal.workflow.list({
    query: "WorkflowType = 'reconcile' and ExecutionStatus = 'Running'",
  }))
    await service.temporal.workflow.getHandle(workflowId).cancel();
  await waitFor('the running pass to end', async () => (await findSchedule().describe()).info.runningActions.length === 0);
}

/** Deleting a run terminates it first. A reconciliation pass in between would see a terminated run, not a lost one. */
async function loseRun(alertId: string): Promise<void> {
  const { TEMPORAL_NAMESPACE: namespace } = service.settings;
  const schedule = findSchedule();
  await schedule.pause();
  await endRunningPasses();
  await service.temporal.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId: alertId } });
  await waitFor('the run to be lost', async () => {
    const isThere = service.temporal.workflow.getHandle(alertId).describe();
    return isThere.then(
      () => false,
      (error: unknown) => error instanceof WorkflowNotFoundError,
    );
  });
  await schedule.unpause();
}

it('fails an alert whose run was terminated, with the reason on its case', async () => {
  const alertId = await runningAlert('terminated');
  await service.temporal.workflow.getHandle(alertId).terminate('not worth it');
  const failed = await service.waitForStatus(alertId, 20);
  expect(failed.completed_at).not.toBeNull();
  expect((await service.readCase(alertId)).summary).toContain('terminated in Temporal');
});

it('restarts an investigation that Temporal lost', async () => {
  const alertId = await runningAlert('lost');
  const caseBefore = (await service.readCase(alertId)).case_id;
  await loseRun(alertId);
  release();
  const done = await service.waitForStatus(alertId, 15, 20);
  expect(done.investigation_status).toBe(15);
  expect((await service.readCase(alertId)).case_id).toBe(caseBefore);
  const [row] = await service.database.pg`select requeue_count, investigation_no from alerts where alert_id = ${alertId}`;
  expect(row).toMatchObject({ requeue_count: 1, investigation_no: 1 });
});

it('counts lost and restarted runs as retries, and never counts down', async () => {
  const alertId = await runningAlert('lost after a retry');
  const seen: number[] = [];
  const watch = async () => {
    const { investigation_retry_count: count, investigation_status: status } = await service.readAlert(alertId);
    seen.push(count);
    return status === 15 || status === 20;
  };
  // As if this run was the second attempt.
  await changeAlerts(service, { alertId }, { investigationRetryCount: 1 });
  await loseRun(alertId);
  release();
  await waitFor('the restarted run to end', watch);
  const done = await service.readAlert(alertId);
  expect(done).toMatchObject({ investigation_status: 15, investigation_retry_count: 2 });
  expect(seen).toEqual(seen.toSorted());
  const { evidence } = await service.readCase(alertId);
  expect(new Set(evidence.map(({ attempt }) => attempt))).toEqual(new Set([3]));
  const { events } = await service.temporal.workflow.getHandle(alertId).fetchHistory();
  const attempts = events?.flatMap(({ activityTaskScheduledEventAttributes: asked }) => asked?.retryPolicy?.maximumAttempts ?? []);
  expect(new Set(attempts)).toEqual(new Set([skillRetryPolicy(2).maximumAttempts]));
});

it('stops restarting an alert that is lost repeatedly', async () => {
  const alertId = await runningAlert('cursed');
  await changeAlerts(service, { alertId }, { requeueCount: 3 });
  await loseRun(alertId);
  await service.waitForStatus(alertId, 20);
  expect((await service.readCase(alertId)).summary).toContain('lost 4 times');
});

it('recovers an alert that Temporal accepted but never ran', async () => {
  release();
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'never began' });
  await service.waitForStatus(alertId, 15);
  await waitFor(
    'the run to close',
    async () => (await service.temporal.workflow.getHandle(alertId).describe()).status.name === 'COMPLETED',
  );
  // As if the run's writes were lost by restoring an older database.
  await changeAlerts(service, { alertId }, { investigationStatus: 5, completedAt: null });
  const done = await service.waitForStatus(alertId, 15, 20);
  expect(done.investigation_status).toBe(15);
});

it('recovers investigations while another pass fails', async () => {
  const { pg } = service.database;
  const alertId = await runningAlert('beside a failing pass');
  await pg`alter table agent_steps rename to agent_steps_elsewhere`;
  onTestFinished(async () => void (await pg`alter table agent_steps_elsewhere rename to agent_steps`));
  await loseRun(alertId);
  release();
  // The API reads the steps of agents with the alert.
  await waitFor(
    'the verdict',
    async () => (await pg`select from alerts where alert_id = ${alertId} and investigation_status = 15`).length > 0,
  );
});
