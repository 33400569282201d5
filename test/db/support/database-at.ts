import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { emptyDatabase } from './database.js';

/** Creates a database whose newest migration is this one. */
export async function createDatabaseAt(lastMigration: string) {
  const { url, database } = await emptyDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(fileURLToPath(new URL('../../../db/migrations', import.meta.url)), folder, { recursive: true });
  const file = path.join(folder, 'meta/_journal.json');
  const whole = z
    .object({ entries: z.array(z.looseObject({ tag: z.string() })) })
    .loose()
    .parse(JSON.parse(readFileSync(file, 'utf8')));
  const entries = whole.entries.slice(0, whole.entries.findIndex(({ tag }) => tag.startsWith(lastMigration)) + 1);
  writeFileSync(file, JSON.stringify({ ...whole, entries }));
  await applyMigrations(database.db, { migrationsFolder: folder });
  return { url, database };
}
