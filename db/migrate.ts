import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

/** An arbitrary number for the advisory lock on the schema. */
const MIGRATION_LOCK = 7_202_611_150;

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** Of several processes that start at once, one migrates and the others wait for it. */
export async function migrate(databaseUrl: string): Promise<void> {
  await applyFolder(databaseUrl, FOLDER);
}

/** The hashes of all migrations of this version, oldest first. */
export function listMigrations(): string[] {
  return readMigrationFiles({ migrationsFolder: FOLDER }).map(({ hash }) => hash);
}

/** Applies the first migrations only, for data of an earlier version. */
export async function migrateTo(databaseUrl: string, count: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-migrations-'));
  try {
    cpSync(FOLDER, folder, { recursive: true });
    const file = path.join(folder, 'meta', '_journal.json');
    const journal: { entries: unknown[] } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
    await applyFolder(databaseUrl, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function applyFolder(databaseUrl: string, migrationsFolder: string): Promise<void> {
  const pg = postgres(databaseUrl, { max: 1, onnotice: () => {}, connection: { application_name: 'alert-investigator migrate' } });
  try {
    await pg`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await applyMigrations(drizzle(pg), { migrationsFolder });
  } finally {
    // The end of the session releases the lock.
    await pg.end({ timeout: 5 });
  }
}
