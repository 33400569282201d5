import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lastLines } from '../local/processes.js';
import { until } from './waiting.js';

export interface ServiceProcessOptions {
  readonly name: string;
  readonly command: 'api' | 'worker';
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

export interface ServiceProcess {
  readonly name: string;
  readonly pid: number | undefined;
  readonly url: string;
  isRunning(): boolean;
  /** Rejects when it ends, or is not ready in time. */
  untilReady(signal: AbortSignal): Promise<void>;
  /** As a crash would: nothing is finished, nobody is told. */
  kill(): Promise<void>;
  /** Asks it to stop; how it ended. */
  stop(): Promise<string>;
  /** A number from its `/metrics`, 0 while there is none. */
  metric(line: string): Promise<number>;
  endOfLog(): string;
}

/** The compiled command line, as in the image. */
const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 5_000;
const LOG_LINES = 12;
const LOG_LINE_LENGTH = 300;

/** One container of docker-compose.yml as a process: plain node, compiled code, the environment it is given and no more. */
export function startServiceProcess({ name, command, port, env, folder }: ServiceProcessOptions): ServiceProcess {
  const logFile = path.join(folder, `${name.replaceAll(' ', '-')}.log`);
  const output = openSync(logFile, 'a', 0o600);
  const url = `http://127.0.0.1:${port}`;
  // In a process group of its own: the terminal's Ctrl-C is for us. In an empty folder: no .env is found.
  const child = spawn(process.execPath, ['--enable-source-maps', CLI, command], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', output, output],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production', ...env },
  });
  closeSync(output);
  let end: string | null = null;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  void ended.then((how) => (end = how));
  const endOfLog = () => {
    const lines = lastLines(readFileSync(logFile, 'utf8'), LOG_LINES).split('\n');
    return lines.map((line) => (line.length > LOG_LINE_LENGTH ? `${line.slice(0, LOG_LINE_LENGTH)} …` : line)).join('\n');
  };

  return {
    name,
    pid: child.pid,
    url,
    isRunning: () => end === null,
    endOfLog,
    async untilReady(signal) {
      await until(
        async () => {
          if (end !== null) throw new Error(`${name} ended while starting: ${end}`);
          const instead = await readiness(url);
          return { seen: instead === null, instead: `${name} ${instead}` };
        },
        { limitMs: READY_LIMIT_MS, signal },
      );
    },
    async metric(line) {
      const reply = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
      const found = (await reply.text()).split('\n').find((each) => each.startsWith(`${line} `));
      return found === undefined ? 0 : Number(found.slice(line.length));
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
      child.kill('SIGKILL');
      return await ended;
    },
  };
}

/** null: ready. */
async function readiness(url: string): Promise<string | null> {
  try {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    const text = await reply.text();
    // An API without Temporal answers too, but is not what is rehearsed.
    return reply.ok && !text.includes('degraded') ? null : `answers ${reply.status}: ${text}`;
  } catch (error) {
    return `does not answer: ${String(error)}`;
  }
}
