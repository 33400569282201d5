import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { run as runCommand } from '../../local/processes.js';
import { findTemporalCli } from '../../local/temporal/cli.js';
import { createLogger } from '../../platform/log.js';
import { replaceBlock } from '../docs/markdown.js';
import { Installation } from '../faults/installation.js';
import { say } from '../faults/progress.js';
import { type BoundedRun, requireParts, runBounded } from '../processes/bounded-run.js';
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

const NAME = 'attack';
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
  const parts = requireParts(NAME, PARTS, wanted);
  await runBounded({ name: NAME, limitMinutes: LIMIT_MINUTES }, async (run) => {
    const result = await attack(run, parts, options);
    const report = renderReport(result);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
    if (options.write) writeFileSync(DOCUMENT, replaceBlock(readFileSync(DOCUMENT, 'utf8'), 'attack', report));
    console.log(`\n${report}\n`);
    if (listWrong(result).length > 0) process.exitCode = 1;
  });
}

async function attack(
  { folder, signal, describe }: BoundedRun,
  parts: readonly string[],
  { requests = REQUESTS, seed = randomInt(SEED_LIMIT) }: AttackOptions,
): Promise<AttackResult> {
  const log = createLogger('error', 'attack');
  const temporalCli = await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log, signal });
  await runCommand(process.execPath, [BIN, 'build'], { timeoutMs: BUILD_LIMIT_MS, signal });
  say('built dist/');
  const installation = await Installation.start({ folder, temporalCli, log, signal });
  try {
    const { apiUrl: url, adminKey, database, worker } = installation;
    const target = { url, adminKey, database, stopWorker: () => worker.stop() };
    const routes = await listRoutes();
    const principals = await createPrincipals(target);
    const victim = await prepareVictim(target, routes, signal);
    const given = { target, victim, routes, principals, signal };
    say(`attacking ${routes.length} routes; no record of the victim for: ${victim.withoutRecord.join(', ') || 'none'}`);
    const matrix = parts.includes('matrix') ? await runMatrix(given) : null;
    if (matrix !== null) say(`${matrix.cells} cells, ${matrix.wrong.length} wrong`);
    const load = parts.includes('load') ? await runLoad(target, () => installation.api.pid, signal) : [];
    if (load.length > 0) say(`${load.length} loads`);
    const fuzz = parts.includes('fuzz') ? await runFuzz({ ...given, seed, requests: Math.min(requests, MAX_REQUESTS) }) : null;
    if (fuzz !== null) say(`${fuzz.requests} fuzzed requests, ${fuzz.wrong.length} wrong`);
    return { ...describe(), matrix, fuzz, load };
  } catch (error) {
    say(installation.endsOfLogs());
    throw error;
  } finally {
    await installation.close();
  }
}
