import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

// A separate process, because the SDK has one runtime per process and the worker configures it.
const Input = z.object({ downloadDir: z.string(), version: z.string(), file: z.string() });
const { downloadDir, version, file } = Input.parse(JSON.parse(await text(process.stdin)));

const { TestWorkflowEnvironment } = await import('@temporalio/testing');
try {
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, version }, log: { format: 'json', level: 'error' } },
  });
  await environment.teardown();
} catch (error) {
  // The SDK downloads and then starts the server. On a slow machine the start times out, and the file is complete.
  if (!existsSync(file)) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
