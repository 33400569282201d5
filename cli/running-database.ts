import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseErrorCode, isDatabaseAway } from '../db/client.js';
import { type Settings, SettingsError } from '../platform/settings.js';

import { StartError } from '../platform/start-error.js';

/** The database of the service that `npm start` runs. */
export const EMBEDDED_DATABASE = 'alert_investigator';

/** Of the setting, or of the service that `npm start` runs on the data folder. */
export function findDatabaseUrl({ DATABASE_URL, DATA_DIR }: Settings): string {
  if (DATABASE_URL !== undefined) return DATABASE_URL;
  const [password, port] = ['password', 'port'].map((name) => path.resolve(DATA_DIR, 'postgres', name));
  if (!password || !port || !existsSync(password) || !existsSync(port))
    throw new StartError(`Set DATABASE_URL, or DATA_DIR to the data folder of the running service (${path.resolve(DATA_DIR)} is none).`);
  const read = (file: string) => readFileSync(file, 'utf8').trim();
  return `postgres://postgres:${read(password)}@127.0.0.1:${read(port)}/${EMBEDDED_DATABASE}`;
}

/** What a script that asks the running service's database says of its failure. */
export function describeFailure(error: unknown): unknown {
  if (error instanceof StartError || error instanceof SettingsError) return error.message;
  if (!isDatabaseAway(error)) return error;
  return `The database does not answer (${databaseErrorCode(error)}). Is the service running, or DATABASE_URL set?`;
}

/** For a script that tests import, too: what it does when it is the one that was called. */
export async function runIfCalled(script: string, main: () => Promise<void>): Promise<void> {
  if (process.argv[1] !== fileURLToPath(script)) return;
  try {
    await main();
  } catch (error) {
    console.error(describeFailure(error));
    process.exitCode = 1;
  }
}
