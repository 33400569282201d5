import { Context } from '@temporalio/activity';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { loadBundle } from '../../worker/workflow-bundle.js';
import { replayHistories } from '../support/replay.js';
import { replayAll, type TestService, waitFor } from '../support/service.js';
import { testbedSkills } from '../support/testbed.js';
import { type FaultyKit, findLine, SOURCE, startFaultyKit } from './support/faulty-kit.js';

let kit: FaultyKit;
let service: TestService;
beforeAll(async () => {
  kit = await startFaultyKit({
    skills: testbedSkills(async (question) => {
      if (question === 'awaited') await untilAnotherEnded();
      return 45;
    }),
  });
  service = kit.service;
});
/** Within a question: waits until the history of its run has the end of another one. */
async function untilAnotherEnded(): Promise<void> {
  const { activityType, workflowExecution } = Context.current().info;
  const run = service.temporal.workflow.getHandle(workflowExecution?.workflowId ?? '');
  await waitFor('the end of another question', async () => {
    const { events } = await run.fetchHistory();
    const asked = events?.filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === activityType);
    const ended = events?.map((event) => event.activityTaskCompletedEventAttributes?.scheduledEventId?.toString());
    return asked?.some(({ eventId }) => ended?.includes(eventId?.toString()));
  });
}
afterAll(() => service.stop());

it('ends alerts that compute without an end in status 20, and leaves the API and other investigations working', () =>
  kit.failBesideOthers({ mistake: 'loop', count: 2, summary: `test/support/workflows.ts:${findLine('loop')}.` }));

describe('a mistake of an author ends in status 20 on the first attempt, with its place', () => {
  it.each(['loop of awaits', 'never', 'type error', 'not a number'])('%s', async (mistake) => {
    expect(await kit.fail(mistake)).toContain(`test/support/workflows.ts:${findLine(mistake)}.`);
  });
});

it('ends in status 20 after the first failed workflow task for an error outside of its steps, with its place', async () => {
  expect(await kit.fail('rejection')).toMatch(
    new RegExp(`RangeError: nobody awaits this\\. Place: test/support/workflows\\.ts:${findLine('rejection')}\\.`),
  );
});

describe('a call that nothing awaits', () => {
  const LINE = SOURCE.findIndex((line) => line.includes('void skills.testbed.ask')) + 1;

  it.each([
    ['the playbook ended before it', 'hurry', 'The playbook ended before this call'],
    ['it ended before the playbook', 'wait', 'The playbook did not wait for this call'],
  ])('is a gap of the case with its place: %s', async (_, content, reason) => {
    const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed hasty', alert_content: content });
    await service.waitForStatus(alertId, 15);
    const gaps = (await service.readCase(alertId)).evidence.filter(({ kind }) => kind === 'gap');
    expect(gaps).toMatchObject([{ title: 'Not awaited: skills.testbed.ask', reason: expect.stringContaining(reason) }]);
    expect(gaps[0]?.reason).toContain(`Place: test/support/workflows.ts:${LINE}.`);
  });
});

it('keeps the worker when it ends the thread of an endless computation', () => {
  expect(kit.listWorkerFailures()).toEqual([]);
});

it('versions a change of steps: a new run uses the new ones and records it', async () => {
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed patched' });
  await service.waitForStatus(alertId, 15);
  expect((await service.readCase(alertId)).evidence).toContainEqual(expect.objectContaining({ title: 'Path', reason: 'new' }));
  const { events } = await service.temporal.workflow.getHandle(alertId).fetchHistory();
  expect(events?.some(({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_patch')).toBe(true);
});

it('continues a run of the code before a versioned change with the old steps', async () => {
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed unpatched' });
  await service.waitForStatus(alertId, 15);
  // The status changes in the first task of the run, whose end may not be in the history yet.
  await service.temporal.workflow.getHandle(alertId).result();
  const errors: unknown[] = [];
  for await (const { error } of replayHistories(asWorkflows(alertId, ['testbedPatched', 'testbed']))) errors.push(error);
  // The other one has other steps.
  expect(errors).toEqual([undefined, expect.objectContaining({ message: expect.stringContaining('ondeterminism') })]);
});

/** The history of a run as one of other workflows. */
async function* asWorkflows(workflowId: string, names: readonly string[]) {
  for (const name of names) {
    const history = await service.temporal.workflow.getHandle(workflowId).fetchHistory();
    const type = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType;
    if (type) type.name = name;
    yield { workflowId, history };
  }
}

it('shows the build that judged each case', async () => {
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed', alert_content: 'which build' });
  await service.waitForStatus(alertId, 15);
  const { buildId } = await loadBundle(inject('workflowBundlePath'));
  expect((await service.readCase(alertId)).investigations).toMatchObject([{ build: buildId }]);
});

it('replays', async () => {
  expect(await replayAll(service)).toBeGreaterThan(5);
});
