import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../../db/client.js';
import { Keyring } from '../../platform/keyring.js';
import { createBackup } from '../../services/backups/create.js';
import { restoreBackup } from '../../services/backups/restore.js';
import { removeProtection } from '../cli/support/old-backup.js';
import { temporaryFolder } from '../local/support/scripts.js';
import { createDatabase } from '../support/databases.js';
import { insertOpenAccess } from '../support/open-access.js';

const keyring = newKeyring();

function newKeyring(): Keyring {
  return Keyring.of({ MASTER_KEY: [randomBytes(32).toString('base64')] });
}

function open(url: string) {
  const database = connectDatabase(url, { poolSize: 2, name: 'test' });
  onTestFinished(() => database.close());
  return database.pg;
}

/** A database in which each kind of access is open. */
async function backUpWithAccess(): Promise<string> {
  const url = await createDatabase('migrated');
  const pg = open(url);
  await insertOpenAccess(pg);
  const folder = path.join(await temporaryFolder(), 'backup');
  await createBackup(url, folder, keyring);
  return folder;
}

it('a restore ends each access that may have been revoked after the backup, and lists what stays', async () => {
  const folder = await backUpWithAccess();
  const url = await createDatabase('empty');
  const { ended, kept } = await restoreBackup(url, folder, { keyring });
  expect(ended).toEqual({
    sessions: 1,
    invitations: 2,
    api_keys: 4,
    sender_keys: 0,
    agents: 1,
    credential_links: 1,
    chat_link_codes: 1,
    chat_accounts: 1,
    sign_ins: 1,
  });
  expect(kept).toEqual({ localUsers: 1, senderKeys: ['mail gateway'], hasEnvironmentKey: true });
  const pg = open(url);
  const working = await pg<{ kind: string }[]>`
    select 'session' as kind from user_sessions where revoked_at is null union all select 'invitation' from invitations where ended_at is null
    union all select 'key ' || name from api_keys where revoked_at is null union all select 'agent' from remote_agents where revoked_at is null
    union all select 'link' from credential_links where revoked_at is null union all select 'code' from chat_link_codes
    union all select 'chat account' from chat_identities union all select 'sign-in' from provider_sign_ins order by kind`;
  expect(working.map(({ kind }) => kind)).toEqual(['key ADMIN_API_KEY', 'key mail gateway']);
  const [entry] = await pg<{ details: object }[]>`select details from audit_log where action = 'access.end'`;
  expect(entry?.details).toEqual(ended);

  const other = await createDatabase('empty');
  expect(await restoreBackup(other, folder, { keyring, endsSenderKeys: true })).toMatchObject({
    ended: { sender_keys: 1 },
    kept: { senderKeys: [] },
  });
});

it('a backup is encrypted, and one that was changed or has another key is refused as a whole', async () => {
  const folder = await backUpWithAccess();
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.copy.gz')))
    expect(() => gunzipSync(readFileSync(path.join(folder, name)))).toThrow();
  const url = await createDatabase('empty');
  const refused = async (message: string, options: Parameters<typeof restoreBackup>[2] = { keyring }) => {
    await expect(restoreBackup(url, folder, options)).rejects.toThrow(message);
    expect(await open(url)`select tablename from pg_tables where schemaname = 'public'`).toEqual([]);
  };
  await refused('is encrypted with the master key', { keyring: newKeyring() });
  await refused('is encrypted with the master key', { keyring: null });
  for (const [name, message] of [
    ['manifest.json', 'was changed after it was made'],
    ['users.copy.gz', 'missing or damaged'],
    ['manifest.json.hmac', 'was changed after it was made'],
  ] as const) {
    const file = path.join(folder, name);
    const content = readFileSync(file);
    const changed = Buffer.from(content);
    const at = name === 'manifest.json' ? content.indexOf('"rows": 1') + 8 : 3;
    changed[at] = name === 'manifest.json' ? 0x32 : (changed[at] ?? 0) ^ 1;
    writeFileSync(file, changed);
    await refused(message);
    await refused(message, { keyring, acceptsUnverified: true });
    writeFileSync(file, content);
  }
  await restoreBackup(url, folder, { keyring });
});

it('a backup of an earlier version, without encryption, needs consent', async () => {
  const folder = await backUpWithAccess();
  await removeProtection(folder, keyring);
  const url = await createDatabase('empty');
  await expect(restoreBackup(url, folder, { keyring })).rejects.toThrow('--unverified');
  expect(await restoreBackup(url, folder, { keyring: null, acceptsUnverified: true })).toMatchObject({ ended: { sessions: 1 } });
});
