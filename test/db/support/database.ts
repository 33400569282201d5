import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { inject, onTestFinished } from 'vitest';
import { connectDatabase, type Database } from '../../../db/client.js';

/** A database without a single table. */
export async function emptyDatabase(): Promise<{ url: string; database: Database }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  const database = connectDatabase(url.href, { poolSize: 5, name: 'test' });
  onTestFinished(() => database.close());
  return { url: url.href, database };
}
