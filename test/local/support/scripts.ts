import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../local/ports.js';
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
 * Removed after the test, together with the processes and the cluster that use it. With `below`, the first folder is
 * private, so that the user of Postgres cannot reach the returned one when the tests run as root.
 */
export async function temporaryFolder(below = ''): Promise<string> {
  const closed = await mkdtemp(path.join(tmpdir(), 'alert-investigator-local-'));
  const folder = path.join(closed, below);
  mkdirSync(folder, { recursive: true });
  onTestFinished(async () => {
    // Ends the servers of a parent that the test killed.
    for (const { pid, marker } of await serversIn(folder)) await endProcess(pid, marker, END_STEPS);
    removePostgres(path.join(folder, 'postgres'));
    rmSync(closed, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return folder;
}

/** The port of a server that runs until the end of the test. */
export async function occupyPort(): Promise<string> {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return String(port);
}

export interface Server {
  readonly name: 'Postgres' | 'Temporal';
  readonly pid: number;
  /** The argument that distinguishes this server from an unrelated process with the same pid. */
  readonly marker: string;
}

/** The servers that currently run on this folder. */
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
  /** The complete output, on both channels. */
  readonly printed: () => string;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** Resolves with the first match in the output, and fails when the process ends without one. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
}

interface ScriptOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Runs a TypeScript file in a separate process that a test can kill. */
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
