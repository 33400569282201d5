import { afterAll, afterEach } from 'vitest';
import { afterEveryFile, afterEveryTest } from './cleanups.js';

afterEach(async ({ task }) => {
  for (const cleanup of afterEveryTest) await cleanup({ hasFailed: task.result?.state === 'fail' });
});
afterAll(async () => {
  for (const cleanup of afterEveryFile) await cleanup();
});
