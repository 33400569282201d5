import { afterAll, afterEach } from 'vitest';
import { afterEveryFile, afterEveryTest } from './cleanups.js';

afterEach(async () => {
  for (const cleanup of afterEveryTest) await cleanup();
});
afterAll(async () => {
  for (const cleanup of afterEveryFile) await cleanup();
});
