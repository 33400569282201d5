import type { Worker } from '@temporalio/worker';
import { expect, it } from 'vitest';
import { createLogger } from '../../platform/log.js';
import { RestartingWorker } from '../../worker/restarting-worker.js';
import { waitFor } from '../support/wait-for.js';

/** A Temporal worker that fails at once, or runs until it is shut down. */
function fakeWorker(failure?: Error): Worker {
  let shutDown = () => {};
  let state = 'INITIALIZED';
  const ended = new Promise<void>((resolve) => {
    shutDown = resolve;
  });
  const worker = {
    getState: () => state,
    shutdown: () => shutDown(),
    run: async () => {
      if (failure) throw failure;
      state = 'RUNNING';
      await ended;
      state = 'STOPPED';
    },
  };
  return worker as unknown as Worker;
}

it('retries when the replacement of a failed worker cannot be created', async () => {
  const attempts = [
    () => fakeWorker(new Error('the connection is lost')),
    () => {
      throw new Error('Temporal does not answer');
    },
    () => fakeWorker(),
  ];
  const create = async () => attempts.shift()?.() ?? expect.fail('a fourth worker was created');
  const worker = await RestartingWorker.start(create, createLogger('silent', 'test'));
  await waitFor('the third worker to run', async () => worker.isRunning());
  await worker.stop();
  expect(attempts).toEqual([]);
});
