import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { connectForCopies, listAppliedMigrations, listTables, readMoment, readTable } from '../../db/lifecycle/table-copies.js';
import { conflict } from '../errors.js';
import { type BackupTable, Digest, FORMAT, MANIFEST_FILE, type Manifest, RowCounter, tableFile } from './format.js';

/** Fast: a backup under load shares the processor with the service. */
const COMPRESSION_LEVEL = 1;

/**
 * Writes all tables of one moment into a new folder, while the service runs. The folder gets its name when it is complete. Memory does
 * not grow with the data.
 */
export async function createBackup(databaseUrl: string, folder: string): Promise<Manifest> {
  if (existsSync(folder)) throw conflict(`${folder} exists. Enter the path of a new folder.`);
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
        const file = createWriteStream(tableFile(draft, table), { mode: 0o600, flush: true });
        await pipeline(await readTable(transaction, table), counter, createGzip({ level: COMPRESSION_LEVEL }), digest, file);
        tables.push({ ...table, columns: [...table.columns], rows: counter.rows, sha256: digest.sha256 });
      }
      return { format: FORMAT, created_at: createdAt, migrations, tables };
    });
    writeFileSync(path.join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, folder);
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await pg.end({ timeout: 5 });
  }
}
