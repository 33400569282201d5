import { Worker } from '@temporalio/worker';

/** The parts of the SDK version that package.json pins that have no public access. A test covers them. */
interface Creator {
  readonly workerThreadClients: readonly ThreadClient[];
  createWorkflow(options: { readonly info: Run & { readonly workflowType: string } }): Promise<unknown>;
  destroy(): Promise<void>;
}
interface ThreadClient {
  readonly workerThread: { terminate(): Promise<number> };
  send(input: { readonly type: string; readonly runId?: string }): Promise<unknown>;
}

export interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

const CHECK_EVERY_MS = 1_000;
/** Workflow code computes for milliseconds. A check counts only if the main thread had time for replies since the one before. */
const CHECKS_WITHOUT_REPLY = 5;
/** On a busy machine or within a small CPU limit, a thread also waits for its share of a core. */
const CPU_MS_WITHOUT_REPLY = 4_000;

/**
 * The SDK's own limit ends a long computation inside its thread, which can crash the process ("async hook stack has become
 * corrupted", temporalio/sdk-typescript#939). So the limit never applies, and this module ends the whole thread instead.
 */
export const WITHOUT_SDK_LIMIT = { isolateExecutionTimeout: '24h' } as const;

/**
 * Ends a thread whose workflow code never returns, after `onEndless`, and starts another for the runs it had. Later runs of the same
 * playbook get a thread of their own, so that they delay no other playbook until a corrected build replaces this worker.
 */
export function endEndlessRuns(worker: Worker, onEndless: (run: Run) => Promise<void>): void {
  const first: unknown = Reflect.get(worker, 'workflowCreator');
  if (isCreator(first)) Reflect.set(worker, 'workflowCreator', new SupervisedThreads(worker, first, onEndless));
}

class SupervisedThreads {
  readonly #worker: Worker;
  readonly #onEndless: (run: Run) => Promise<void>;
  readonly #suspects = new Set<string>();
  #shared: Promise<Creator>;
  #ofSuspects: Promise<Creator> | null = null;

  constructor(worker: Worker, first: Creator, onEndless: (run: Run) => Promise<void>) {
    this.#worker = worker;
    this.#onEndless = onEndless;
    this.#shared = Promise.resolve(this.#watchShared(first));
  }

  async createWorkflow(options: Parameters<Creator['createWorkflow']>[0]): Promise<unknown> {
    const threads = await (this.#suspects.has(options.info.workflowType) ? this.#openOfSuspects() : this.#shared);
    return await threads.createWorkflow(options);
  }

  async destroy(): Promise<void> {
    const all = await Promise.all([this.#shared, this.#ofSuspects]);
    await Promise.all(all.map((threads) => threads?.destroy()));
  }

  #watchShared(creator: Creator): Creator {
    return this.#watch(creator, () => {
      this.#shared = this.#create().then((created) => this.#watchShared(created));
    });
  }

  #openOfSuspects(): Promise<Creator> {
    this.#ofSuspects ??= this.#create().then((created) =>
      this.#watch(created, () => {
        this.#ofSuspects = null;
      }),
    );
    return this.#ofSuspects;
  }

  #watch(creator: Creator, replace: () => void): Creator {
    const runs = new Map<string, Run & { readonly workflowType: string }>();
    const createWorkflow = creator.createWorkflow.bind(creator);
    creator.createWorkflow = (options) => {
      runs.set(options.info.runId, options.info);
      return createWorkflow(options);
    };
    for (const client of creator.workerThreadClients)
      watchThread(client, {
        isStopped: () => ['STOPPED', 'FAILED'].includes(this.#worker.getState()),
        onDisposed: (runId) => runs.delete(runId),
        onEndless: async (runId) => {
          replace();
          const run = runs.get(runId);
          if (!run) return;
          this.#suspects.add(run.workflowType);
          await this.#onEndless({ workflowId: run.workflowId, runId });
        },
      });
    return creator;
  }

  async #create(): Promise<Creator> {
    const call = (name: string, ...given: unknown[]): Promise<unknown> => Reflect.get(Worker, name).apply(Worker, given);
    const [options, logger] = ['options', 'logger'].map((name): unknown => Reflect.get(this.#worker, name));
    const created = await call('createWorkflowCreator', await call('getOrCreateBundle', options, logger), options, logger);
    if (!isCreator(created)) throw new TypeError('The Temporal SDK created no threads for workflows.');
    return created;
  }
}

interface Watched {
  isStopped(): boolean;
  onDisposed(runId: string): void;
  /** The thread ends after it. */
  onEndless(runId: string): Promise<void>;
}

function watchThread(client: ThreadClient, { isStopped, onDisposed, onEndless }: Watched): void {
  let current: string | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let checks = 0;
  let cpuBefore = process.cpuUsage();
  let isEnded = false;
  const send = client.send.bind(client);
  const activate = async (input: Parameters<typeof send>[0]) => {
    if (isEnded) return answerForEnded(input.type);
    current = input.runId ?? '';
    checks = 0;
    cpuBefore = process.cpuUsage();
    try {
      return await send(input);
    } finally {
      current = null;
    }
  };
  client.send = async (input) => {
    if (input.type === 'dispose-workflow') onDisposed(input.runId ?? '');
    if (isEnded) return answerForEnded(input.type);
    try {
      if (input.type !== 'activate-workflow') return await send(input);
      // One at a time: a thread can begin one activation before it has replied to another, and then nothing tells which one never ends.
      const turn = last.then(() => activate(input));
      last = turn.catch(() => undefined);
      return await turn;
    } catch (error) {
      // The SDK would stop the whole worker.
      if (isEnded) return answerForEnded(input.type);
      throw error;
    }
  };
  const timer = setInterval(async () => {
    if (isStopped()) return clearInterval(timer);
    checks += 1;
    if (current === null || checks <= CHECKS_WITHOUT_REPLY) return;
    const { user, system } = process.cpuUsage(cpuBefore);
    if ((user + system) / 1000 < CPU_MS_WITHOUT_REPLY) return;
    clearInterval(timer);
    isEnded = true;
    await onEndless(current).finally(() => client.workerThread.terminate());
  }, CHECK_EVERY_MS).unref();
}

/** A failed task is tried again, with the thread that replaces this one. */
function answerForEnded(type: string): unknown {
  if (type === 'extract-sink-calls') return { type: 'sink-calls', calls: [] };
  if (type === 'dispose-workflow' || type === 'destroy') return undefined;
  const error = new Error('Another run computed without an end, so the thread of this run was ended. Temporal repeats the task.');
  // A place in our code would make it a mistake of the playbook.
  error.stack = error.message;
  throw error;
}

function isCreator(value: unknown): value is Creator {
  return typeof value === 'object' && value !== null && Array.isArray(Reflect.get(value, 'workerThreadClients'));
}
