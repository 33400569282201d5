import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLines, run } from '../../local/processes.js';
import { type ManagedProcess, manageProcess } from './managed-process.js';
import { until } from './waiting.js';

export type Environment = Readonly<Record<string, string>>;

export interface ServiceProcessOptions {
  readonly name: string;
  readonly command: 'api' | 'worker' | 'agent';
  /** The port of its health check. An agent has none. */
  readonly port: number;
  readonly env: Environment;
  readonly folder: string;
  /** The compiled command line of another build. Default: dist/. */
  readonly cli?: string;
  readonly nodeArguments?: readonly string[];
}

export interface ServiceProcess extends Pick<ManagedProcess, 'pid' | 'kill' | 'stop'> {
  readonly name: string;
  readonly url: string;
  isRunning(): boolean;
  /** Rejects when the process ends or is not ready in time. */
  untilReady(signal: AbortSignal): Promise<void>;
  /** A value of `/metrics`, or 0 when it is missing. */
  metric(line: string): Promise<number>;
  endOfLog(): string;
}

/** The compiled command line, as in the image. */
const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const COMMAND_LIMIT_MS = 120_000;
const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 5_000;
const LOG_LINES = 12;
const LOG_LINE_LENGTH = 300;

/** Runs one container of docker-compose.yml as a process: compiled code with only the given environment. */
export function startServiceProcess({ name, command, port, env, folder, ...options }: ServiceProcessOptions): ServiceProcess {
  const logFile = path.join(folder, `${name.replaceAll(' ', '-')}.log`);
  const output = openSync(logFile, 'a', 0o600);
  const url = `http://127.0.0.1:${port}`;
  const { cli = CLI, nodeArguments = [] } = options;
  // In its own process group, because Ctrl-C must reach only the parent. In a folder without a .env file.
  const child = spawn(process.execPath, ['--enable-source-maps', ...nodeArguments, cli, command], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', output, output],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production', ...env },
  });
  closeSync(output);
  const { end, ...managed } = manageProcess(child, { name, limitMs: STOP_LIMIT_MS, ask: () => child.kill('SIGTERM') });
  const endOfLog = () => {
    const lines = lastLines(readFileSync(logFile, 'utf8'), LOG_LINES).split('\n');
    return lines.map((line) => (line.length > LOG_LINE_LENGTH ? `${line.slice(0, LOG_LINE_LENGTH)} …` : line)).join('\n');
  };

  return {
    ...managed,
    name,
    url,
    isRunning: () => end() === null,
    endOfLog,
    async untilReady(signal) {
      await until(
        async () => {
          if (end() !== null) throw new Error(`${name} ended while starting: ${end()}`);
          const instead = await findReasonNotReady(url);
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
  };
}

/** Runs a command of the compiled command line to its end. Returns its output. */
export async function runCommand(args: readonly string[], env: Environment, signal: AbortSignal): Promise<string> {
  return run(process.execPath, [CLI, ...args], { timeoutMs: COMMAND_LIMIT_MS, signal, env: { PATH: process.env['PATH'], ...env } });
}

/** Null when ready, else the reason. */
async function findReasonNotReady(url: string): Promise<string | null> {
  try {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    const text = await reply.text();
    // An API without Temporal is ready but degraded, which is not enough here.
    return reply.ok && !text.includes('degraded') ? null : `returns ${reply.status}: ${text}`;
  } catch (error) {
    return `does not answer: ${String(error)}`;
  }
}
