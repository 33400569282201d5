import { createReadStream, existsSync } from 'node:fs';
import { pipeline as connectStreams, PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { catalogue } from '../../connectors/catalogue.js';
import type { Queries } from '../../db/client.js';
import { insertAuditEntry } from '../../db/identity/audit.js';
import { type EndedAccess, endAccess, type KeptAccess, readKeptAccess } from '../../db/lifecycle/restored-access.js';
import { forgetRunningWork, reservePendingWrites, type WriteSkill } from '../../db/lifecycle/restored-work.js';
import { countSecretsByKey } from '../../db/lifecycle/sealed-secrets.js';
import {
  connectForCopies,
  countRows,
  hasRows,
  listAppliedMigrations,
  listTables,
  moveSequences,
  withoutEvents,
  writeTable,
} from '../../db/lifecycle/table-copies.js';
import { listMigrations, migrate, migrateTo } from '../../db/migrate.js';
import { type Keyring, UnknownMasterKey } from '../../platform/keyring.js';
import { ENVIRONMENT_KEY } from '../api-keys/replace-environment-key.js';
import { conflict } from '../errors.js';
import { Digest, type Manifest, readManifest, tableFile } from './format.js';
import { BackupProtection } from './protection.js';

interface Restored {
  readonly manifest: Manifest;
  /** Pending writes that the service looks up before it sends them. */
  readonly pendingWrites: number;
  /** The master keys that the restored secrets need. */
  readonly keyIds: readonly string[];
  readonly ended: EndedAccess;
  readonly kept: KeptAccess;
}

export interface RestoreOptions {
  /** Also ends the keys with which systems send alerts. */
  readonly endsSenderKeys?: boolean;
  /** null: the master key is not at hand, which only a backup without protection does not need. */
  readonly keyring: Keyring | null;
  /** Also restores a backup of an earlier version, which has no authentication code: nothing shows whether it was changed. */
  readonly acceptsUnverified?: boolean;
}

/** Loads a backup into an empty database, all or nothing, and migrates it to this version. */
export async function restoreBackup(databaseUrl: string, folder: string, options: RestoreOptions): Promise<Restored> {
  const { manifest, text } = readManifest(folder);
  const protection = requireAuthentic(folder, { manifest, text }, options);
  await requireIntact(folder, manifest);
  requireKnownVersion(manifest);
  await requireEmpty(databaseUrl, manifest);
  await migrateTo(databaseUrl, manifest.migrations.length);
  const pg = connectForCopies(databaseUrl);
  try {
    // A backup of an earlier version gets the tables of this one first. No service of this version runs on it before.
    const isCurrent = manifest.migrations.length === listMigrations().length;
    const { pendingWrites, ended: endedAtOnce } = await pg.begin(async (transaction) => {
      await withoutEvents(transaction);
      for (const table of manifest.tables) {
        // The copy of the rows reports an error of the file.
        const digest = new Digest();
        const decrypted = protection?.decrypt(table) ?? new PassThrough();
        const rowsOfTable = connectStreams(createReadStream(tableFile(folder, table)), digest, decrypted, createGunzip(), () => {});
        await writeTable(transaction, table, rowsOfTable);
        if (digest.sha256 !== table.sha256)
          throw conflict(`The file of the table ${table.name} changed during the restore. Nothing was restored.`);
        const rows = await countRows(transaction, table.name).catch(() => {
          throw conflict(`Postgres refused the rows of the table ${table.name}: its log has the reason. Nothing was restored.`);
        });
        if (rows !== table.rows) throw conflict(`The table ${table.name} has ${rows} rows instead of ${table.rows}. Nothing was restored.`);
      }
      await moveSequences(transaction);
      const pending = await prepareWork(transaction, manifest.created_at);
      return { pendingWrites: pending, ended: isCurrent ? await endRestoredAccess(transaction, options) : null };
    });
    await migrate(databaseUrl);
    const ended = endedAtOnce ?? (await pg.begin((transaction) => endRestoredAccess(transaction, options)));
    const keys = await countSecretsByKey(pg);
    const kept = await readKeptAccess(pg, ENVIRONMENT_KEY);
    return { manifest, pendingWrites, keyIds: keys.map(({ id }) => id), ended, kept };
  } finally {
    await pg.end({ timeout: 5 });
  }
}

/** In the transaction of the restore, because a service that starts before could repeat a write. Returns the number of pending writes. */
async function prepareWork(transaction: Queries, backupAt: string): Promise<number> {
  await forgetRunningWork(transaction);
  const writes = await reservePendingWrites(transaction, { backupAt, writes: listWriteSkills() });
  const details = { backup_at: backupAt, writes };
  await insertAuditEntry(transaction, { organizationUuid: null, action: 'database.restore', target: 'database', details });
  return writes;
}

/** In the transaction of the restore too, if the backup has the tables of this version: a revoked key must not work for a moment. */
async function endRestoredAccess(transaction: Queries, { endsSenderKeys = false }: RestoreOptions): Promise<EndedAccess> {
  const ended = await endAccess(transaction, { environmentKey: ENVIRONMENT_KEY, endsSenderKeys });
  await insertAuditEntry(transaction, { organizationUuid: null, action: 'access.end', target: 'database', details: { ...ended } });
  return ended;
}

/** Before the first change. Returns null for a backup without protection. */
function requireAuthentic(
  folder: string,
  { manifest, text }: ReturnType<typeof readManifest>,
  { keyring, acceptsUnverified = false }: RestoreOptions,
): BackupProtection | null {
  if (manifest.protection === undefined) {
    if (acceptsUnverified) return null;
    throw conflict(
      'The backup has no authentication code, so the command cannot verify who made it and whether its rows were changed, such as users, keys and approvals. If you trust its storage, add --unverified.',
    );
  }
  if (keyring === null)
    throw conflict(`The backup is encrypted with the master key ${manifest.protection.master_key_id}. Set MASTER_KEY or MASTER_KEY_FILE.`);
  const protection = openProtection(keyring, manifest.protection);
  protection.requireAuthentic(folder, text);
  return protection;
}

function openProtection(keyring: Keyring, given: NonNullable<Manifest['protection']>): BackupProtection {
  try {
    return new BackupProtection(keyring, given);
  } catch (error) {
    if (!(error instanceof UnknownMasterKey)) throw error;
    throw conflict(`The backup is encrypted with the master key ${given.master_key_id}. Add that key to MASTER_KEY or MASTER_KEY_FILE.`);
  }
}

/** Before the first change: a damaged file must not leave half a database. */
async function requireIntact(folder: string, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    const file = tableFile(folder, table);
    if (!existsSync(file) || (await digestFile(file)) !== table.sha256)
      throw conflict(`${file} is missing or damaged: its checksum differs from the manifest. Use another copy of the backup.`);
  }
}

async function digestFile(file: string): Promise<string> {
  const digest = new Digest();
  await pipeline(createReadStream(file), digest, new Writable({ write: (_chunk, _encoding, done) => done() }));
  return digest.sha256;
}

function requireKnownVersion({ migrations }: Manifest): void {
  const known = listMigrations();
  if (migrations.some((hash, index) => known[index] !== hash))
    throw conflict('A newer version of the service made this backup. Restore it with that version.');
}

async function requireEmpty(databaseUrl: string, { migrations }: Manifest): Promise<void> {
  const pg = connectForCopies(databaseUrl);
  try {
    const applied = await listAppliedMigrations(pg);
    if (applied.length > migrations.length)
      throw conflict('The database has tables of a newer version than the backup. Create a database without tables.');
    for (const { name } of await listTables(pg)) {
      if (await hasRows(pg, name)) throw conflict(`The database is not empty: the table ${name} has rows. Restore into a new database.`);
    }
  } finally {
    await pg.end({ timeout: 5 });
  }
}

function listWriteSkills(): WriteSkill[] {
  return Object.entries(catalogue).flatMap(([connectorKey, { skills }]) =>
    Object.entries(skills).flatMap(([verb, { effect }]) => (effect === 'write' ? [{ connectorKey, verb }] : [])),
  );
}
