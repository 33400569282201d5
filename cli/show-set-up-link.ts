import { connectDatabase } from '../db/client.js';
import { loadEnvFile, readPublicUrl, readSettings, type Settings } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { asService } from '../services/context.js';
import { toSetUpPath } from '../services/installation/prepare-set-up.js';
import { createSetUpLink } from '../services/invitations/create-set-up-link.js';
import { findDatabaseUrl } from './running-database.js';

export async function runSetUpLink(): Promise<void> {
  loadEnvFile();
  process.stdout.write(`${await createLink(readSettings(process.env))}\n`);
}

export async function createLink(settings: Settings): Promise<string> {
  const database = connectDatabase(findDatabaseUrl(settings), { poolSize: 1, name: 'alert-investigator users' });
  try {
    const path = toSetUpPath(await createSetUpLink(asService(database.db)));
    if (path === null) throw new StartError('There are users already. An admin invites others in Settings → Users.');
    return `${readPublicUrl(settings)}${path}`;
  } finally {
    await database.close();
  }
}
