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

/**
 * Temporal answers NotFound until the first poll of a worker, and for a moment after each change of the deployment. NotFound does not
 * mean that no build is current: a worker that acts on it makes its own build current again, although a newer one has taken over.
 */
export async function describeDeployment(connection: ConnectionLike, place: DeploymentRef, signal?: AbortSignal): Promise<Deployment> {
  const describe = () => connection.workflowService.describeWorkerDeployment({ ...place });
  const { workerDeploymentInfo: info } = await untilKnown(describe, signal);
  const needed = (info?.versionSummaries ?? []).filter(
    ({ status, drainageInfo }) => !NEVER_USED.has(status) && drainageInfo?.status !== DRAINED,
  );
  return {
    currentBuildId: info?.routingConfig?.currentDeploymentVersion?.buildId ?? null,
    neededBuildIds: new Set(needed.flatMap(({ deploymentVersion }) => deploymentVersion?.buildId ?? [])),
  };
}

/** New runs take this build from now on. Temporal knows it from the first poll of its worker, which may be a moment away. */
export async function makeCurrent(
  connection: ConnectionLike,
  { buildId, identity, signal, ...place }: DeploymentRef & { buildId: string; identity: string; signal: AbortSignal },
): Promise<void> {
  const version = `${place.deploymentName}.${buildId}`;
  const request = { ...place, buildId, version, identity, ignoreMissingTaskQueues: true };
  await untilKnown(() => connection.workflowService.setWorkerDeploymentCurrentVersion(request), signal);
}

async function untilKnown<Reply>(call: () => Promise<Reply>, signal?: AbortSignal): Promise<Reply> {
  const limit = Date.now() + REGISTER_LIMIT_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const unknownYet = failedWithStatus(error, GRPC_STATUS.notFound) || failedWithStatus(error, GRPC_STATUS.failedPrecondition);
      if (!unknownYet || Date.now() > limit) throw error;
      await delay(REGISTER_LOOK_MS, undefined, signal ? { signal } : {});
    }
  }
}
