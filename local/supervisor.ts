import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../platform/backoff.js';
import type { Logger } from '../platform/log.js';
import { StartError } from '../platform/start-error.js';
import { childEnvironment, endProcess, lastLines, type Owner, runsWithArgument, type StopStep } from './processes.js';

export interface ChildSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The argument that identifies a pid from a file as this child: a path inside our folder. */
  readonly marker: string;
  readonly owner?: Owner | undefined;
  readonly pidFile: string;
  readonly logFile: string;
  readonly stopSteps: readonly StopStep[];
  /** Resolves when the child is ready. */
  readonly probe: () => Promise<void>;
  readonly readyTimeoutMs: number;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

export interface SupervisedChild {
  /** Undefined while the child is not running. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

const PROBE_EVERY_MS = 100;
const FIRST_START_ATTEMPTS = 4;
const RESTART_BACKOFF = { baseMs: 250, maxMs: 30_000 };
const STEADY_AFTER_MS = 60_000;
const LOG_FILE_LIMIT_BYTES = 10_000_000;

/** Ends the child of an earlier parent that was killed. Returns true when there was one. */
export async function endOrphan(spec: Pick<ChildSpec, 'name' | 'marker' | 'stopSteps' | 'log'>, pidFile: string): Promise<boolean> {
  const pid = readPid(pidFile);
  if (pid === null || !(await runsWithArgument(pid, spec.marker))) return false;
  spec.log.warn({ pid }, `${spec.name} of an earlier run is still running: stopping it`);
  if (!(await endProcess(pid, spec.marker, spec.stopSteps)))
    throw new StartError(`${spec.name} of an earlier run (pid ${pid}) does not stop. Stop it (kill -9 ${pid}), then start again.`);
  return true;
}

/** Starts a child, waits until it is ready, and from then on restarts it when it ends unexpectedly. */
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
      const delayMs = backoffMs(failures, RESTART_BACKOFF);
      failures += 1;
      log.warn({ reason, delayMs, restart: failures }, `${name} ended unexpectedly: restarting it in ${delayMs} ms`);
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
      // A process or a lock of a killed predecessor can need a moment to disappear.
      const endedByItself = child === undefined && !isAborted();
      if (!endedByItself || attempt === FIRST_START_ATTEMPTS) {
        await stop();
        throw error;
      }
      await sleep(backoffMs(attempt, RESTART_BACKOFF));
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
  // To a file, because a pipe without a reader would end a child that outlives its parent.
  if (existsSync(spec.logFile) && statSync(spec.logFile).size > LOG_FILE_LIMIT_BYTES) renameSync(spec.logFile, `${spec.logFile}.1`);
  const logFile = openSync(spec.logFile, 'a', 0o600);
  try {
    // In its own process group, because Ctrl-C must reach only the parent, which stops the parts in order.
    const child = spawn(spec.command, spec.args, {
      stdio: ['ignore', logFile, logFile],
      detached: true,
      env: childEnvironment(),
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

/** Reads the first line of a pid file. Postgres writes more lines below it. */
export function readPid(file: string): number | null {
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}
