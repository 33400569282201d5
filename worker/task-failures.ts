import { setTimeout as delay } from 'node:timers/promises';
import type { LogEntry } from '@temporalio/worker';
import { type FaultyRunDeps, failEndlessRun, failFaultyRun } from '../activities/investigations/faulty-runs.js';
import type { Run } from './workflow-threads.js';

type Listener = (runId: string) => void;

/** The SDK has one log for all workers of a process. */
const listeners = new Set<Listener>();
const TASK_FAILED = 'Failing workflow task';

/** Call it with each entry of the SDK's log: the SDK reports failed workflow tasks nowhere else. */
export function noticeTaskFailure({ message, meta }: LogEntry): void {
  const runId: unknown = meta?.['runId'];
  if (message === TASK_FAILED && typeof runId === 'string') for (const listener of listeners) listener(runId);
}

const FIND_AGAIN_MS = 500;
const FIND_ATTEMPTS = 10;

export interface FaultyRuns {
  /** Ends the investigation whose workflow code does not return. */
  endEndless(run: Run): Promise<void>;
  stop(): void;
}

/** Ends an investigation at the first failure of its workflow code. The reconciler does the same, if this worker stops before. */
export function endFaultyRuns(deps: FaultyRunDeps): FaultyRuns {
  const stopping = new AbortController();
  const attempt = async (runId: string, end: () => Promise<unknown>) => {
    try {
      await end();
    } catch (error) {
      if (!stopping.signal.aborted) deps.log.warn({ err: error, run_id: runId }, 'ending a faulty investigation failed');
    }
  };
  const listener: Listener = (runId) => void attempt(runId, () => findAndEnd(deps, runId, stopping.signal));
  listeners.add(listener);
  return {
    endEndless: (run) => attempt(run.runId, () => failEndlessRun(deps, run)),
    stop() {
      listeners.delete(listener);
      stopping.abort();
    },
  };
}

/** The SDK names only the run, and Temporal lists a new run with a delay. */
async function findAndEnd(deps: FaultyRunDeps, runId: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < FIND_ATTEMPTS; attempt += 1) {
    for await (const { workflowId } of deps.client.workflow.list({ query: `RunId = '${runId}'` })) {
      await failFaultyRun(deps, { workflowId, runId });
      return;
    }
    await delay(FIND_AGAIN_MS, undefined, { signal });
  }
}
