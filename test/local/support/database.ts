import { readFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { onTestFinished } from 'vitest';

/** Connects to the database of the service directly. */
export function openDatabase(folder: string): postgres.Sql {
  const [password, port] = ['password', 'port'].map((name) => readFileSync(path.join(folder, 'postgres', name), 'utf8').trim());
  const pg = postgres(`postgres://postgres:${password}@127.0.0.1:${port}/alert_investigator`, { max: 1, onnotice: () => undefined });
  onTestFinished(() => pg.end({ timeout: 1 }));
  return pg;
}
