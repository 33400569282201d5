import { existsSync } from 'node:fs';
import path from 'node:path';
import { connectForCopies } from '../../db/lifecycle/table-copies.js';
import { loadEnvFile, readSettings, type Settings } from '../../platform/settings.js';
import { StartError } from '../../platform/start-error.js';
import { findDatabaseUrl } from '../running-database.js';
import type { EmbeddedDatabase, Sources } from '../sources.js';
import { backUp } from './backup.js';
import { requireNamespaceWithoutRuns, restore } from './restore.js';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Backs up DATABASE_URL, or else the embedded Postgres of DATA_DIR, which it starts if no service runs. */
export async function runBackup(target: string, sources: Sources | null): Promise<void> {
  loadEnvFile();
  const settings = readSettings(process.env);
  const url = findDatabaseUrl(settings);
  if (settings.DATABASE_URL !== undefined || (await answers(url))) {
    await backUp(url, target, say);
    return;
  }
  await withEmbedded(settings, sources, (embedded) => backUp(embedded.url, target, say));
}

/** Restores into DATABASE_URL, or else into a new embedded Postgres in DATA_DIR. */
export async function runRestore(source: string, sources: Sources | null): Promise<void> {
  loadEnvFile();
  const settings = readSettings(process.env);
  if (settings.TEMPORAL_ADDRESS !== undefined) await requireNamespaceWithoutRuns(settings);
  if (settings.DATABASE_URL !== undefined) {
    await restore(settings.DATABASE_URL, source, say);
    return;
  }
  const temporal = path.resolve(settings.DATA_DIR, 'temporal');
  if (settings.TEMPORAL_ADDRESS === undefined && existsSync(temporal))
    throw new StartError(`${temporal} has the runs of another database. Set DATA_DIR to a new folder.`);
  await withEmbedded(settings, sources, (embedded) => restore(embedded.url, source, say));
}

async function withEmbedded(
  settings: Settings,
  sources: Sources | null,
  work: (embedded: EmbeddedDatabase) => Promise<unknown>,
): Promise<void> {
  if (sources === null) throw new StartError('This installation has no embedded Postgres. Set DATABASE_URL.');
  const embedded = await sources.startDatabase(settings.DATA_DIR);
  try {
    await work(embedded);
  } finally {
    await embedded.stop();
  }
}

async function answers(url: string): Promise<boolean> {
  const pg = connectForCopies(url);
  try {
    await pg`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await pg.end({ timeout: 1 });
  }
}
