import { childEnvironment, runScript } from '../../local/processes.js';
import { StartError } from '../../platform/start-error.js';
import type { BundleInput } from './bundle-process.js';

const LIMIT_MS = 600_000;

/** Builds one bundle in a child process. */
export async function runBundler(input: BundleInput, signal?: AbortSignal): Promise<void> {
  try {
    // The NODE_ENV of a test run would select the development code of the libraries.
    const env = { ...childEnvironment(), NODE_ENV: 'production' };
    await runScript(new URL('./bundle-process.ts', import.meta.url), input, { env, timeoutMs: LIMIT_MS, signal });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The build of the ${input.bundle} failed: ${reason}`, { cause });
  }
}
