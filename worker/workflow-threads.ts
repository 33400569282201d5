import type { Worker } from '@temporalio/worker';

/** The parts of the SDK that have no public access. */
interface ThreadClient {
  readonly workerThread: { terminate(): Promise<number> };
  send(input: { readonly type: string; readonly runId?: string }): Promise<unknown>;
}

const CHECK_EVERY_MS = 1_000;
/** Workflow code computes for milliseconds. A check counts only if the main thread had time for replies since the one before. */
const CHECKS_WITHOUT_REPLY = 5;

/**
 * The SDK's own limit ends a long computation inside its thread, which can crash the process ("async hook stack has become
 * corrupted", temporalio/sdk-typescript#939). So the limit never applies, and this module ends the whole thread instead.
 */
export const WITHOUT_SDK_LIMIT = { isolateExecutionTimeout: '24h' } as const;

/** Ends a thread whose workflow code never returns, after `onEndless`. The worker then fails, and its owner starts a new one. */
export function watchWorkflowThreads(worker: Worker, onEndless: (runId: string) => Promise<void>): void {
  for (const client of listThreads(worker)) watchThread(worker, client, onEndless);
}

function watchThread(worker: Worker, client: ThreadClient, onEndless: (runId: string) => Promise<void>): void {
  const activations = new Set<{ readonly runId: string }>();
  let checks = 0;
  const send = client.send.bind(client);
  client.send = async (input) => {
    if (input.type !== 'activate-workflow') return send(input);
    const activation = { runId: input.runId ?? '' };
    activations.add(activation);
    try {
      return await send(input);
    } finally {
      activations.delete(activation);
      checks = 0;
    }
  };
  const timer = setInterval(async () => {
    if (worker.getState() === 'STOPPED' || worker.getState() === 'FAILED') return clearInterval(timer);
    // A thread handles its activations in turn.
    const [current] = activations;
    checks = current ? checks + 1 : 0;
    if (!current || checks <= CHECKS_WITHOUT_REPLY) return;
    clearInterval(timer);
    await onEndless(current.runId).finally(() => client.workerThread.terminate());
  }, CHECK_EVERY_MS).unref();
}

function listThreads(worker: Worker): ThreadClient[] {
  const creator: unknown = Reflect.get(worker, 'workflowCreator');
  const threads: unknown = typeof creator === 'object' && creator !== null ? Reflect.get(creator, 'workerThreadClients') : null;
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the fields of the SDK version that package.json pins; a test covers them.
  return Array.isArray(threads) ? (threads as ThreadClient[]) : [];
}
