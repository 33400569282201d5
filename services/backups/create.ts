import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { connectForCopies, listAppliedMigrations, listTables, readMoment, readTable } from '../../db/lifecycle/table-copies.js';
import type { Keyring } from '../../platform/keyring.js';
import { conflict } from '../errors.js';
import { type BackupTable, Digest, FORMAT, MANIFEST_FILE, type Manifest, RowCounter, tableFile } from './format.js';
import { BackupProtection } from './protection.js';

/** Fast: a backup under load shares the processor with the service. */
const COMPRESSION_LEVEL = 1;

/**
 * Writes all tables of one moment into a new folder, while the service runs. The folder gets its name when it is complete. Memory does
 * not grow with the data. The files are encrypted and authenticated with keys that derive from the current master key.
 */
export async function createBackup(databaseUrl: string, folder: string, keyring: Keyring): Promise<Manifest> {
  if (existsSync(folder)) throw conflict(`${folder} exists. Enter the path of a new folder.`);
  const given = { master_key_id: keyring.currentId, salt: randomBytes(32).toString('base64') };
  const protection = new BackupProtection(keyring, given);
  const draft = `${folder}.partial`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const pg = connectForCopies(databaseUrl);
  try {
    const manifest = await pg.begin('isolation level repeatable read read only', async (transaction): Promise<Manifest> => {
      const createdAt = await readMoment(transaction);
      const migrations = await listAppliedMigrations(transaction);
      if (migrations.length === 0) throw conflict('The database has no tables of this service. Check DATABASE_URL.');
      const tables: BackupTable[] = [];
      for (const table of await listTables(transaction)) {
        const counter = new RowCounter();
        const digest = new Digest();
        const iv = randomBytes(16);
        const file = createWriteStream(tableFile(draft, table), { mode: 0o600, flush: true });
        const rows = await readTable(transaction, table);
        await pipeline(rows, counter, createGzip({ level: COMPRESSION_LEVEL }), protection.encrypt(iv), digest, file);
        tables.push({ ...table, columns: [...table.columns], rows: counter.rows, sha256: digest.sha256, iv: iv.toString('base64') });
      }
      return { format: FORMAT, protection: given, created_at: createdAt, migrations, tables };
    });
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    writeFileSync(path.join(draft, MANIFEST_FILE), text, { mode: 0o600, flush: true });
    protection.writeCode(draft, text);
    renameSync(draft, folder);
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await pg.end({ timeout: 5 });
  }
}
