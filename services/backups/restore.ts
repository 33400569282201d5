import { createReadStream, existsSync } from 'node:fs';
import { pipeline as connectStreams, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { catalogue } from '../../connectors/catalogue.js';
import type { Queries } from '../../db/client.js';
import { insertAuditEntry } from '../../db/identity/audit.js';
import { forgetRunningWork, reservePendingWrites, revokeOpenLinks, type WriteSkill } from '../../db/lifecycle/restored-work.js';
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
import { conflict } from '../errors.js';
import { Digest, type Manifest, readManifest, tableFile } from './format.js';

interface Restored {
  readonly manifest: Manifest;
  /** Pending writes that the service looks up before it sends them. */
  readonly pendingWrites: number;
  /** The master keys that the restored secrets need. */
  readonly keyIds: readonly string[];
}

/** Loads a backup into an empty database, all or nothing, and migrates it to this version. */
export async function restoreBackup(databaseUrl: string, folder: string): Promise<Restored> {
  const manifest = readManifest(folder);
  await requireIntact(folder, manifest);
  requireKnownVersion(manifest);
  await requireEmpty(databaseUrl, manifest);
  await migrateTo(databaseUrl, manifest.migrations.length);
  const pg = connectForCopies(databaseUrl);
  try {
    const pendingWrites = await pg.begin(async (transaction) => {
      await withoutEvents(transaction);
      for (const table of manifest.tables) {
        // The copy of the rows reports an error of the file.
        const rowsOfTable = connectStreams(createReadStream(tableFile(folder, table)), createGunzip(), () => {});
        await writeTable(transaction, table, rowsOfTable);
        const rows = await countRows(transaction, table.name).catch(() => {
          throw conflict(`Postgres refused the rows of the table ${table.name}: its log has the reason. Nothing was restored.`);
        });
        if (rows !== table.rows) throw conflict(`The table ${table.name} has ${rows} rows instead of ${table.rows}. Nothing was restored.`);
      }
      await moveSequences(transaction);
      return prepareWork(transaction, manifest.created_at);
    });
    await migrate(databaseUrl);
    const keys = await countSecretsByKey(pg);
    return { manifest, pendingWrites, keyIds: keys.map(({ id }) => id) };
  } finally {
    await pg.end({ timeout: 5 });
  }
}

/** In the transaction of the restore, because a service that starts before could repeat a write. Returns the number of pending writes. */
async function prepareWork(transaction: Queries, backupAt: string): Promise<number> {
  await forgetRunningWork(transaction);
  await revokeOpenLinks(transaction);
  const writes = await reservePendingWrites(transaction, { backupAt, writes: listWriteSkills() });
  const details = { backup_at: backupAt, writes };
  await insertAuditEntry(transaction, { organizationUuid: null, action: 'database.restore', target: 'database', details });
  return writes;
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
