import { once } from 'node:events';
import path from 'node:path';
import { surviveDatabaseLoss } from '../db/database-loss.js';
import { SET_UP_COMMAND, storeAdminKey } from '../platform/first-admin.js';
import { createLogger } from '../platform/log.js';
import { loadEnvFile, readSettings, type Settings, SettingsError } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { clusterElsewhere } from './postgres/cluster.js';
import { type RunningService, startService } from './service.js';

const stopRequest = new AbortController();
/** The output of a service that is not in a terminal may be collected as a log. */
const isTerminal = process.stdout.isTTY;
let adminKey: string | null = null;
let adminKeyFile: string | null = null;

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
      isTerminal,
      onAdminKey: (key) => {
        if (isTerminal) adminKey = key;
        else adminKeyFile = storeAdminKey(settings.DATA_DIR, key);
      },
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

function formatSummary(
  service: RunningService,
  settings: Settings,
  demo: { summary: string; adminKey: string; keyFile: string | null } | null,
): string {
  const postgresFolder = settings.DATABASE_URL === undefined ? clusterElsewhere(path.join(service.dataFolder, 'postgres')) : null;
  const lines = [
    ...(demo === null ? [] : [['Demo', demo.summary]]),
    ['Dashboard', service.apiUrl],
    ['API', `${service.apiUrl}/platformapi`],
    ['API docs', `${service.apiUrl}/docs`],
    ['Temporal Web', service.temporalWebUrl ?? 'see the server in TEMPORAL_ADDRESS'],
    ...describeSetUp(service),
    ...(service.secondPersonLink === null ? [] : [['Second link', `${service.secondPersonLink}  (once: a second person, who approves)`]]),
    ...(service.vouchCommand === null ? [] : [['Vouch', `${service.vouchCommand}  (their approvals do not count where two are needed)`]]),
    ['Admin API key', demo?.keyFile ? describeStoredKey(demo.adminKey, demo.keyFile) : describeAdminKey(settings)],
    ['Data', postgresFolder === null ? service.dataFolder : `${service.dataFolder} (Postgres: ${postgresFolder})`],
  ];
  const table = lines.map(([name, value]) => `  ${name?.padEnd(15)}${value}`).join('\n');
  return `\nalert-investigator is ready.\n\n${table}\n\nPress Ctrl-C to stop. No data is lost.\n`;
}

function describeSetUp({ needsFirstUser, setUpLink }: RunningService): string[][] {
  if (setUpLink !== null) return [['Set-up link', `${setUpLink}  (once: creates the first admin user)`]];
  return needsFirstUser ? [['First user', `${SET_UP_COMMAND}  (shows the link that creates the first admin user)`]] : [];
}

function describeStoredKey(key: string, file: string): string {
  return isTerminal ? `${key}  (stored in ${file})` : `stored in ${file}`;
}

function describeAdminKey({ ADMIN_API_KEY }: Settings): string {
  if (adminKey !== null) return `${adminKey}  (shown only once: the database stores its hash)`;
  if (adminKeyFile !== null) return `stored in ${adminKeyFile}  (the database stores its hash)`;
  return ADMIN_API_KEY === undefined
    ? 'the key that the first start showed (to replace a lost key, set ADMIN_API_KEY and start again)'
    : 'the value of ADMIN_API_KEY';
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
