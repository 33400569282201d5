import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { endProcess } from '../../../local/processes.js';
import { readPid } from '../../../local/supervisor.js';
import { findTemporalCli } from '../../../local/temporal-cli.js';
import { createLogger } from '../../../platform/log.js';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

export const quietLog = createLogger('silent', 'test');
export const temporalCli = () => findTemporalCli({ given: process.env['TEMPORAL_CLI'], log: quietLog });

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'alert-investigator-local-'));
  onTestFinished(async () => {
    await endServersIn(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return folder;
}

/** What a parent that a test killed has left; none when the test went well. */
async function endServersIn(folder: string): Promise<void> {
  const left = [
    ['postgres/postgres.pid', 'postgres/data'],
    ['temporal/temporal.pid', 'temporal/temporal.db'],
  ] as const;
  for (const [pidFile, marker] of left) {
    const pid = readPid(path.join(folder, pidFile));
    if (pid !== null)
      await endProcess(pid, path.join(folder, marker), [
        ['SIGQUIT', 10_000],
        ['SIGKILL', 5_000],
      ]);
  }
}

export interface Script {
  readonly process: ChildProcess;
  /** All it has printed, on both channels. */
  readonly printed: () => string;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** The first match in what it prints; fails when it ends without. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
}

/** A TypeScript file in a process of its own, which a test may kill. */
export function startScript(file: URL, args: readonly string[] = [], options: { env?: NodeJS.ProcessEnv; cwd?: string } = {}): Script {
  const child = spawn(process.execPath, ['--import', TSX, fileURLToPath(file), ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let text = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    process: child,
    printed: () => text,
    ended,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(text);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        void ended.then((how) => reject(new Error(`It ended (${how}) without printing ${pattern}:\n${text}`)));
        look();
      }),
  };
}
