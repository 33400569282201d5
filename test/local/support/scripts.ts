import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { clusterElsewhere, removePostgres } from '../../../local/postgres/cluster.js';
import { endProcess, runsWithArgument, type StopStep } from '../../../local/processes.js';
import { readPid } from '../../../local/supervisor.js';
import { findTemporalCli } from '../../../local/temporal/cli.js';
import { createLogger } from '../../../platform/log.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

export const quietLog = createLogger('silent', 'test');
export const temporalCli = () => findTemporalCli({ given: process.env['TEMPORAL_CLI'], log: quietLog });

const END_STEPS: readonly StopStep[] = [
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
];

/**
 * Gone after the test, with whatever a service has kept in it or left running on it. With a few folders below the first,
 * which is closed to others, it is one that the user Postgres runs as may not reach when the tests run as root.
 */
export async function temporaryFolder(below = ''): Promise<string> {
  const closed = await mkdtemp(path.join(tmpdir(), 'alert-investigator-local-'));
  const folder = path.join(closed, below);
  mkdirSync(folder, { recursive: true });
  onTestFinished(async () => {
    // What a parent that the test killed has left; none when the test went well.
    for (const { pid, marker } of await serversIn(folder)) await endProcess(pid, marker, END_STEPS);
    removePostgres(path.join(folder, 'postgres'));
    rmSync(closed, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return folder;
}

export interface Server {
  readonly name: 'Postgres' | 'Temporal';
  readonly pid: number;
  /** The argument by which a pid is known to be this server and no stranger. */
  readonly marker: string;
}

/** The servers that run on this folder now. */
export async function serversIn(folder: string): Promise<Server[]> {
  const cluster = clusterElsewhere(path.join(folder, 'postgres')) ?? path.join(folder, 'postgres', 'data');
  const candidates = [
    { name: 'Postgres', pid: readPid(path.join(folder, 'postgres', 'postgres.pid')), marker: cluster },
    {
      name: 'Temporal',
      pid: readPid(path.join(folder, 'temporal', 'temporal.pid')),
      marker: path.join(folder, 'temporal', 'temporal.db'),
    },
  ] as const;
  const running: Server[] = [];
  for (const { name, pid, marker } of candidates) {
    if (pid !== null && (await runsWithArgument(pid, marker))) running.push({ name, pid, marker });
  }
  return running;
}

export interface Script {
  readonly process: ChildProcess;
  /** All it has printed, on both channels. */
  readonly printed: () => string;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** The first match in what it prints; fails when it ends without. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
}

interface ScriptOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Runs a TypeScript file in a process of its own, which a test can kill. */
export function startScript(file: URL, args: readonly string[] = [], options: ScriptOptions = {}): Script {
  return startProcess(['--import', TSX, fileURLToPath(file), ...args], options);
}

/** Runs a command of `bin/alert-investigator`, by default of this checkout. */
export function startCommand(
  args: readonly string[],
  { root = ROOT, ...options }: ScriptOptions & { readonly root?: string } = {},
): Script {
  return startProcess([path.join(root, 'bin/alert-investigator'), ...args], options);
}

function startProcess(args: readonly string[], options: ScriptOptions): Script {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
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
