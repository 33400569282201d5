import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { connectForCopies, listAppliedMigrations, listTables, readTable } from '../../db/lifecycle/table-copies.js';
import { StartError } from '../../platform/start-error.js';
import { type BackupTable, Digest, FORMAT, MANIFEST_FILE, type Manifest, RowCounter, tableFile } from './format.js';

/** Fast: a backup under load shares the processor with the service. */
const COMPRESSION_LEVEL = 1;

/**
 * Writes all tables of one moment into a new folder, while the service runs. The folder gets its name when it is complete. Memory does
 * not grow with the data.
 */
export async function backUp(databaseUrl: string, target: string, say: (line: string) => void): Promise<Manifest> {
  const folder = path.resolve(target);
  if (existsSync(folder)) throw new StartError(`${folder} exists. Enter the path of a new folder.`);
  const draft = `${folder}.partial`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const pg = connectForCopies(databaseUrl);
  try {
    const manifest = await pg.begin('isolation level repeatable read read only', async (transaction): Promise<Manifest> => {
      const [moment] = await transaction<{ at: string }[]>`select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;
      const migrations = await listAppliedMigrations(transaction);
      if (migrations.length === 0) throw new StartError('The database has no tables of this service. Check DATABASE_URL.');
      const tables: BackupTable[] = [];
      for (const table of await listTables(transaction)) {
        const counter = new RowCounter();
        const digest = new Digest();
        const file = createWriteStream(tableFile(draft, table), { mode: 0o600, flush: true });
        await pipeline(await readTable(transaction, table), counter, createGzip({ level: COMPRESSION_LEVEL }), digest, file);
        tables.push({ ...table, columns: [...table.columns], rows: counter.rows, sha256: digest.sha256 });
      }
      return { format: FORMAT, created_at: moment?.at ?? '', migrations, tables };
    });
    writeFileSync(path.join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, folder);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    say(`Backed up ${rows} rows of ${manifest.tables.length} tables to ${folder}.`);
    say('The stored secrets are sealed. The master key is not part of the backup: keep a copy of it elsewhere.');
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await pg.end({ timeout: 5 });
  }
}
