import { existsSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { EndedAccess, KeptAccess } from '../db/lifecycle/restored-access.js';
import { isReachable } from '../db/lifecycle/table-copies.js';
import { Keyring } from '../platform/keyring.js';
import { loadEnvFile, readSettings, type Settings } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { temporalConnectionOptions } from '../platform/temporal.js';
import { createBackup } from '../services/backups/create.js';
import { sumRows } from '../services/backups/format.js';
import { requireNamespaceWithoutRuns } from '../services/backups/require-namespace-without-runs.js';
import { type RestoreOptions, restoreBackup } from '../services/backups/restore.js';
import { findDatabaseUrl } from './running-database.js';
import type { Sources } from './sources.js';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Backs up DATABASE_URL, or else the embedded Postgres of DATA_DIR, which it starts if no service runs. */
export async function runBackup(target: string, sources: Sources | null): Promise<void> {
  loadEnvFile();
  const settings = readSettings(process.env);
  const folder = path.resolve(target);
  const url = findDatabaseUrl(settings);
  const keyring = findKeyring(settings);
  if (keyring === null)
    throw new StartError('The command encrypts the backup with the master key. Set MASTER_KEY or MASTER_KEY_FILE to that of the service.');
  const isRunning = settings.DATABASE_URL !== undefined || (await isReachable(url));
  const manifest = isRunning
    ? await createBackup(url, folder, keyring)
    : await withEmbedded(settings, sources, (embedded) => createBackup(embedded, folder, keyring));
  say(`Backed up ${sumRows(manifest)} rows of ${manifest.tables.length} tables to ${folder}.`);
  say(`It is encrypted with the master key ${keyring.currentId}, which is not part of it: keep a copy of the key elsewhere.`);
}

/** Restores into DATABASE_URL, or else into a new embedded Postgres in DATA_DIR. */
export async function runRestore(source: string, sources: Sources | null, given: Omit<RestoreOptions, 'keyring'>): Promise<void> {
  loadEnvFile();
  const settings = readSettings(process.env);
  const options = { ...given, keyring: findKeyring(settings) };
  const folder = path.resolve(source);
  await requireUnusedTemporal(settings);
  const { manifest, pendingWrites, keyIds, ended, kept } =
    settings.DATABASE_URL === undefined
      ? await withEmbedded(settings, sources, (embedded) => restoreBackup(embedded, folder, options))
      : await restoreBackup(settings.DATABASE_URL, folder, options);
  say(`Restored ${sumRows(manifest)} rows of ${manifest.tables.length} tables from ${manifest.created_at}.`);
  if (pendingWrites > 0) say(`${pendingWrites} pending writes are looked up at the third parties before they are sent.`);
  if (keyIds.length > 0) say(`The secrets need the master key ${keyIds.join(', ')}. Provide it before you start the service.`);
  for (const line of [...describeEnded(ended), ...describeKept(kept)]) say(line);
  say('Start the service with a Temporal namespace without runs. It starts the unfinished investigations again within minutes.');
}

/** null: this machine does not have the master key. */
function findKeyring({ MASTER_KEY, MASTER_KEY_FILE, DATA_DIR }: Settings): Keyring | null {
  if (MASTER_KEY !== undefined) return Keyring.of({ MASTER_KEY });
  const file = MASTER_KEY_FILE ?? path.resolve(DATA_DIR, 'master-key');
  return existsSync(file) ? Keyring.of({ MASTER_KEY_FILE: file }) : null;
}

const ENDED_TITLES: Readonly<Record<keyof EndedAccess, string>> = {
  sessions: 'sessions of the dashboard',
  invitations: 'invitations and set-up links',
  api_keys: 'API keys of people and of services that read or decide',
  sender_keys: 'API keys of senders',
  agents: 'tokens of remote agents',
  credential_links: 'links for credentials',
  chat_link_codes: 'codes for linking a chat account',
  chat_accounts: 'linked chat accounts',
  sign_ins: 'unfinished sign-ins',
};

/** The backup cannot know what was revoked after it. */
function describeEnded(ended: EndedAccess): string[] {
  const lines = Object.entries(ENDED_TITLES).map(
    ([kind, title]) => `  ${Object.entries(ended).find(([name]) => name === kind)?.[1] ?? 0} ${title}`,
  );
  return ['Ended, because it may have been revoked after the backup:', ...lines];
}

function describeKept({ localUsers, senderKeys, hasEnvironmentKey }: KeptAccess): string[] {
  return [
    'Still works as at the time of the backup. Compare it with the changes since then:',
    `  ${localUsers} users with a password, and the roles of all users. Deactivate those who left (Settings → Users).`,
    senderKeys.length === 0
      ? '  no API keys of senders'
      : `  ${senderKeys.length} API keys of senders (--end-sender-keys ends them): ${senderKeys.join(', ')}`,
    '  the credentials of connections and notification channels',
    ...(hasEnvironmentKey ? ['  the key of ADMIN_API_KEY, until a start with another one'] : []),
  ];
}

async function requireUnusedTemporal(settings: Settings): Promise<void> {
  if (settings.TEMPORAL_ADDRESS === undefined) {
    const temporal = path.resolve(settings.DATA_DIR, 'temporal');
    if (settings.DATABASE_URL === undefined && existsSync(temporal))
      throw new StartError(`${temporal} has the runs of another database. Set DATA_DIR to a new folder.`);
    return;
  }
  const connection = await Connection.connect(await temporalConnectionOptions(settings));
  try {
    await requireNamespaceWithoutRuns(new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE }));
  } finally {
    await connection.close();
  }
}

async function withEmbedded<Result>(settings: Settings, sources: Sources | null, work: (url: string) => Promise<Result>): Promise<Result> {
  if (sources === null) throw new StartError('This installation has no embedded Postgres. Set DATABASE_URL.');
  const embedded = await sources.startDatabase(settings.DATA_DIR);
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}
