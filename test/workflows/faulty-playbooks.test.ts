import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Context } from '@temporalio/activity';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createLogger } from '../../platform/log.js';
import { readSettings } from '../../platform/settings.js';
import { startWorker } from '../../worker/worker.js';
import { loadBundle } from '../../worker/workflow-bundle.js';
import { quietLog } from '../local/support/scripts.js';
import { replayHistories } from '../support/replay.js';
import { replayAll, startTestService, type TestService, waitFor } from '../support/service.js';
import { testbedSkills } from '../support/testbed.js';

const SOURCE = readFileSync(fileURLToPath(new URL('../support/workflows.ts', import.meta.url)), 'utf8').split('\n');
/** The line of the mistake: the first one after its `case`. */
function findLine(mistake: string): number {
  const at = SOURCE.findIndex((line) => line.includes(`case '${mistake}':`));
  return at + 2 + (SOURCE[at + 1]?.trim().startsWith('//') ? 1 : 0);
}

const logged: string[] = [];
let service: TestService;
beforeAll(async () => {
  const log = createLogger('error', 'test', { to: { write: (line) => void logged.push(line) } });
  service = await startTestService({
    log,
    reconcile: { everySeconds: 1, untouchedForSeconds: 1 },
    skills: testbedSkills(async (question) => {
      if (question === 'awaited') await untilAnotherEnded();
      return 45;
    }),
  });
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

const MAX_MS = 60_000;

const send = (mistake: string) => service.sendAlert({ alert_type: 'Testbed faulty', alert_content: mistake });

async function untilFailed(alertId: string): Promise<string> {
  const ended = await service.waitForStatus(alertId, 15, 20);
  expect(ended).toMatchObject({ investigation_status: 20, investigation_retry_count: 0 });
  return (await service.readCase(alertId)).summary;
}

async function fail(mistake: string): Promise<string> {
  const startedMs = Date.now();
  const summary = await untilFailed((await send(mistake)).alert_id);
  expect(Date.now() - startedMs).toBeLessThan(MAX_MS);
  return summary;
}

describe('many alerts that compute without an end', () => {
  it.each([
    ['loop', 20, `test/support/workflows.ts:${findLine('loop')}.`],
    // Each of them keeps a core busy for seconds.
    [
      'regular expression',
      2,
      'The playbook testbedFaulty (workflows/playbooks/testbed-faulty.ts) computed for several seconds without a wait.',
    ],
  ])('end in status 20, and leave the API and other investigations working: %s', async (mistake, count, summary) => {
    const looping = await Promise.all(Array.from({ length: count }, () => send(mistake)));
    const others = await Promise.all(
      Array.from({ length: 5 }, (_, index) => service.sendAlert({ alert_type: 'Testbed', alert_content: `${mistake} ${index}` })),
    );
    for (const { alert_id: alertId } of others) await service.waitForStatus(alertId, 15);
    for (const { alert_id: alertId } of looping) expect(await untilFailed(alertId)).toContain(summary);
  });
});

describe('a mistake of an author ends in status 20 on the first attempt, with its place', () => {
  it.each(['loop of awaits', 'never', 'type error'])('%s', async (mistake) => {
    expect(await fail(mistake)).toContain(`test/support/workflows.ts:${findLine(mistake)}.`);
  });
});

it('ends a loop of few long turns in status 20, with its file', async () => {
  expect(await fail('slow loop')).toContain('(workflows/playbooks/testbed-faulty.ts) computed for several seconds without a wait.');
});

it('ends in status 20 after the first failed workflow task for an error outside of its steps, with its place', async () => {
  expect(await fail('rejection')).toMatch(
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
  expect(logged.filter((line) => line.includes('the Temporal worker failed'))).toEqual([]);
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

it('refuses two playbooks for one alert type, before it connects to anything', async () => {
  const declarations = [
    { name: 'dataLoss', alertTypes: ['Data loss'] },
    { name: 'bigUpload', alertTypes: ['Upload', 'data  LOSS'] },
  ];
  const started = startWorker({ settings: readSettings({}), log: quietLog, workflows: { bundlePath: '', declarations } });
  await expect(started).rejects.toThrow(
    'workflows/playbooks/data-loss.ts and workflows/playbooks/big-upload.ts both take the alert type "data  LOSS". Remove it from one of them.',
  );
});

it('replays', async () => {
  expect(await replayAll(service)).toBeGreaterThan(5);
});
