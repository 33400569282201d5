import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { CaseDetail } from '../../../domain/case/case.js';
import { startTestService, type TestService } from '../../support/service.js';
import { testbedSkills } from '../../support/testbed.js';

export let service: TestService;
let answer: (question: string) => Promise<number>;
export let asked: string[] = [];

export function answerWith(next: (question: string) => Promise<number>): void {
  answer = next;
}

export const IN_TURN = 'Testbed in turn';

export async function investigated(content: string, alertType = IN_TURN): Promise<string> {
  const { alert_id: alertId } = await service.sendAlert({ alert_type: alertType, alert_content: content });
  await service.waitForStatus(alertId, 15);
  return alertId;
}

export async function again(alertId: string, body?: unknown): Promise<CaseDetail> {
  asked = [];
  const given = body === undefined ? {} : { body };
  expect(await service.request('POST', `/platformapi/alerts/${alertId}/investigate`, given)).toMatchObject({ status: 202 });
  await service.waitForStatus(alertId, 15);
  return service.readCase(alertId);
}

export const readConclusion = (detail: CaseDetail) => detail.timeline.filter(({ kind }) => kind === 'concluded').at(-1)?.text;

/** Starts what the tests of a file share. */
export function setUpOverTime(): void {
  beforeAll(async () => {
    service = await startTestService({
      env: { INVESTIGATION_MAX_RETRIES: '1' },
      reconcile: { everySeconds: 1, untouchedForSeconds: 0 },
      skills: testbedSkills((question) => {
        asked.push(question.split(' ')[0] ?? '');
        return answer(question);
      }),
    });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    answer = async () => 30;
    asked = [];
  });
}
