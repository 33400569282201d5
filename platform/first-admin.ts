import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StartError } from './start-error.js';

/** Shows the set-up link to the person who runs it on the server. */
export const SET_UP_COMMAND = 'alert-investigator users set-up-link';

/** Logs are collected and stored, so a key that no person sees on a terminal goes to a file of the service's user. Returns its path. */
export function storeAdminKey(dataFolder: string, key: string): string {
  const file = path.resolve(dataFolder, 'admin-key');
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    // The mode counts only for a new file.
    rmSync(file, { force: true });
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `A new database needs an admin key, and this process cannot store it (${reason}). Set ADMIN_API_KEY, set DATA_DIR to a folder that it can write, or run the command in a terminal, which shows the key.`,
    );
  }
  return file;
}
