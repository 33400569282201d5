import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../local/processes.js';
import { findTemporalCli } from '../../local/temporal/cli.js';
import { createLogger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';
import { replaceBlock } from '../docs/markdown.js';
import { Installation } from '../faults/installation.js';
import { say } from '../faults/progress.js';
import { runFuzz } from './fuzz.js';
import { runLoad } from './load.js';
import { runMatrix } from './matrix.js';
import { createPrincipals } from './principals.js';
import { type AttackResult, listWrong, renderReport } from './report.js';
import { listRoutes } from './routes.js';
import { prepareVictim } from './victim.js';

export interface AttackOptions {
  readonly requests?: number;
  readonly seed?: number;
  readonly json?: string;
  readonly write?: boolean;
}

const PARTS = ['matrix', 'fuzz', 'load'];
const REQUESTS = 5_000;
const MAX_REQUESTS = 50_000;
const SEED_LIMIT = 1_000_000;
const LIMIT_MINUTES = 30;
const BUILD_LIMIT_MS = 300_000;
const BIN = fileURLToPath(new URL('../../bin/alert-investigator', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../../docs/security-testing.md', import.meta.url));

/** `alert-investigator attack`: attacks an installation that it starts on this machine, and no other one. */
export async function runAttack(wanted: readonly string[], options: AttackOptions): Promise<void> {
  const unknown = wanted.filter((name) => !PARTS.includes(name));
  if (unknown.length > 0) throw new StartError(`The attack has no part ${unknown.join(', ')}. Its parts are ${PARTS.join(', ')}.`);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => stopping.abort(new StartError(`${name}: the attack was stopped.`)));
  const tooLong = new StartError(`The attack took longer than its limit of ${LIMIT_MINUTES} minutes.`);
  setTimeout(() => stopping.abort(tooLong), LIMIT_MINUTES * 60_000).unref();

  const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-attack-'));
  // The user postgres, which runs Postgres for root, needs to pass through it.
  chmodSync(folder, 0o711);
  try {
    const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part);
    const result = await attack(folder, isWanted, options, stopping.signal);
    const report = renderReport(result);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
    if (options.write) writeFileSync(DOCUMENT, replaceBlock(readFileSync(DOCUMENT, 'utf8'), 'attack', report));
    console.log(`\n${report}\n`);
    if (listWrong(result).length > 0) process.exitCode = 1;
  } catch (error) {
    process.exitCode = 1;
    const cause = stopping.signal.aborted ? stopping.signal.reason : error;
    console.error(cause instanceof StartError ? cause.message : cause);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  process.exit();
}

async function attack(
  folder: string,
  isWanted: (part: string) => boolean,
  { requests = REQUESTS, seed = randomInt(SEED_LIMIT) }: AttackOptions,
  signal: AbortSignal,
): Promise<AttackResult> {
  const began = Date.now();
  const log = createLogger('error', 'attack');
  const temporalCli = await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log, signal });
  await run(process.execPath, [BIN, 'build'], { timeoutMs: BUILD_LIMIT_MS, signal });
  say('built dist/');
  const installation = await Installation.start({ folder, temporalCli, log, signal });
  try {
    const { apiUrl: url, adminKey, pg, worker } = installation;
    const target = { url, adminKey, pg, stopWorker: () => worker.stop() };
    const routes = await listRoutes();
    const principals = await createPrincipals(target);
    const victim = await prepareVictim(target, routes, signal);
    const given = { target, victim, routes, principals, signal };
    say(`attacking ${routes.length} routes; no record of the victim for: ${victim.withoutRecord.join(', ') || 'none'}`);
    const matrix = isWanted('matrix') ? await runMatrix(given) : null;
    if (matrix !== null) say(`${matrix.cells} cells, ${matrix.wrong.length} wrong`);
    const load = isWanted('load') ? await runLoad(target, () => installation.api.pid, signal) : [];
    if (load.length > 0) say(`${load.length} loads`);
    const fuzz = isWanted('fuzz') ? await runFuzz({ ...given, seed, requests: Math.min(requests, MAX_REQUESTS) }) : null;
    if (fuzz !== null) say(`${fuzz.requests} fuzzed requests, ${fuzz.wrong.length} wrong`);
    const machine = `${cpus().length} cores, Node.js ${process.version}`;
    const minutes = Math.round((Date.now() - began) / 6_000) / 10;
    return { date: new Date(began).toISOString().slice(0, 10), machine, minutes, matrix, fuzz, load };
  } catch (error) {
    say(installation.endsOfLogs());
    throw error;
  } finally {
    await installation.close();
  }
}
