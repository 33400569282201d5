import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionLike } from '@temporalio/client';
import { failedWithStatus, GRPC_STATUS } from './grpc-status.js';

/** The builds of our workflow code that Temporal knows on one task queue. */
export interface Deployment {
  /** The build for new runs. null: no build is current yet. */
  readonly currentBuildId: string | null;
  /** Builds that new or open runs need. */
  readonly neededBuildIds: ReadonlySet<string>;
}

export interface DeploymentRef {
  readonly namespace: string;
  readonly deploymentName: string;
}

/** From temporal.api.enums.v1, whose package is not a direct dependency. */
const WorkerDeploymentVersionStatus = { INACTIVE: 1, CREATED: 6 } as const;
const VersionDrainageStatus = { DRAINED: 2 } as const;

const NEVER_USED = new Set<unknown>([WorkerDeploymentVersionStatus.INACTIVE, WorkerDeploymentVersionStatus.CREATED]);
const REGISTRATION_TIMEOUT_MS = 15_000;
const REGISTRATION_POLL_MS = 50;

/** Returns a deployment name for the task queue. Temporal reserves dots and colons. */
export function toDeploymentName(taskQueue: string): string {
  return taskQueue.replaceAll(/[.:]/g, '-');
}

/** Old servers have no Worker Versioning, and operators can turn it off. Such servers reject a list, but not always a description. */
export async function hasWorkerVersioning(connection: ConnectionLike, namespace: string): Promise<boolean> {
  try {
    await connection.workflowService.listWorkerDeployments({ namespace, pageSize: 1 });
    return true;
  } catch (error) {
    if (failedWithStatus(error, GRPC_STATUS.unimplemented) || failedWithStatus(error, GRPC_STATUS.permissionDenied)) return false;
    throw error;
  }
}

/**
 * Temporal answers NotFound until the first poll of a worker, and for a moment after each change of the deployment. NotFound does not
 * mean that no build is current: a worker that acts on it makes its own build current again, although a newer one has taken over.
 */
export async function describeDeployment(connection: ConnectionLike, place: DeploymentRef, signal?: AbortSignal): Promise<Deployment> {
  const describe = () => connection.workflowService.describeWorkerDeployment({ ...place });
  const { workerDeploymentInfo: info } = await untilKnown(describe, signal);
  const needed = (info?.versionSummaries ?? []).filter(
    ({ status, drainageInfo }) => !NEVER_USED.has(status) && drainageInfo?.status !== VersionDrainageStatus.DRAINED,
  );
  return {
    currentBuildId: info?.routingConfig?.currentDeploymentVersion?.buildId ?? null,
    neededBuildIds: new Set(needed.flatMap(({ deploymentVersion }) => deploymentVersion?.buildId ?? [])),
  };
}

/** Routes new runs to this build. Temporal learns of a build from the first poll of its worker, so this retries for a while. */
export async function makeCurrent(
  connection: ConnectionLike,
  { buildId, identity, signal, ...place }: DeploymentRef & { buildId: string; identity: string; signal: AbortSignal },
): Promise<void> {
  const version = `${place.deploymentName}.${buildId}`;
  const request = { ...place, buildId, version, identity, ignoreMissingTaskQueues: true };
  await untilKnown(() => connection.workflowService.setWorkerDeploymentCurrentVersion(request), signal);
}

async function untilKnown<Reply>(call: () => Promise<Reply>, signal?: AbortSignal): Promise<Reply> {
  const limit = Date.now() + REGISTRATION_TIMEOUT_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const unknownYet = failedWithStatus(error, GRPC_STATUS.notFound) || failedWithStatus(error, GRPC_STATUS.failedPrecondition);
      if (!unknownYet || Date.now() > limit) throw error;
      await delay(REGISTRATION_POLL_MS, undefined, signal ? { signal } : {});
    }
  }
}
