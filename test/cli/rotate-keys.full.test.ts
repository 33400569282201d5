import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { expect, inject, it } from 'vitest';
import { temporaryFolder } from '../local/support/scripts.js';
import { runCommand } from './support/run-command.js';

it('finds the service that uses the data folder', async () => {
  const folder = await temporaryFolder();
  const url = new URL(inject('postgresUrl'));
  const admin = postgres(url.href, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database alert_investigator template ${inject('templates').migrated}`);
  mkdirSync(path.join(folder, 'postgres'));
  writeFileSync(path.join(folder, 'postgres', 'password'), `${decodeURIComponent(url.password)}\n`);
  writeFileSync(path.join(folder, 'postgres', 'port'), `${url.port}\n`);
  writeFileSync(path.join(folder, 'master-key'), `${randomBytes(32).toString('base64')}\n`);
  const settings = { DATABASE_URL: '', MASTER_KEY_FILE: '', DATA_DIR: folder };
  const run = (more: object) => runCommand(['keys', 'rotate'], { cwd: folder, settings: { ...settings, ...more } });
  expect(await run({})).toMatchObject({ code: 0, said: expect.stringContaining(path.join(folder, 'master-key')) });
  expect(readFileSync(path.join(folder, 'master-key'), 'utf8')).toMatch(/^\S{44},\S{44}\n$/);
  expect(await run({ DATA_DIR: path.join(folder, 'elsewhere') })).toMatchObject({
    code: 1,
    said: expect.stringContaining('Set DATABASE_URL'),
  });
  await admin`drop database alert_investigator with (force)`;
  await admin.end();
});
