import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { databaseErrorCode, isDatabaseAway } from '../db/client.js';
import { Keyring } from '../platform/keyring.js';
import { type Settings, SettingsError } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { CommandError } from '../services/errors.js';

/** The name of the database in the embedded Postgres. */
export const EMBEDDED_DATABASE = 'alert_investigator';

/** DATABASE_URL, or else the embedded Postgres of the service that runs on DATA_DIR. */
export function findDatabaseUrl({ DATABASE_URL, DATA_DIR }: Settings): string {
  if (DATABASE_URL !== undefined) return DATABASE_URL;
  const [password, port] = ['password', 'port'].map((name) => path.resolve(DATA_DIR, 'postgres', name));
  if (!password || !port || !existsSync(password) || !existsSync(port))
    throw new StartError(
      `There is no database in ${path.resolve(DATA_DIR)}. Set DATABASE_URL, or set DATA_DIR to the data folder of the running service.`,
    );
  const read = (file: string) => readFileSync(file, 'utf8').trim();
  return `postgres://postgres:${read(password)}@127.0.0.1:${read(port)}/${EMBEDDED_DATABASE}`;
}

/** TEMPORAL_ADDRESS, or else the embedded Temporal of the service that runs on DATA_DIR. */
export function findTemporalAddress({ TEMPORAL_ADDRESS, DATA_DIR }: Settings): string {
  if (TEMPORAL_ADDRESS !== undefined) return TEMPORAL_ADDRESS;
  const port = path.resolve(DATA_DIR, 'temporal', 'port');
  if (!existsSync(port))
    throw new StartError(
      `There is no Temporal server in ${path.resolve(DATA_DIR)}. Set TEMPORAL_ADDRESS, or set DATA_DIR to the data folder of the running service.`,
    );
  return `127.0.0.1:${readFileSync(port, 'utf8').trim()}`;
}

/** The master keys of the service; null where this machine has none. */
export function findKeyring({ MASTER_KEY, MASTER_KEY_FILE, DATA_DIR }: Settings): Keyring | null {
  const file = MASTER_KEY_FILE ?? path.resolve(DATA_DIR, 'master-key');
  return MASTER_KEY === undefined && !existsSync(file) ? null : Keyring.of({ MASTER_KEY, MASTER_KEY_FILE: file });
}

/** The message for a failure that the user can fix, and the error itself for any other failure. */
export function describeFailure(error: unknown): unknown {
  if (error instanceof StartError || error instanceof SettingsError || error instanceof CommandError) return error.message;
  if (!isDatabaseAway(error)) return error;
  return `The database does not answer (${databaseErrorCode(error)}). Start the service, or check DATABASE_URL.`;
}
