import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { StartError } from '../../platform/start-error.js';

export interface BoundedRun {
  /** Removed at the end. */
  readonly folder: string;
  /** Aborted by a signal to this process, by the time limit, and by `stop`. */
  readonly signal: AbortSignal;
  stop(reason: unknown): void;
  /** For the head of a report. */
  describe(): RunDescription;
}

export interface RunDescription {
  readonly date: string;
  readonly minutes: number;
  readonly machine: string;
}

export interface BoundedRunOptions {
  /** In messages: `fault run`. */
  readonly name: string;
  readonly limitMinutes: number;
}

/** Runs a command that starts servers of its own, then ends this process: with 1 if `work` throws or sets that exit code. */
export async function runBounded({ name, limitMinutes }: BoundedRunOptions, work: (run: BoundedRun) => Promise<void>): Promise<never> {
  const stopping = new AbortController();
  for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(each, () => stopping.abort(new StartError(`${each}: the ${name} was stopped.`)));
  const tooLong = new StartError(`The ${name} took longer than its limit of ${limitMinutes} minutes.`);
  setTimeout(() => stopping.abort(tooLong), limitMinutes * 60_000).unref();

  const began = Date.now();
  const folder = mkdtempSync(path.join(tmpdir(), `alert-investigator-${name.replaceAll(' ', '-')}-`));
  // The user postgres, which runs Postgres for root, needs to pass through it.
  chmodSync(folder, 0o711);
  try {
    await work({
      folder,
      signal: stopping.signal,
      stop: (reason) => stopping.abort(reason),
      describe: () => ({
        date: new Date(began).toISOString().slice(0, 10),
        minutes: Math.round((Date.now() - began) / 6_000) / 10,
        machine: `${cpus().length} cores, Node.js ${process.version}`,
      }),
    });
  } catch (error) {
    process.exitCode = 1;
    const cause = stopping.signal.aborted ? stopping.signal.reason : error;
    console.error(cause instanceof StartError ? cause.message : cause);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  process.exit();
}

/** The names of the parts that a user wants; none: all. */
export function requireParts(name: string, known: readonly string[], wanted: readonly string[]): readonly string[] {
  const unknown = wanted.filter((each) => !known.includes(each));
  if (unknown.length > 0) throw new StartError(`The ${name} has no part ${unknown.join(', ')}. Its parts are ${known.join(', ')}.`);
  return wanted.length === 0 ? known : wanted;
}
