import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 20_000;

export const Memory = z.object({ rssBytes: z.number(), heapUsedBytes: z.number() });
export type Memory = z.infer<typeof Memory>;

const Ready = z.object({ ready: z.object({ url: z.string() }) });
const MemoryReply = z.object({ memory: Memory });

export interface Child {
  /** Where it listens; empty for one that does not. */
  readonly url: string;
  readonly pid: number;
  /** After a garbage collection. */
  memory(): Promise<Memory>;
  stop(): Promise<void>;
}

/** One of the bench's processes; it says that it is ready and ends when we let go of it, however we end. */
export async function startChild(script: URL, input: unknown): Promise<Child> {
  const name = path.basename(fileURLToPath(script));
  const child = fork(fileURLToPath(script), {
    execArgv: ['--expose-gc', '--import', TSX],
    env: { ...process.env, BENCH_INPUT: JSON.stringify(input) },
    // What this process prints is the result alone.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const exited = once(child, 'exit');
  const answer = async <T>(schema: z.ZodType<T>, limitMs: number): Promise<T> => {
    const dead = exited.then(([code]) => {
      throw new Error(`${name} ended with code ${code}`);
    });
    const [message] = await Promise.race([once(child, 'message', { signal: AbortSignal.timeout(limitMs) }), dead]);
    return schema.parse(message);
  };
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await Promise.race([exited, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
    if (child.exitCode === null) child.kill('SIGKILL');
    await exited;
  };
  try {
    const { ready } = await answer(Ready, START_LIMIT_MS);
    return {
      url: ready.url,
      pid: child.pid ?? 0,
      async memory() {
        child.send('memory');
        return (await answer(MemoryReply, START_LIMIT_MS)).memory;
      },
      stop,
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** The other side of `startChild`: what the child was given. */
export function childInput<T>(schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(process.env['BENCH_INPUT'] ?? ''));
}

/** Says that the child is ready, answers questions, and ends it with its parent. */
export function serveParent(ready: { url: string }, stop: () => Promise<void>): void {
  // The terminal sends Ctrl-C to everyone; the parent knows the order in which to stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('message', () => {
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({ memory: { rssBytes: rss, heapUsedBytes: heapUsed } });
  });
  const end = () => void stop().finally(() => process.exit());
  process.once('disconnect', end);
  // A parent that went away while we were starting says nothing any more.
  if (process.connected) process.send?.({ ready });
  else end();
}
