import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

// A process of its own: the SDK has one runtime a process, and the worker wants to set that up itself.
const Input = z.object({ downloadDir: z.string(), version: z.string(), file: z.string() });
const { downloadDir, version, file } = Input.parse(JSON.parse(await text(process.stdin)));

const { TestWorkflowEnvironment } = await import('@temporalio/testing');
try {
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, version }, log: { format: 'json', level: 'error' } },
  });
  await environment.teardown();
} catch (error) {
  // The SDK downloads, then starts; a machine too slow for its five seconds still has the file.
  if (!existsSync(file)) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
