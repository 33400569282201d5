import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Gentlest first: each signal is given its time before the next is sent. */
export type StopStep = readonly [signal: NodeJS.Signals, waitMs: number];

const ASK_AGAIN_MS = 50;
const HAS_PROC = existsSync('/proc/self/cmdline');
const executeFile = promisify(execFile);

/** The process runs and one of its arguments is `argument`; a zombie has none, a recycled pid has others. */
export async function runsWithArgument(pid: number, argument: string): Promise<boolean> {
  try {
    if (HAS_PROC) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument);
    const { stdout } = await executeFile('ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
    return ` ${stdout.trim()} `.includes(` ${argument} `);
  } catch {
    return false;
  }
}

/** When the process began, in whatever words this system has for it: with the pid it names one process for good. */
export async function readStartTime(pid: number): Promise<string | null> {
  try {
    if (HAS_PROC) {
      // The name in brackets may hold spaces; what follows it does not, and the 20th of those is the start in ticks since boot.
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

/** Ends a process we did not spawn, after making sure at every step that it still is the one that was meant. */
export async function endProcess(pid: number, argument: string, steps: readonly StopStep[]): Promise<boolean> {
  for (const [signal, waitMs] of steps) {
    if (!(await runsWithArgument(pid, argument))) return true;
    sendSignal(pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!(await runsWithArgument(pid, argument))) return true;
      await sleep(ASK_AGAIN_MS);
    }
  }
  return false;
}

/** A process that has gone meanwhile needs no signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a command to its end and returns what it printed; its own process group, so that it ends with all it started. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const limit = AbortSignal.timeout(options.timeoutMs);
  const stop = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  stop.throwIfAborted();
  const child = spawn(command, args, { stdio: 'pipe', detached: true, env: options.env ?? process.env });
  const endGroup = () => child.pid !== undefined && sendSignal(-child.pid, 'SIGKILL');
  stop.addEventListener('abort', endGroup);
  let printed = '';
  let complained = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    if (options.signal?.aborted) throw new Error('interrupted');
    if (limit.aborted) throw new Error(`took longer than ${options.timeoutMs / 1_000} s`);
    if (code !== 0) throw new Error(lastLines(complained) || `ended with code ${code}`);
    return printed;
  } finally {
    stop.removeEventListener('abort', endGroup);
  }
}

/** One of our own TypeScript files in a process of its own, for libraries that would take over this one. */
export async function runScript(script: URL, input: unknown, options: Omit<RunOptions, 'input'>): Promise<string> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return await run(process.execPath, ['--import', loader, fileURLToPath(script)], { ...options, input: JSON.stringify(input) });
}

export function lastLines(text: string, count = 8): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
