import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { SETTING_NAMES } from '../platform/settings.js';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Signals in the order in which to send them, each with the time to wait before the next. */
export type StopStep = readonly [signal: NodeJS.Signals, waitMs: number];

const POLL_MS = 50;
const HAS_PROC = existsSync('/proc/self/cmdline');
const executeFile = promisify(execFile);

/** True when the process runs with this argument. A zombie has no arguments, and a recycled pid has others. */
export async function runsWithArgument(pid: number, argument: string): Promise<boolean> {
  try {
    if (HAS_PROC) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument);
    const { stdout } = await executeFile('ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
    return ` ${stdout.trim()} `.includes(` ${argument} `);
  } catch {
    return false;
  }
}

/** The start time in the format of this system. Together with the pid it identifies a process uniquely. */
export async function readStartTime(pid: number): Promise<string | null> {
  try {
    if (HAS_PROC) {
      // The name in brackets can hold spaces. The 20th field after it is the start in ticks since boot.
      const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
      if (afterName?.[0] === 'Z') return null;
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${afterName?.[19]}`;
    }
    const { stdout } = await executeFile('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

/** Ends a process that this one did not spawn. Checks before each signal that the pid still belongs to that process. */
export async function endProcess(pid: number, argument: string, steps: readonly StopStep[]): Promise<boolean> {
  for (const [signal, waitMs] of steps) {
    if (!(await runsWithArgument(pid, argument))) return true;
    sendSignal(pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!(await runsWithArgument(pid, argument))) return true;
      await sleep(POLL_MS);
    }
  }
  return false;
}

/** Ignores a process that has ended in the meantime. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Settings contain secrets, and no program that we start reads them. The passwords are in the same `.env` for docker compose. */
const WITHHELD = new Set([...SETTING_NAMES, 'POSTGRES_PASSWORD', 'DATABASE_PASSWORD']);

/** The environment for programs that we start. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !WITHHELD.has(name)));
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a command and returns its output. The command has its own process group, so that it ends with all its children. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const limit = AbortSignal.timeout(options.timeoutMs);
  const stop = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  stop.throwIfAborted();
  const child = spawn(command, args, { stdio: 'pipe', detached: true, env: options.env ?? childEnvironment() });
  const endGroup = () => child.pid !== undefined && sendSignal(-child.pid, 'SIGKILL');
  stop.addEventListener('abort', endGroup);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    if (options.signal?.aborted) throw new Error('interrupted');
    if (limit.aborted) throw new Error(`took longer than ${options.timeoutMs / 1_000} s`);
    if (code !== 0) throw new Error(lastLines(stderr) || `ended with code ${code}`);
    return stdout;
  } finally {
    stop.removeEventListener('abort', endGroup);
  }
}

/** Runs one of our TypeScript files in a child process, with `input` as JSON on stdin. */
export async function runScript(script: URL, input: unknown, options: Omit<RunOptions, 'input'>): Promise<string> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return await run(process.execPath, ['--import', loader, fileURLToPath(script)], { ...options, input: JSON.stringify(input) });
}

export function lastLines(text: string, count = 8): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
