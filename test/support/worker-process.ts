import { runWorker } from '../../worker/main.js';

/** The worker of `startWorkerProcess`. The argument is the path of its workflow bundle. */
await runWorker(process.argv[2]);
