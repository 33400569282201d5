import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type ManagedProcess, manageProcess } from './managed-process.js';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 20_000;

export const Memory = z.object({ rssBytes: z.number(), peakRssBytes: z.number(), heapUsedBytes: z.number() });
export type Memory = z.infer<typeof Memory>;

const Ready = z.object({ ready: z.object({ url: z.string() }) });
const MemoryReply = z.object({ memory: Memory });

export interface Child extends ManagedProcess {
  /** Empty for a child that does not listen. */
  readonly url: string;
  /** Measured after a garbage collection. */
  memory(): Promise<Memory>;
}

/** Starts a child process of the benchmark. It ends with this process, whatever the reason. */
export async function startChild(script: URL, input: unknown): Promise<Child> {
  const name = path.basename(fileURLToPath(script));
  const child = fork(fileURLToPath(script), {
    execArgv: ['--expose-gc', '--import', TSX],
    env: { ...process.env, BENCH_INPUT: JSON.stringify(input) },
    // stdout is only for the result.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const managed = manageProcess(child, { name, limitMs: STOP_LIMIT_MS, ask: () => child.connected && child.disconnect() });
  const answer = async <T>(schema: z.ZodType<T>, limitMs: number): Promise<T> => {
    const answered = once(child, 'message', { signal: AbortSignal.timeout(limitMs) });
    const [message] = await Promise.race([answered, managed.rejectAtEnd()]);
    return schema.parse(message);
  };
  try {
    const { ready } = await answer(Ready, START_LIMIT_MS);
    return {
      ...managed,
      url: ready.url,
      async memory() {
        child.send('memory');
        return (await answer(MemoryReply, START_LIMIT_MS)).memory;
      },
    };
  } catch (error) {
    await managed.kill();
    throw error;
  }
}

/** Reads the input of `startChild` in the child. */
export function childInput<T>(schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(process.env['BENCH_INPUT'] ?? ''));
}

/** In the child: reports that it is ready, answers requests, and ends it with its parent. */
export function serveParent(ready: { url: string }, stop: () => Promise<void>): void {
  // The terminal sends Ctrl-C to every process. The parent stops its children in order.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('message', () => {
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({ memory: { rssBytes: rss, peakRssBytes: process.resourceUsage().maxRSS * 1024, heapUsedBytes: heapUsed } });
  });
  const end = () => void stop().finally(() => process.exit());
  process.once('disconnect', end);
  if (process.connected) process.send?.({ ready });
  else end();
}
