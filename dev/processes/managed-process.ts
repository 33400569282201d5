import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

export interface ManagedProcess {
  readonly pid: number | undefined;
  /** The exit code or signal. Null while the process runs. */
  end(): string | null;
  /** Rejects when the process ends. */
  rejectAtEnd(): Promise<never>;
  /** Kills the process, like a crash. */
  kill(): Promise<void>;
  /** Asks the process to stop, and kills it after the limit. Returns its exit code or signal. */
  stop(): Promise<string>;
}

export interface StopOptions {
  readonly name: string;
  readonly limitMs: number;
  ask(): void;
}

/** Follows a process that this one started until it has ended. */
export function manageProcess(child: ChildProcess, { name, limitMs, ask }: StopOptions): ManagedProcess {
  let end: string | null = null;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  void ended.then((how) => (end = how));
  return {
    pid: child.pid,
    end: () => end,
    rejectAtEnd: () =>
      ended.then((how) => {
        throw new Error(`${name} ended: ${how}`);
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      if (end === null) ask();
      await Promise.race([ended, delay(limitMs, undefined, { ref: false })]);
      child.kill('SIGKILL');
      return await ended;
    },
  };
}

/** What a run of a developer tool started. It stops in reverse order. */
export class Started {
  readonly #stops: (() => Promise<unknown>)[] = [];

  add(stop: () => Promise<unknown>): void {
    this.#stops.push(stop);
  }

  /** Stops everything, also if a part fails. Then throws the first failure. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop())
      await stop().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}
