import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionLike } from '@temporalio/client';
import { failedWithStatus, GRPC_STATUS } from './grpc-status.js';

/** What Temporal knows of the builds of our workflow code on one task queue. */
export interface Deployment {
  /** The build that new runs take; null: none was named yet. */
  readonly currentBuildId: string | null;
  /** Builds that new or open runs need. */
  readonly neededBuildIds: ReadonlySet<string>;
}

export interface DeploymentRef {
  readonly namespace: string;
  readonly deploymentName: string;
}

/** Of a version: never had a run, or has no open one any more. */
const NEVER_USED = new Set<unknown>([1, 6]);
const DRAINED = 2;
const REGISTER_LIMIT_MS = 15_000;
const REGISTER_LOOK_MS = 50;

/** One for each task queue; Temporal keeps dots and colons for itself. */
export function toDeploymentName(taskQueue: string): string {
  return taskQueue.replaceAll(/[.:]/g, '-');
}

/** Old servers have no Worker Versioning, and it can be switched off; a list is refused then, where a description may not be. */
export async function hasWorkerVersioning(connection: ConnectionLike, namespace: string): Promise<boolean> {
  try {
    await connection.workflowService.listWorkerDeployments({ namespace, pageSize: 1 });
    return true;
  } catch (error) {
    if (failedWithStatus(error, GRPC_STATUS.unimplemented) || failedWithStatus(error, GRPC_STATUS.permissionDenied)) return false;
    throw error;
  }
}

export async function describeDeployment(connection: ConnectionLike, place: DeploymentRef): Promise<Deployment> {
  try {
    const { workerDeploymentInfo: info } = await connection.workflowService.describeWorkerDeployment({ ...place });
    const needed = (info?.versionSummaries ?? []).filter(
      ({ status, drainageInfo }) => !NEVER_USED.has(status) && drainageInfo?.status !== DRAINED,
    );
    return {
      currentBuildId: info?.routingConfig?.currentDeploymentVersion?.buildId ?? null,
      neededBuildIds: new Set(needed.flatMap(({ deploymentVersion }) => deploymentVersion?.buildId ?? [])),
    };
  } catch (error) {
    if (failedWithStatus(error, GRPC_STATUS.notFound)) return { currentBuildId: null, neededBuildIds: new Set() };
    throw error;
  }
}

/** New runs take this build from now on. Temporal knows it from the first poll of its worker, which may be a moment away. */
export async function makeCurrent(
  connection: ConnectionLike,
  { buildId, identity, signal, ...place }: DeploymentRef & { buildId: string; identity: string; signal: AbortSignal },
): Promise<void> {
  const limit = Date.now() + REGISTER_LIMIT_MS;
  for (;;) {
    try {
      const version = `${place.deploymentName}.${buildId}`;
      await connection.workflowService.setWorkerDeploymentCurrentVersion({
        ...place,
        buildId,
        version,
        identity,
        ignoreMissingTaskQueues: true,
      });
      return;
    } catch (error) {
      const unknownYet = failedWithStatus(error, GRPC_STATUS.notFound) || failedWithStatus(error, GRPC_STATUS.failedPrecondition);
      if (!unknownYet || Date.now() > limit) throw error;
      await delay(REGISTER_LOOK_MS, undefined, { signal });
    }
  }
}
