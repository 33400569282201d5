import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection, Worker } from '@temporalio/worker';
import { z } from 'zod';
import { startApi } from '../../api/server.js';
import { createLogger } from '../../platform/log.js';
import { readSettings } from '../../platform/settings.js';
import { processIdentity, temporalConnectionOptions } from '../../platform/temporal.js';
import { testbedSkills } from '../../test/support/testbed.js';
import { declaredPlaybooks, startWorker } from '../../worker/worker.js';
import { childInput, serveParent } from '../processes/child.js';
import { bareActivities } from './bare-activities.js';
import { QUICK_THIRD_PARTY_MS, SLOW_QUESTION } from './third-parties.js';
import * as workflows from './workflows.js';

const input = childInput(
  z.object({ kind: z.enum(['service', 'connected', 'bare']), env: z.record(z.string(), z.string()), bundlePath: z.string() }),
);
const settings = readSettings(input.env);
const log = createLogger('warn', input.kind);

/** Skills and playbooks of the benchmark. */
const service = () =>
  startService({
    workflows: { bundlePath: input.bundlePath, declarations: declaredPlaybooks(workflows) },
    skills: testbedSkills(async (question) => {
      if (question.startsWith(SLOW_QUESTION)) await delay(QUICK_THIRD_PARTY_MS);
      return 10;
    }),
  });

/** Skills and playbooks of the product. */
const connected = () => startService({ workflows: { bundlePath: input.bundlePath, declarations: declaredPlaybooks() } });

/** The worker and the API in one process, as in `npm start`. */
async function startService(options: Pick<Parameters<typeof startWorker>[0], 'workflows' | 'skills'>) {
  const worker = await startWorker({ settings, log, ...options });
  const api = await startApi({ settings, log, worker });
  const stop = async () => {
    await api.close();
    await worker.stop();
  };
  return { url: api.url, stop };
}

/** A worker with the same settings and none of our code. */
async function bare() {
  const connection = await NativeConnection.connect(await temporalConnectionOptions(settings));
  const bareWorker = await Worker.create({
    connection,
    namespace: settings.TEMPORAL_NAMESPACE,
    taskQueue: settings.TEMPORAL_TASK_QUEUE,
    identity: processIdentity('bare-worker'),
    workflowBundle: { codePath: input.bundlePath },
    activities: bareActivities,
    shutdownGraceTime: '10s',
  });
  const running = bareWorker.run();
  const stop = async () => {
    bareWorker.shutdown();
    await running;
    await connection.close();
  };
  return { url: '', stop };
}

const { url, stop } = await { service, connected, bare }[input.kind]();
serveParent({ url }, stop);
