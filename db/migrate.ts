import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

/** An arbitrary number for the advisory lock on the schema. */
const MIGRATION_LOCK = 7_202_611_150;

/** Of several processes that start at once, one migrates and the others wait for it. */
export async function migrate(databaseUrl: string): Promise<void> {
  const pg = postgres(databaseUrl, { max: 1, onnotice: () => {}, connection: { application_name: 'alert-investigator migrate' } });
  try {
    await pg`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await applyMigrations(drizzle(pg), { migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)) });
  } finally {
    // The end of the session releases the lock.
    await pg.end({ timeout: 5 });
  }
}
