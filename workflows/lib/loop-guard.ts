/** No playbook needs as many turns of its loops. */
const MAX_TURNS = 1_000_000;

/**
 * The bundler adds a call to each loop of workflow code. A loop that never waits would block every investigation of the worker,
 * and to terminate it from outside can crash the process. Counts turns and reads no clock, so a replay decides the same.
 */
function checkLoop(turns: number, weight = 1): void {
  if (turns > MAX_TURNS) throw new EndlessLoopError(`Infinite loop: it ran more than ${MAX_TURNS / weight} times.`);
}

export class EndlessLoopError extends Error {
  override readonly name = 'EndlessLoopError';
}

/** A global, because the added code imports nothing. */
Object.defineProperty(globalThis, '__checkLoop', { value: checkLoop, configurable: true });
