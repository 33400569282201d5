import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createLogger } from '../../../platform/log.js';
import { startTestService, type TestServiceOptions } from '../../support/service.js';
import { testbedSkills } from '../../support/testbed.js';

/** The lines of the test playbooks. */
export const SOURCE = readFileSync(fileURLToPath(new URL('../../support/workflows.ts', import.meta.url)), 'utf8').split('\n');
export const LONG_COMPUTATION =
  'The playbook testbedFaulty (workflows/playbooks/testbed-faulty.ts) computed for several seconds without a wait.';
const MAX_MS = 60_000;

/** The line of the mistake: the first one after its `case`. */
export function findLine(mistake: string): number {
  const at = SOURCE.findIndex((line) => line.includes(`case '${mistake}':`));
  return at + 2 + (SOURCE[at + 1]?.trim().startsWith('//') ? 1 : 0);
}

export type FaultyKit = Awaited<ReturnType<typeof startFaultyKit>>;

/** Starts a service whose alerts select an author's mistake by their content. */
export async function startFaultyKit({ skills = testbedSkills(async () => 45) }: Pick<TestServiceOptions, 'skills'> = {}) {
  const logged: string[] = [];
  const log = createLogger('error', 'test', { to: { write: (line) => void logged.push(line) } });
  const service = await startTestService({ log, reconcile: { everySeconds: 1, untouchedForSeconds: 1 }, skills });
  const send = (mistake: string) => service.sendAlert({ alert_type: 'Testbed faulty', alert_content: mistake });

  async function untilFailed(alertId: string): Promise<string> {
    const ended = await service.waitForStatus(alertId, 15, 20);
    expect(ended).toMatchObject({ investigation_status: 20, investigation_retry_count: 0 });
    return (await service.readCase(alertId)).summary;
  }

  return {
    service,
    listWorkerFailures: () => logged.filter((line) => line.includes('the Temporal worker failed')),
    /** Returns the summary of the failed case. */
    async fail(mistake: string): Promise<string> {
      const startedMs = Date.now();
      const summary = await untilFailed((await send(mistake)).alert_id);
      expect(Date.now() - startedMs).toBeLessThan(MAX_MS);
      return summary;
    },
    /** Expects that alerts with the mistake fail while others complete. */
    async failBesideOthers({ mistake, count, summary }: { mistake: string; count: number; summary: string }): Promise<void> {
      const looping = await Promise.all(Array.from({ length: count }, () => send(mistake)));
      const others = await Promise.all(
        Array.from({ length: 5 }, (_, index) => service.sendAlert({ alert_type: 'Testbed', alert_content: `${mistake} ${index}` })),
      );
      for (const { alert_id: alertId } of others) await service.waitForStatus(alertId, 15);
      for (const { alert_id: alertId } of looping) expect(await untilFailed(alertId)).toContain(summary);
    },
  };
}
