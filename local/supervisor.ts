import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../platform/log.js';
import { StartError } from '../platform/start-error.js';
import { endProcess, lastLines, type Owner, runsWithArgument, type StopStep } from './processes.js';

export interface ChildSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The one of its arguments by which a pid from a file is recognised as ours: a path inside our folder. */
  readonly marker: string;
  readonly owner?: Owner | undefined;
  readonly pidFile: string;
  readonly logFile: string;
  readonly stopSteps: readonly StopStep[];
  /** Resolves once the child does its work. */
  readonly probe: () => Promise<void>;
  readonly readyTimeoutMs: number;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

export interface SupervisedChild {
  /** Undefined while it is down. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

const PROBE_EVERY_MS = 100;
const FIRST_START_ATTEMPTS = 4;
const FIRST_RESTART_DELAY_MS = 250;
const LONGEST_RESTART_DELAY_MS = 30_000;
const STEADY_AFTER_MS = 60_000;
const LOG_FILE_LIMIT_BYTES = 10_000_000;

/** Ends what an earlier, killed parent left running. True when there was something to end. */
export async function endOrphan(spec: Pick<ChildSpec, 'name' | 'marker' | 'stopSteps' | 'log'>, pidFile: string): Promise<boolean> {
  const pid = readPid(pidFile);
  if (pid === null || !(await runsWithArgument(pid, spec.marker))) return false;
  spec.log.warn({ pid }, `${spec.name} of an earlier run is still there: ending it`);
  if (!(await endProcess(pid, spec.marker, spec.stopSteps)))
    throw new StartError(`${spec.name} of an earlier run (pid ${pid}) does not end. End it yourself, then start again.`);
  return true;
}

/** Starts a child, waits until it is ready, and from then on starts it again whenever it ends without being asked to. */
export async function supervise(spec: ChildSpec): Promise<SupervisedChild> {
  const { name, log } = spec;
  let child: ChildProcess | undefined;
  let ended: Promise<string> = Promise.resolve('not started');
  let stopping: Promise<void> | undefined;
  let failures = 0;
  const wake = new AbortController();

  const launch = () => {
    const started = spawnChild(spec);
    child = started;
    ended = new Promise((resolve) => {
      started.once('error', (error) => resolve(error.message));
      started.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    });
    void ended.then(() => (child = undefined));
  };

  const watch = async () => {
    for (;;) {
      const readySince = Date.now();
      const reason = await ended;
      if (stopping) return;
      if (Date.now() - readySince > STEADY_AFTER_MS) failures = 0;
      const delayMs = Math.min(FIRST_RESTART_DELAY_MS * 2 ** failures, LONGEST_RESTART_DELAY_MS);
      failures += 1;
      log.warn({ reason, delayMs, restart: failures }, `${name} ended unexpectedly: starting it again in ${delayMs} ms`);
      await sleep(delayMs, undefined, { signal: wake.signal }).catch(() => undefined);
      if (stopping) return;
      launch();
      await untilReady(spec, ended, () => stopping !== undefined).then(
        () => log.info({ pid: child?.pid }, `${name} is back`),
        (error: unknown) => stopping ?? log.warn({ err: error }, `${name} is not ready yet`),
      );
    }
  };

  const end = async () => {
    wake.abort();
    for (const [signal, waitMs] of spec.stopSteps) {
      if (child === undefined) break;
      child.kill(signal);
      await Promise.race([ended, sleep(waitMs, undefined, { ref: false })]);
    }
    await ended;
    rmSync(spec.pidFile, { force: true });
  };

  const stop = () => (stopping ??= end());

  const isAborted = () => spec.signal?.aborted === true;
  for (let attempt = 1; ; attempt += 1) {
    launch();
    try {
      await untilReady(spec, ended, isAborted);
      break;
    } catch (error) {
      // What a killed one has left behind (a backend, a lock) may need a moment to go.
      const endedByItself = child === undefined && !isAborted();
      if (!endedByItself || attempt === FIRST_START_ATTEMPTS) {
        await stop();
        throw error;
      }
      await sleep(FIRST_RESTART_DELAY_MS * 2 ** attempt);
    }
  }
  void watch();
  return {
    get pid() {
      return child?.pid;
    },
    stop,
  };
}

function spawnChild(spec: ChildSpec): ChildProcess {
  // Output goes to a file, not to a pipe: a child that outlives a killed parent must not fail for want of a reader.
  if (existsSync(spec.logFile) && statSync(spec.logFile).size > LOG_FILE_LIMIT_BYTES) renameSync(spec.logFile, `${spec.logFile}.1`);
  const logFile = openSync(spec.logFile, 'a', 0o600);
  try {
    // In a process group of its own: the terminal's Ctrl-C is for us, who know the order in which to stop.
    const child = spawn(spec.command, spec.args, {
      stdio: ['ignore', logFile, logFile],
      detached: true,
      uid: spec.owner?.uid,
      gid: spec.owner?.gid,
    });
    if (child.pid !== undefined) writeFileSync(spec.pidFile, `${child.pid}\n`);
    return child;
  } finally {
    closeSync(logFile);
  }
}

async function untilReady(spec: ChildSpec, ended: Promise<string>, givenUp: () => boolean): Promise<void> {
  let endReason: string | undefined;
  void ended.then((reason) => (endReason = reason));
  const deadline = Date.now() + spec.readyTimeoutMs;
  let refusal: unknown;
  while (Date.now() < deadline && !givenUp()) {
    try {
      await spec.probe();
      if (endReason === undefined) return;
    } catch (error) {
      refusal = error;
    }
    if (endReason !== undefined)
      throw new StartError(`${spec.name} did not start (${endReason}). The end of ${spec.logFile}:\n${readTail(spec.logFile)}`);
    await sleep(PROBE_EVERY_MS);
  }
  if (givenUp()) throw new StartError(`${spec.name} was stopped while it was starting.`);
  throw new StartError(`${spec.name} was not ready within ${spec.readyTimeoutMs / 1_000} s (${String(refusal)}). See ${spec.logFile}.`);
}

function readTail(file: string): string {
  return existsSync(file) ? lastLines(readFileSync(file, 'utf8')) : '(empty)';
}

/** The first line of a pid file (Postgres writes more of them below). */
export function readPid(file: string): number | null {
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}
