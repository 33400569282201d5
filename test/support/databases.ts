import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';

/** Creates a database for one test or one file, and returns its URL. */
export async function createDatabase(template: 'empty' | 'migrated' | 'bootstrapped'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} });
  const from = template === 'empty' ? '' : ` template ${inject('templates')[template]}`;
  await admin.unsafe(`create database ${name}${from}`);
  await admin.end();
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}
