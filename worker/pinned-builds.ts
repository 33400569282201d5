import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { NativeConnection, Worker, WorkerOptions } from '@temporalio/worker';
import { type Db, withoutParameters } from '../db/client.js';
import { deleteUnused, listBuilds, markUsed, type StoredBuild } from '../db/investigations/workflow-bundles.js';
import type { Keyring } from '../platform/keyring.js';
import type { Logger } from '../platform/log.js';
import {
  type Deployment,
  type DeploymentRef,
  describeDeployment,
  hasWorkerVersioning,
  makeCurrent,
} from '../platform/worker-deployment.js';
import { RestartingWorker } from './restarting-worker.js';
import { openBundle, storeBundle } from './stored-bundles.js';
import type { WorkflowBundle } from './workflow-bundle.js';

export interface PinnedBuildTimings {
  readonly lookEverySeconds: number;
  /** A build stays available this long after its last run ended, because Temporal counts new runs with a delay. */
  readonly keepServingSeconds: number;
}

export interface PinnedBuildsDeps {
  readonly connection: Connection;
  /** A separate connection for other builds: an eager start can reach any worker on the connection that starts the run. */
  readonly connectionOfOthers: NativeConnection;
  readonly place: DeploymentRef;
  readonly identity: string;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly log: Logger;
  readonly own: WorkflowBundle;
  readonly times?: PinnedBuildTimings;
  /** Called after new runs go to the own build. */
  becameCurrent(): Promise<void>;
  /** Creates a worker with the current activities and the given workflow code. */
  create(options: Pick<WorkerOptions, 'workflowBundle'> & Partial<WorkerOptions>): Promise<Worker>;
}

const TIMES: PinnedBuildTimings = { lookEverySeconds: 60, keepServingSeconds: 3600 };
const DELETE_AFTER_SECONDS = 86_400;
/** A newer worker has newer activities, so it serves its build alone unless it is silent for this long. */
const SILENT_AFTER_SECONDS = 300;
const LOOK_AGAIN_MS = 2_000;
/** Each build takes about 40 MB. Builds that open runs need do not count. */
const MAX_EARLIER = 5;
const SMALL = {
  maxCachedWorkflows: 50,
  maxConcurrentWorkflowTaskExecutions: 10,
  maxConcurrentWorkflowTaskPolls: 2,
  maxConcurrentActivityTaskPolls: 2,
};

/** Runs one Temporal worker for the own workflow code and one for each other build that open runs need. */
export class PinnedBuilds {
  readonly #deps: PinnedBuildsDeps;
  readonly #times: PinnedBuildTimings;
  readonly #worker: RestartingWorker;
  readonly #others = new Map<string, RestartingWorker>();
  /** Builds that were stored before this process started. Its activities are at least as new. */
  readonly #olderBuildIds: ReadonlySet<string>;
  readonly #lost = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #looking: Promise<void>;
  /** A new controller for each check, because the SDK never removes its listener from a signal. */
  #look = new AbortController();
  #takesNewRuns: boolean;

  static async start(deps: PinnedBuildsDeps): Promise<PinnedBuilds> {
    const { connection, place, db, log, own } = deps;
    if (!(await hasWorkerVersioning(connection, place.namespace))) {
      log.warn('the Temporal server has no Worker Versioning: changed playbooks also affect running investigations');
      const worker = await RestartingWorker.start(() => deps.create({ workflowBundle: { code: own.code } }), log);
      return new PinnedBuilds(deps, worker, null);
    }
    const older = await listBuilds(db);
    const [worker] = await Promise.all([RestartingWorker.start(() => deps.create(versioned(place, own)), log), storeBundle(deps, own)]);
    return new PinnedBuilds(deps, worker, older);
  }

  private constructor(deps: PinnedBuildsDeps, worker: RestartingWorker, older: readonly StoredBuild[] | null) {
    this.#deps = deps;
    this.#times = deps.times ?? TIMES;
    this.#worker = worker;
    this.#olderBuildIds = new Set(older?.map(({ buildId }) => buildId));
    this.#takesNewRuns = older === null;
    this.#looking = older === null ? Promise.resolve() : this.#watch();
  }

  isRunning(): boolean {
    return this.#worker.isRunning();
  }

  /** The state at the last check. */
  takesNewRuns(): boolean {
    return this.#takesNewRuns && this.#worker.isRunning();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#look.abort();
    const stopOthers = async () => {
      await this.#looking;
      await Promise.all([...this.#others.values()].map((worker) => worker.stop()));
    };
    await Promise.all([this.#worker.stop(), stopOthers()]);
  }

  async #watch(): Promise<void> {
    const { connection, log } = this.#deps;
    const { signal } = this.#stopping;
    let isCurrent = false;
    while (!signal.aborted) {
      this.#look = new AbortController();
      let waitMs = this.#times.lookEverySeconds * 1000;
      try {
        isCurrent = await connection.withAbortSignal(this.#look.signal, () => this.#reconcileBuilds(isCurrent));
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: withoutParameters(error) }, 'checking the workflow builds failed; retrying');
        waitMs = LOOK_AGAIN_MS;
      }
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  /** The worker that starts last makes its build current. Later it does so only if no worker serves the current build. */
  async #reconcileBuilds(wasCurrent: boolean): Promise<true> {
    const { connection, place, identity, db, own, log } = this.#deps;
    const deployment = await describeDeployment(connection, place, this.#look.signal);
    const stored = await listBuilds(db);
    this.#warnAboutMissing(stored, deployment);
    await this.#serve(stored, deployment);
    const { currentBuildId } = deployment;
    const isServed = stored.some(({ buildId }) => buildId === currentBuildId);
    this.#takesNewRuns = currentBuildId === own.buildId;
    if (!this.#takesNewRuns && !(wasCurrent && isServed)) {
      await makeCurrent(connection, { ...place, buildId: own.buildId, identity, signal: this.#look.signal });
      this.#takesNewRuns = true;
      log.info({ build: own.buildId, before: currentBuildId }, 'new investigations use this workflow build');
      await this.#deps.becameCurrent();
    }
    return true;
  }

  async #serve(stored: readonly StoredBuild[], { neededBuildIds }: Deployment): Promise<void> {
    const { db, own, log } = this.#deps;
    const others = stored.filter(({ buildId }) => buildId !== own.buildId);
    const needed = others.filter((build) => neededBuildIds.has(build.buildId) && this.#mayServe(build));
    if (needed.length > MAX_EARLIER) log.warn({ builds: needed.length }, 'open runs need many workflow builds, and each takes memory');
    const lately = others.filter(
      ({ buildId, unusedForSeconds }) => this.#others.has(buildId) && unusedForSeconds < this.#times.keepServingSeconds,
    );
    const wanted = new Set(needed.map(({ buildId }) => buildId));
    for (const { buildId } of lately) if (wanted.size < MAX_EARLIER) wanted.add(buildId);

    for (const [buildId, worker] of this.#others) {
      if (wanted.has(buildId)) continue;
      this.#others.delete(buildId);
      await worker.stop();
      log.info({ build: buildId }, 'no open run needs this workflow build');
    }
    await markUsed(db, [own.buildId, ...needed.map(({ buildId }) => buildId)]);
    for (const buildId of wanted) if (!this.#others.has(buildId)) await this.#startWorker(buildId);
    const unneeded = others.filter(({ buildId }) => !neededBuildIds.has(buildId) && !wanted.has(buildId));
    await deleteUnused(
      db,
      unneeded.map(({ buildId }) => buildId),
      DELETE_AFTER_SECONDS,
    );
  }

  #warnAboutMissing(stored: readonly StoredBuild[], { neededBuildIds }: Deployment): void {
    const lost = [...neededBuildIds].filter((needed) => !this.#lost.has(needed) && stored.every(({ buildId }) => buildId !== needed));
    for (const build of lost) {
      this.#lost.add(build);
      this.#deps.log.warn({ build }, 'open runs wait for a workflow build that the database does not contain');
    }
  }

  #mayServe({ buildId, unusedForSeconds }: StoredBuild): boolean {
    return this.#olderBuildIds.has(buildId) || this.#others.has(buildId) || unusedForSeconds >= SILENT_AFTER_SECONDS;
  }

  async #startWorker(buildId: string): Promise<void> {
    const { log, place, create, connectionOfOthers: connection } = this.#deps;
    const code = await openBundle(this.#deps, buildId);
    if (code === null || this.#stopping.signal.aborted) return;
    const options = { ...versioned(place, { buildId, code }), ...SMALL, connection };
    this.#others.set(buildId, await RestartingWorker.start(() => create(options), log));
    log.info({ build: buildId }, 'open runs of this workflow build continue with it');
  }
}

/** PINNED: a run keeps its build until it ends. */
function versioned({ deploymentName }: DeploymentRef, { buildId, code }: WorkflowBundle) {
  const workerDeploymentOptions = {
    version: { deploymentName, buildId },
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'PINNED',
  } as const;
  return { workflowBundle: { code }, workerDeploymentOptions };
}
