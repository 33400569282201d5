import { workflowInfo } from '@temporalio/workflow';

/** No playbook needs as many turns of its loops. */
const MAX_TURNS = 1_000_000;
/** Of real time without a wait. Other investigations of the worker wait meanwhile. */
const MAX_MS = 2_000;

/** The clock of a workflow stands still between two waits. */
let activationAt = 0;
let startedMs = 0;

/**
 * The bundler adds a call to each loop of workflow code. A loop that never waits would block every investigation of the worker,
 * and to terminate it from outside can crash the process.
 */
function checkLoop(turns: number): void {
  const nowMs = workflowInfo().unsafe.now();
  if (Date.now() !== activationAt) {
    activationAt = Date.now();
    startedMs = nowMs;
  }
  if (turns > MAX_TURNS) throw new EndlessLoopError(`A loop does not end: it ran more than ${MAX_TURNS} times.`);
  if (nowMs - startedMs > MAX_MS) throw new EndlessLoopError(`A loop does not end: it ran for ${MAX_MS / 1000} s without a wait.`);
}

export class EndlessLoopError extends Error {
  override readonly name = 'EndlessLoopError';
}

/** A global, because the added code imports nothing. */
Object.defineProperty(globalThis, '__checkLoop', { value: checkLoop, configurable: true });
