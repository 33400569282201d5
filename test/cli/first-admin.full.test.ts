import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLink } from '../../cli/show-set-up-link.js';
import type { Database } from '../../db/client.js';
import { findByApiKey } from '../../db/identity/api-keys.js';
import { insertUser } from '../../db/identity/users.js';
import { newUuid } from '../../db/ids.js';
import { readSettings, SETTING_NAMES } from '../../platform/settings.js';
import { prepareSetUp } from '../../services/installation/prepare-set-up.js';
import { migratedDatabase } from '../db/support/database.js';
import { startCommand, temporaryFolder } from '../local/support/scripts.js';

let url: string;
let database: Database;
beforeEach(async () => {
  ({ url, database } = await migratedDatabase());
});

describe('the admin key of a new database, without a terminal', () => {
  const migrate = (folder: string, dataFolder: string) => {
    const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTING_NAMES.includes(name)));
    return startCommand(['migrate'], { cwd: folder, env: { ...inherited, DATABASE_URL: url, DATA_DIR: dataFolder } });
  };

  it('goes to a file that only its user reads, and not to the output', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'admin-key');
    writeFileSync(file, 'of another installation', { mode: 0o644 });
    const script = migrate(folder, folder);
    expect(await script.ended).toBe(0);
    const key = readFileSync(file, 'utf8').trim();
    expect(await findByApiKey(database.db, key)).toMatchObject({ principal: { role: 'admin' } });
    expect(script.printed()).toContain(file);
    expect(script.printed()).not.toMatch(/ai_/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is not created where it cannot be stored', async () => {
    const folder = await temporaryFolder();
    writeFileSync(path.join(folder, 'a-file'), '');
    const script = migrate(folder, path.join(folder, 'a-file'));
    expect(await script.ended).toBe(1);
    expect(script.printed()).toContain('Set ADMIN_API_KEY');
    expect(await database.pg`select 1 from api_keys`).toHaveLength(0);
  });
});

describe('the set-up link', () => {
  it('does not exist after a start without a terminal, whose output may be a log', async () => {
    const quiet = await prepareSetUp(url, { showsLinks: false, isDemo: true });
    expect(quiet).toMatchObject({ needsFirstUser: true, path: null, secondPath: null });
    expect(await database.pg`select 1 from invitations`).toHaveLength(0);
    expect(await prepareSetUp(url, { showsLinks: true })).toMatchObject({ path: expect.stringMatching(/^\/join#in_/) });
  });

  it('is shown by a command while there is no user', async () => {
    const settings = readSettings({ DATABASE_URL: url, PUBLIC_URL: 'https://soc.example' });
    expect(await createLink(settings)).toMatch(/^https:\/\/soc\.example\/join#in_[\w-]{43}$/);
    await database.db.transaction((transaction) =>
      insertUser(transaction, { userUuid: newUuid(), name: 'Ada', email: 'ada@demo.example', createdAt: 1 }),
    );
    await expect(createLink(settings)).rejects.toThrow('There are users already');
  });
});
