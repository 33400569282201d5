import { describe, expect, it } from 'vitest';
import { followUpWorkflowId } from '../../domain/investigation/investigation.js';
import { readClock } from '../../services/context.js';
import { planFollowUp } from '../../services/follow-ups/plan.js';
import { ago, changeConnections, changeFollowUps, storeEndedFollowUps } from '../support/rows.js';
import { replayAll, waitFor } from '../support/service.js';
import { again, answerWith, asked, IN_TURN, investigated, service, setUpOverTime } from './support/over-time.js';

setUpOverTime();

describe('a re-run', () => {
  it('that reuses results needs no remote agent for them', async () => {
    const alertId = await investigated('routed');
    const body = { organization_code: 'DEMO', name: 'away' };
    const agent = (await service.request<{ agent_id: string }>('POST', '/platformapi/remote-agents', { body })).body.agent_id;
    const testbed = { connectorKind: 'testbed' };
    await changeConnections(service, testbed, { remoteAgentUuid: agent });
    try {
      await again(alertId, { reuse: true });
      expect(asked).toEqual([]);
    } finally {
      await changeConnections(service, testbed, { remoteAgentUuid: null });
    }
  });
});

describe('a follow-up', () => {
  const findFollowUp = async (alertId: string, investigationNo = 1) => {
    const [row] = await service.database.pg<{ due_in_hours: number; outcome: string | null; reason: string }[]>`
      select round(extract(epoch from due_at - follow_ups.created_at) / 3600)::int as due_in_hours, outcome, reason
      from follow_ups join alerts using (alert_uuid) where alert_id = ${alertId} and follow_ups.investigation_no = ${investigationNo}`;
    return row;
  };
  const serviceContext = () => ({ by: null, db: service.database.db, runner: service.runner, now: readClock });
  const makeDue = async (alertId: string) => {
    const { alert_uuid: alertUuid } = await service.readAlert(alertId);
    await changeFollowUps(service, { alertUuid, endedAt: null }, { dueAt: ago({ hours: 1 }) });
  };
  const followUpHandle = (alertId: string, investigationNo = 1) =>
    service.temporal.workflow.getHandle(followUpWorkflowId({ alertId, investigationNo }));
  const startNow = (alertId: string, workflowId = `now-${alertId}`) =>
    service.temporal.workflow.execute('followUp', {
      workflowId,
      taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
      args: [{ alertId, investigationNo: 1 }],
    });
  const waitForOutcome = (alertId: string) => waitFor('the follow-up to end', async () => (await findFollowUp(alertId))?.outcome);
  /** Deletes the run in Temporal, as if its start was lost. */
  const deleteRun = async (alertId: string) => {
    const workflowExecution = { workflowId: followUpWorkflowId({ alertId, investigationNo: 1 }) };
    await service.temporal.workflowService.deleteWorkflowExecution({ namespace: service.settings.TEMPORAL_NAMESPACE, workflowExecution });
    await waitFor('the run to be deleted', () =>
      followUpHandle(alertId)
        .describe()
        .then(
          () => false,
          () => true,
        ),
    );
  };

  it('starts when due although its start was lost, and a changed verdict reopens the case', async () => {
    const alertId = await investigated('watch a lost one');
    const { case_id: caseId } = await service.readCase(alertId);
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { body: { status: 'closed' } });
    answerWith(async () => 50);
    await deleteRun(alertId);
    await makeDue(alertId);
    expect(await waitForOutcome(alertId)).toBe('Requested investigation 2.');
    await service.waitForStatus(alertId, 15);
    const detail = await waitFor('the second investigation', async () => {
      const current = await service.readCase(alertId);
      return current.investigations[0]?.investigation_no === 2 && current.investigations[0].status === 'Completed' ? current : null;
    });
    expect(detail).toMatchObject({ status: 'open', verdict: 'malicious' });
    expect(detail.timeline.find(({ kind }) => kind === 'reinvestigated')).toMatchObject({
      by: null,
      text: 'Requested investigation 2, as planned by investigation 1: more may be known by then',
    });
    expect(await findFollowUp(alertId, 2)).toMatchObject({ outcome: null });
  });

  it('starts no investigation after another one was requested, and never two', async () => {
    const alertId = await investigated('watch an early one');
    await again(alertId);
    expect(await startNow(alertId)).toBe('Skipped: investigation 2 was requested first.');
    expect(await startNow(alertId)).toBe('Skipped: investigation 2 was requested first.');
    expect((await service.readCase(alertId)).investigations).toHaveLength(2);
  });

  it('starts the investigation after the previous one if it is due while that one runs', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { alert_id: alertId } = await service.sendAlert({ alert_type: IN_TURN, alert_content: 'slow' });
    answerWith(async () => {
      await held;
      return 30;
    });
    await service.waitForStatus(alertId, 10);
    await planFollowUp(serviceContext(), { alertId, investigationNo: 1 }, { afterHours: 1, reason: 'x' });
    // As if it was due by now: the planned run begins in an hour.
    await deleteRun(alertId);
    expect(await startNow(alertId, followUpWorkflowId({ alertId, investigationNo: 1 }))).toBe(
      'Investigation 1 still runs. The follow-up begins after it.',
    );
    await makeDue(alertId);
    expect(await findFollowUp(alertId, 1)).toMatchObject({ outcome: null });
    release();
    await service.waitForStatus(alertId, 15);
    expect(await waitForOutcome(alertId)).toBe('Requested investigation 2.');
  });

  it('starts no investigation when its run was terminated in Temporal', async () => {
    const alertId = await investigated('watch a terminated one');
    await followUpHandle(alertId).terminate('no need');
    await makeDue(alertId);
    expect(await waitForOutcome(alertId)).toBe('The run ended in Temporal (terminated).');
    expect((await service.readCase(alertId)).investigations).toHaveLength(1);
  });

  it('is planned once per investigation and at most ten times per alert', async () => {
    const alertId = await investigated('watch one that never ends');
    const plan = (investigationNo: number) => planFollowUp(serviceContext(), { alertId, investigationNo }, { afterHours: 1, reason: 'x' });
    expect(await plan(1)).toBe(false);
    await storeEndedFollowUps(service, alertId, 9);
    const { timeline } = await again(alertId);
    expect(await findFollowUp(alertId, 2)).toBeUndefined();
    expect(timeline.filter(({ kind }) => kind === 'follow-up')).toHaveLength(1);
    expect(await plan(7)).toBe(false);
  });
});

it('leaves histories that replay', async () => {
  expect(await replayAll(service)).toBeGreaterThan(12);
});
