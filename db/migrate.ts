import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

/** Any number that nobody else locks; it stands for "the schema of this database". */
const MIGRATION_LOCK = 7_202_611_150;

/** Several processes may start at once: one migrates, the others wait and find nothing left to do. */
export async function migrate(databaseUrl: string): Promise<void> {
  const pg = postgres(databaseUrl, { max: 1, onnotice: () => {}, connection: { application_name: 'alert-investigator migrate' } });
  try {
    await pg`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await applyMigrations(drizzle(pg), { migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)) });
  } finally {
    // Ending the session releases the lock, whatever happened.
    await pg.end({ timeout: 5 });
  }
}
