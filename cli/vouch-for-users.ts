import { connectDatabase } from '../db/client.js';
import { loadEnvFile, readSettings, type Settings } from '../platform/settings.js';
import { asService } from '../services/context.js';
import { vouchForUser } from '../services/users/vouch.js';
import { findDatabaseUrl } from './running-database.js';

export async function runVouch(emails: readonly string[]): Promise<void> {
  loadEnvFile();
  await vouch(readSettings(process.env), emails, (line) => process.stdout.write(`${line}\n`));
}

/** Ends at the first address without an account; the accounts before it stay vouched for. */
export async function vouch(settings: Settings, emails: readonly string[], say: (line: string) => void): Promise<void> {
  const database = connectDatabase(findDatabaseUrl(settings), { poolSize: 1, name: 'alert-investigator users' });
  try {
    for (const email of emails) {
      const name = await vouchForUser(asService(database.db), email);
      say(`The approvals of ${name} (${email}) count as those of one person from now on.`);
    }
  } finally {
    await database.close();
  }
}
