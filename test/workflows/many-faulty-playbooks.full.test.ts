import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { waitFor } from '../support/service.js';
import { type FaultyKit, findLine, LONG_COMPUTATION, startFaultyKit } from './support/faulty-kit.js';

let kit: FaultyKit;
beforeAll(async () => {
  kit = await startFaultyKit();
});
afterAll(() => kit.service.stop());

it.each([
  ['loop', 20, `test/support/workflows.ts:${findLine('loop')}.`],
  // Each of them keeps a core busy for seconds.
  ['regular expression', 2, LONG_COMPUTATION],
])('many alerts that compute without an end leave the API and other investigations working: %s', (mistake, count, summary) =>
  kit.failBesideOthers({ mistake, count, summary }),
);

it('ends a loop of few long turns in status 20, with its file', async () => {
  expect(await kit.fail('slow loop')).toContain('(workflows/playbooks/testbed-faulty.ts) computed for several seconds without a wait.');
});

it('keeps the worker when it ends the threads of endless computations', () => {
  expect(kit.listWorkerFailures()).toEqual([]);
});

it('ends no run that only waits for a core, as on a busy machine', async () => {
  const cpu = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
  onTestFinished(() => cpu.mockRestore());
  const { alert_id: alertId } = await kit.service.sendAlert({ alert_type: 'Testbed faulty', alert_content: 'regular expression' });
  await kit.service.waitForStatus(alertId, 10);
  cpu.mockClear();
  await waitFor('three checks after the usual limit', async () => cpu.mock.calls.filter(([before]) => before).length >= 3);
  expect((await kit.service.readAlert(alertId)).investigation_status).toBe(10);
  cpu.mockRestore();
  await kit.service.waitForStatus(alertId, 20);
});
