import { Connection } from '@temporalio/client';
import { beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest';
import { listBuilds } from '../../db/investigations/workflow-bundles.js';
import type { AlertListItem } from '../../domain/alert/alert.js';
import { startTemporal } from '../../local/temporal/server.js';
import { toDeploymentName } from '../../platform/worker-deployment.js';
import { quietLog, temporalCli, temporaryFolder } from '../local/support/scripts.js';
import { startedEagerly, waitFor } from '../support/service.js';
import { testbedSkills } from '../support/testbed.js';
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

it(
  'makes the build of the last started worker current, including an earlier build',
  async () => {
    const service = await startService({ skills: testbedSkills(async () => 10) });
    for (const [bundlePath, buildId, questions] of [
      [changedPath, build.changed, 2],
      [inject('workflowBundlePath'), build.first, 3],
    ] as const) {
      await service.stopWorker();
      await service.startWorker(bundlePath);
      await waitFor('the build to be current', async () => (await readDeployment(service)).currentBuildId === buildId);
      const alert = await service.sendAlert(ALERT);
      await service.waitForStatus(alert.alert_id, 15);
      expect(await countFindings(service, alert.alert_id)).toBe(questions);
    }
  },
  LIMIT_MS,
);

it('starts new runs with the current build although the API process has a worker of another build', async () => {
  const service = await startService({
    skills: testbedSkills(async () => 10),
    bundleTimes: { lookEverySeconds: 0.2, keepServingSeconds: 3 },
  });
  await waitFor('a current build', async () => (await readDeployment(service)).currentBuildId === build.first);
  await waitFor('an eagerly started run', async () => {
    const { alert_id } = await service.sendAlert(ALERT);
    await service.waitForStatus(alert_id, 15);
    const { raw } = await service.temporal.workflow.getHandle(alert_id).describe();
    expect(raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId).toBe(build.first);
    return startedEagerly(service, alert_id);
  });

  await service.startWorker(changedPath);
  await waitFor('the other build to be current', async () => (await readDeployment(service)).currentBuildId === build.changed);
  await waitFor('a queued run', async () => {
    const { alert_id } = await service.sendAlert(ALERT);
    await service.waitForStatus(alert_id, 15);
    if (await startedEagerly(service, alert_id)) return false;
    expect(await countFindings(service, alert_id)).toBe(2);
    return true;
  });
});

it(
  'continues a run with its first build until none is open, and starts new runs with the new build',
  async () => {
    const thirdParty = createPausedThirdParty();
    const service = await startService({ skills: thirdParty.skills, bundleTimes: { lookEverySeconds: 0.2, keepServingSeconds: 3 } });
    const before = await service.sendAlert(ALERT);
    await thirdParty.waitForQuestions(3);

    await service.stopWorker();
    await service.startWorker(changedPath);
    await service.restartApi();
    await waitFor('the changed build to be current', async () => (await readDeployment(service)).currentBuildId === build.changed);
    await waitFor('a worker for the first build', async () =>
      service.logged('continue with it').some((line) => line.includes(build.first)),
    );
    // Several runs, because the worker of the first build is in the same process and must not receive any of them.
    const after: AlertListItem[] = [];
    await waitFor('four eagerly started runs', async () => {
      const sent = await Promise.all(Array.from({ length: 4 }, () => service.sendAlert(ALERT)));
      after.push(...sent);
      const eager = await Promise.all(sent.map(({ alert_id }) => startedEagerly(service, alert_id)));
      return eager.every(Boolean);
    });
    thirdParty.answer();
    await service.waitForStatus(before.alert_id, 15);
    for (const { alert_id } of after) await service.waitForStatus(alert_id, 15);
    expect(await countFindings(service, before.alert_id)).toBe(3);
    for (const { alert_id } of after) expect(await countFindings(service, alert_id)).toBe(2);
    expect((await service.readAlert(before.alert_id)).investigation_retry_count).toBe(0);

    await waitFor('the worker of the first build to stop', async () =>
      service.logged('no open run needs').some((line) => line.includes(build.first)),
    );
    const last = await service.sendAlert(ALERT);
    await service.waitForStatus(last.alert_id, 15);
    // The build is stored for a day for a rollback.
    expect((await listBuilds(service.database.db)).map(({ buildId }) => buildId).toSorted()).toEqual(
      [build.first, build.changed].toSorted(),
    );
  },
  LIMIT_MS,
);
