import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../local/ports.js';
import { removePostgres } from '../../local/postgres/cluster.js';
import { run } from '../../local/processes.js';
import { SETTING_NAMES } from '../../platform/settings.js';
import { manageProcess } from '../processes/managed-process.js';
import { median, round, timed } from './measures.js';
import type { Part } from './report.js';
import { progress, type Stage } from './stage.js';

const BIN = fileURLToPath(new URL('../../bin/alert-investigator', import.meta.url));
const LATER_STARTS = 3;
const IDLE_MS = 10_000;
const START_LIMIT_MS = 600_000;
const STOP_LIMIT_MS = 60_000;
const MAX_RSS_MB = 400;
const MAX_READY_SECONDS = 6;

interface Start {
  readonly readySeconds: number;
  /** Resident memory of the Node process, without Postgres and Temporal. */
  readonly rssMb: number;
}

/** Runs `alert-investigator start` several times on one data folder: the time until it is ready, and its memory when idle. */
export async function measureStartup(stage: Stage): Promise<Part> {
  const folder = path.join(stage.folder, 'startup');
  try {
    const helpMs = median(
      await repeat(LATER_STARTS, () => timed(() => run(process.execPath, [BIN, '--help'], { timeoutMs: START_LIMIT_MS }))),
    );
    const first = await measureStart(stage, folder);
    const later = await repeat(LATER_STARTS, () => measureStart(stage, folder));
    const readySeconds = median(later.map((start) => start.readySeconds));
    const rssMb = median(later.map((start) => start.rssMb));
    const toHelp = (seconds: number) => `${round((seconds * 1000) / helpMs, 1)}×`;
    return {
      name: 'startup',
      title: '`npm start`: time until ready, and idle memory of the Node process',
      columns: ['', 'ready, s', 'compared with `--help`', 'resident when idle, MB'],
      rows: [
        ['first start on an empty data folder', round(first.readySeconds, 1), toHelp(first.readySeconds), Math.round(first.rssMb)],
        [`later starts (median of ${LATER_STARTS})`, round(readySeconds, 1), toHelp(readySeconds), Math.round(rssMb)],
      ],
      bars: [
        { name: 'seconds until a later start is ready', measured: readySeconds, atMost: MAX_READY_SECONDS },
        { name: 'resident MB when idle, first start', measured: first.rssMb, atMost: MAX_RSS_MB },
        { name: 'resident MB when idle, later starts', measured: rssMb, atMost: MAX_RSS_MB },
      ],
      notes: [
        `Memory is measured ${IDLE_MS / 1000} s after the start. \`alert-investigator --help\` takes ${round(helpMs / 1000)} s on this machine: Node, the TypeScript loader and the command line.`,
      ],
      details: { helpMs, first, later },
    };
  } finally {
    removePostgres(path.join(folder, 'postgres'));
  }
}

async function measureStart(stage: Stage, folder: string): Promise<Start> {
  stage.signal.throwIfAborted();
  const inherited = Object.entries(process.env).filter(([name]) => name === 'TEMPORAL_CLI' || !SETTING_NAMES.includes(name));
  const ports = { PORT: String(await freePort()), TEMPORAL_UI_PORT: String(await freePort()) };
  const began = performance.now();
  const child = spawn(process.execPath, [BIN, 'start'], {
    cwd: stage.folder,
    env: { ...Object.fromEntries(inherited), ...ports, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    // In its own process group, because Ctrl-C must reach only this process.
    detached: true,
  });
  const stop = () => child.kill('SIGINT');
  const managed = manageProcess(child, { name: '`alert-investigator start`', limitMs: STOP_LIMIT_MS, ask: stop });
  stage.signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([untilReady(child.stdout), managed.rejectAtEnd()]);
    const readySeconds = (performance.now() - began) / 1000;
    await delay(IDLE_MS, undefined, { signal: stage.signal });
    const rssKib = await run('ps', ['-o', 'rss=', '-p', String(child.pid)], { timeoutMs: 10_000 });
    const rssMb = (Number(rssKib) * 1024) / 1e6;
    progress(`startup: ready after ${round(readySeconds, 1)} s, ${Math.round(rssMb)} MB`);
    return { readySeconds, rssMb };
  } finally {
    stage.signal.removeEventListener('abort', stop);
    await managed.stop();
  }
}

/** Reads all output, because a full pipe would stop the process. */
function untilReady(output: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    let text = '';
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('alert-investigator is ready.')) resolve();
    });
  });
}

async function repeat<T>(count: number, measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let done = 0; done < count; done += 1) results.push(await measure());
  return results;
}
