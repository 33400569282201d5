import { onTestFinished } from 'vitest';
import { connectDatabase, type Database } from '../../../db/client.js';
import { createDatabase } from '../../support/databases.js';

interface TestDatabase {
  readonly url: string;
  readonly database: Database;
}

/** A database without tables. */
export const emptyDatabase = () => openDatabase('empty');

/** A database with the current schema and no rows. */
export const migratedDatabase = () => openDatabase('migrated');

async function openDatabase(template: Parameters<typeof createDatabase>[0]): Promise<TestDatabase> {
  const url = await createDatabase(template);
  const database = connectDatabase(url, { poolSize: 5, name: 'test' });
  onTestFinished(() => database.close());
  return { url, database };
}
