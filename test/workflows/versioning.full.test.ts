import { Connection } from '@temporalio/client';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { startTemporal } from '../../local/temporal/server.js';
import { toDeploymentName } from '../../platform/worker-deployment.js';
import { quietLog, temporalCli, temporaryFolder } from '../local/support/scripts.js';
import { waitFor } from '../support/service.js';
import {
  ALERT,
  build,
  changeBuild,
  changedPath,
  countFindings,
  createPausedThirdParty,
  LIMIT_MS,
  readDeployment,
  startService,
} from './support/builds.js';

beforeAll(changeBuild);

it(
  'works without Worker Versioning on the server, and takes over those runs after an upgrade',
  async () => {
    const folder = await temporaryFolder();
    const temporal = { cli: await temporalCli(), folder, uiPort: 0, namespaces: ['default'], log: quietLog };
    const without = await startTemporal({ ...temporal, dynamicConfig: ['system.enableDeploymentVersions=false'] });
    onTestFinished(() => without.stop());
    const thirdParty = createPausedThirdParty();
    const service = await startService({ skills: thirdParty.skills, env: { TEMPORAL_ADDRESS: without.address } });
    const begun = await service.sendAlert(ALERT);
    await thirdParty.waitForQuestions(3);
    expect(service.logged('has no Worker Versioning')).toHaveLength(1);
    await service.stopWorker();
    await without.stop();

    const server = await startTemporal(temporal);
    onTestFinished(() => server.stop());
    expect(server.address).toBe(without.address);
    await service.startWorker();
    await waitFor('Worker Versioning', async () => (await readDeployment(service)).currentBuildId === build.first);
    thirdParty.answer();
    await service.waitForStatus(begun.alert_id, 15);
    const later = await service.sendAlert(ALERT);
    await service.waitForStatus(later.alert_id, 15);
    expect(await countFindings(service, begun.alert_id)).toBe(3);
    expect((await service.readAlert(begun.alert_id)).investigation_retry_count).toBe(0);
  },
  LIMIT_MS,
);

it('sets the current build again when the deployment has none', async () => {
  const service = await startService({ bundleTimes: { lookEverySeconds: 0.2, keepServingSeconds: 3 } });
  await waitFor('a current build', async () => (await readDeployment(service)).currentBuildId === build.first);
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: taskQueue } = service.settings;
  await service.temporal.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName: toDeploymentName(taskQueue),
    version: '__unversioned__',
    ignoreMissingTaskQueues: true,
  });
  await waitFor('the build to be current again', async () => (await readDeployment(service)).currentBuildId === build.first);
  await service.waitForStatus((await service.sendAlert()).alert_id, 15);
});

it('keeps the newer build current when Temporal does not find the deployment for a moment', async () => {
  const connect = vi.spyOn(Connection, 'connect');
  onTestFinished(() => connect.mockRestore());
  const service = await startService({ bundleTimes: { lookEverySeconds: 0.2, keepServingSeconds: 3 } });
  const connections = await Promise.all(connect.mock.results.map(({ value }) => value));
  const spies = connections.map(({ workflowService }) => vi.spyOn(workflowService, 'describeWorkerDeployment'));
  const looks = await waitFor('the first worker to read the deployment', async () => spies.find(({ mock }) => mock.calls.length > 0));
  await waitFor('a current build', async () => (await readDeployment(service)).currentBuildId === build.first);
  await service.startWorker(changedPath);
  await waitFor('the changed build to be current', async () => (await readDeployment(service)).currentBuildId === build.changed);

  looks.mockRejectedValueOnce(Object.assign(new Error(), { code: 5, details: 'Worker Deployment not found', metadata: {} }));
  const before = looks.mock.calls.length;
  await waitFor('the first worker to check again', async () => looks.mock.calls.length > before + 3);
  expect((await readDeployment(service)).currentBuildId).toBe(build.changed);
});
