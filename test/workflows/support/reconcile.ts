import { afterAll, beforeAll } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';
import { testbedSkills } from '../../support/testbed.js';

export let service: TestService;
let held = true;

/** The service makes a pass each second. Its investigations wait until `release`. */
export function setUpReconciler(): void {
  beforeAll(async () => {
    service = await startTestService({
      reconcile: { everySeconds: 1, untouchedForSeconds: 0 },
      skills: testbedSkills(async (_question, signal) => {
        if (held) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        return 1;
      }),
    });
  });
  afterAll(() => service.stop());
}

export function release(): void {
  held = false;
}

export async function runningAlert(content: string): Promise<string> {
  held = true;
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed', alert_content: content });
  await service.waitForStatus(alertId, 10);
  return alertId;
}

export function findSchedule() {
  return service.temporal.schedule.getHandle(`reconcile-${service.settings.TEMPORAL_TASK_QUEUE}`);
}
