import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { expect, inject, onTestFinished } from 'vitest';
import { createLogger } from '../../../platform/log.js';
import { describeDeployment, toDeploymentName } from '../../../platform/worker-deployment.js';
import { loadBundle } from '../../../worker/workflow-bundle.js';
import { startTestService, type TestService, type TestServiceOptions, waitFor } from '../../support/service.js';
import { testbedSkills } from '../../support/testbed.js';

export const LIMIT_MS = 90_000;
export const ALERT = { alert_type: 'Testbed' };
export const build = { first: '', changed: '' };
export let changedPath = '';

/** Writes the same code, but the testbed playbook asks two questions instead of three, so no run can switch between the two. */
export async function changeBuild(): Promise<void> {
  const first = await loadBundle(inject('workflowBundlePath'));
  changedPath = path.join(path.dirname(inject('workflowBundlePath')), 'changed-bundle.js');
  await writeFile(changedPath, first.code.replace(/(\[\s*['"]one['"],\s*['"]two['"]),\s*['"]three['"]\s*\]/, '$1]'));
  const changed = await loadBundle(changedPath);
  Object.assign(build, { first: first.buildId, changed: changed.buildId });
  expect(changed.buildId).not.toBe(first.buildId);
}

/** A third party that responds only after `answer` is called. */
export function createPausedThirdParty() {
  let isReleased = false;
  let asked = 0;
  const skills = testbedSkills(async (_, signal) => {
    asked += 1;
    await waitFor('an answer', async () => isReleased || signal.aborted);
    signal.throwIfAborted();
    return 10;
  });
  const answer = () => {
    isReleased = true;
  };
  return { skills, answer, waitForQuestions: (times: number) => waitFor(`${times} questions`, async () => asked >= times) };
}

export async function startService(options: TestServiceOptions) {
  const lines: string[] = [];
  const to = new Writable({
    write: (line, _, done) => {
      lines.push(String(line));
      done();
    },
  });
  const service = await startTestService({ log: createLogger('info', 'test', { to }), ...options });
  onTestFinished(() => service.stop());
  const logged = (text: string) => lines.filter((line) => line.includes(text));
  return { ...service, logged };
}

export async function countFindings({ readCase }: Pick<TestService, 'readCase'>, alertId: string): Promise<number> {
  return (await readCase(alertId)).evidence.filter(({ kind }) => kind === 'finding').length;
}

export function readDeployment({ temporal, settings }: Pick<TestService, 'temporal' | 'settings'>) {
  const deploymentName = toDeploymentName(settings.TEMPORAL_TASK_QUEUE);
  return describeDeployment(temporal.connection, { namespace: settings.TEMPORAL_NAMESPACE, deploymentName });
}
