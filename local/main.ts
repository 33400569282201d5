import { once } from 'node:events';
import path from 'node:path';
import { surviveDatabaseLoss } from '../db/database-loss.js';
import { createLogger } from '../platform/log.js';
import { loadEnvFile, readSettings, type Settings, SettingsError } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { clusterElsewhere } from './postgres/cluster.js';
import { type RunningService, startService } from './service.js';

const stopRequest = new AbortController();
let adminKey: string | null = null;

/** `alert-investigator start` and `demo`: runs until a signal, stops everything in order, and exits. */
export async function runLocalService({ demo: isDemo }: { demo: boolean }): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => requestStop(signal));
  try {
    loadEnvFile();
    const { given, demo } = isDemo ? await loadDemo() : { given: readSettings(process.env), demo: null };
    const settings = demo?.settings ?? given;
    const log = createLogger(settings.LOG_LEVEL, 'local', { pretty: process.stdout.isTTY });
    surviveDatabaseLoss(log, fail);
    const service = await startService({
      settings,
      log,
      signal: stopRequest.signal,
      isDemo,
      onAdminKey: (key) => (adminKey = key),
    });
    try {
      say(formatSummary(service, settings, demo === null ? null : { ...demo, summary: await demo.seed(service.apiUrl) }));
      if (!stopRequest.signal.aborted) await once(stopRequest.signal, 'abort');
    } finally {
      await service.stop();
      await demo?.stop();
    }
    say('Everything has stopped. The data is kept for the next start.');
  } catch (error) {
    fail(error);
    // The database stores only the hash of this key, so this is the last chance to show it.
    if (adminKey !== null) say(`The start created this admin API key before it failed: ${adminKey}`);
  }
  process.exit();
}

async function loadDemo() {
  const { DEMO_DATA_DIR, startDemo } = await import('./demo/demo.js');
  const given = readSettings({ ...process.env, DATA_DIR: process.env['DATA_DIR'] || DEMO_DATA_DIR });
  return { given, demo: await startDemo(given, stopRequest.signal) };
}

function requestStop(signal: NodeJS.Signals): void {
  say(
    stopRequest.signal.aborted ? 'Still stopping. The log shows the part that is not stopped yet.' : `\n${signal}: stopping everything …`,
  );
  stopRequest.abort();
}

function fail(error: unknown): void {
  const isForUser = error instanceof StartError || error instanceof SettingsError;
  // Ctrl-C during the start is not a failure.
  if (!(isForUser && stopRequest.signal.aborted)) process.exitCode = 1;
  console.error(isForUser ? error.message : error);
  stopRequest.abort();
}

function formatSummary(service: RunningService, settings: Settings, demo: { summary: string; shownKey: string } | null): string {
  const postgresFolder = settings.DATABASE_URL === undefined ? clusterElsewhere(path.join(service.dataFolder, 'postgres')) : null;
  const lines = [
    ...(demo === null ? [] : [['Demo', demo.summary]]),
    ['Dashboard', service.apiUrl],
    ['API', `${service.apiUrl}/platformapi`],
    ['API docs', `${service.apiUrl}/docs`],
    ['Temporal Web', service.temporalWebUrl ?? 'see the server in TEMPORAL_ADDRESS'],
    ...(service.setUpLink === null ? [] : [['Set-up link', `${service.setUpLink}  (once: creates the first admin user)`]]),
    ...(service.secondPersonLink === null ? [] : [['Second link', `${service.secondPersonLink}  (once: a second person, who approves)`]]),
    ...(service.vouchCommand === null ? [] : [['Vouch', `${service.vouchCommand}  (their approvals do not count where two are needed)`]]),
    ['Admin API key', demo?.shownKey ?? describeAdminKey(settings)],
    ['Data', postgresFolder === null ? service.dataFolder : `${service.dataFolder} (Postgres: ${postgresFolder})`],
  ];
  const table = lines.map(([name, value]) => `  ${name?.padEnd(15)}${value}`).join('\n');
  return `\nalert-investigator is ready.\n\n${table}\n\nPress Ctrl-C to stop. No data is lost.\n`;
}

function describeAdminKey({ ADMIN_API_KEY }: Settings): string {
  if (adminKey !== null) return `${adminKey}  (shown only once: the database stores its hash)`;
  return ADMIN_API_KEY === undefined
    ? 'the key that the first start showed (to replace a lost key, set ADMIN_API_KEY and start again)'
    : 'the value of ADMIN_API_KEY';
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
