import { once } from 'node:events';
import path from 'node:path';
import { surviveDatabaseLoss } from '../db/database-loss.js';
import { createLogger } from '../platform/log.js';
import { loadEnvFile, readSettings, type Settings, SettingsError } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { DEMO_DATA_DIR, startDemo } from './demo/demo.js';
import { clusterElsewhere } from './postgres/cluster.js';
import { type RunningService, startService } from './service.js';

const stopRequest = new AbortController();
const isDemo = process.argv.includes('--demo');
let adminKey: string | null = null;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    say(
      stopRequest.signal.aborted ? 'Still stopping; the log says what is being waited for.' : `\n${signal}: stopping everything in order …`,
    );
    stopRequest.abort();
  });
}

try {
  loadEnvFile();
  const given = readSettings(isDemo ? { ...process.env, DATA_DIR: process.env['DATA_DIR'] || DEMO_DATA_DIR } : process.env);
  const demo = isDemo ? await startDemo(given, stopRequest.signal) : null;
  const settings = demo?.settings ?? given;
  const log = createLogger(settings.LOG_LEVEL, 'local', { pretty: process.stdout.isTTY });
  surviveDatabaseLoss(log, fail);
  const service = await startService({
    settings,
    log,
    signal: stopRequest.signal,
    onAdminKey: (key) => (adminKey = key),
  });
  try {
    say(formatSummary(service, settings, demo === null ? null : { ...demo, summary: await demo.seed(service.apiUrl) }));
    if (!stopRequest.signal.aborted) await once(stopRequest.signal, 'abort');
  } finally {
    await service.stop();
    await demo?.stop();
  }
  say('Everything is stopped. The data is kept for the next start.');
} catch (error) {
  fail(error);
  // This key is in the database already, and will not be shown again.
  if (adminKey !== null) say(`The admin API key was made before that: ${adminKey}`);
}
process.exit();

function fail(error: unknown): void {
  const forTheUser = error instanceof StartError || error instanceof SettingsError;
  // Being interrupted while starting is no failure.
  if (!(forTheUser && stopRequest.signal.aborted)) process.exitCode = 1;
  console.error(forTheUser ? error.message : error);
  stopRequest.abort();
}

function formatSummary(service: RunningService, settings: Settings, demo: { summary: string; shownKey: string } | null): string {
  const adminKeyGiven = settings.ADMIN_API_KEY !== undefined;
  const oldKey = adminKeyGiven ? 'the one in ADMIN_API_KEY' : 'as shown at the first start (lost? set ADMIN_API_KEY and start again)';
  const postgresPlace = settings.DATABASE_URL === undefined ? clusterElsewhere(path.join(service.dataFolder, 'postgres')) : null;
  const newKey = adminKey === null ? oldKey : `${adminKey}  (shown this once: only its hash is kept)`;
  const lines = [
    ...(demo === null ? [] : [['Demo', demo.summary]]),
    ['Dashboard', service.apiUrl],
    ['API', `${service.apiUrl}/platformapi`],
    ['API docs', `${service.apiUrl}/docs`],
    ['Temporal Web', service.temporalWebUrl ?? 'the one of the server in TEMPORAL_ADDRESS'],
    ['Admin API key', demo?.shownKey ?? newKey],
    ['Data', postgresPlace === null ? service.dataFolder : `${service.dataFolder} (Postgres: ${postgresPlace})`],
  ];
  const table = lines.map(([name, value]) => `  ${name?.padEnd(15)}${value}`).join('\n');
  return `\nThe alert investigator is ready.\n\n${table}\n\nCtrl-C stops everything in order; nothing is lost.\n`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
