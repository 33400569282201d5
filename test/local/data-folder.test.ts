import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDataFolder } from '../../local/data-folder.js';
import { readStartTime } from '../../local/processes.js';
import { secretIn } from '../../local/secrets.js';
import { StartError } from '../../platform/start-error.js';
import { temporaryFolder } from './support/scripts.js';

const readMode = (file: string) => statSync(file).mode & 0o777;

describe('the data folder', () => {
  test('is created as private and locked until it is released', async () => {
    const folder = path.join(await temporaryFolder(), 'deep', 'data');
    const first = await openDataFolder(folder);
    expect(readMode(folder)).toBe(0o700);
    await expect(openDataFolder(folder)).rejects.toThrow(StartError);
    await expect(openDataFolder(folder)).rejects.toThrow(new RegExp(`already running.*pid ${process.pid}, ${folder}`));
    first.release();
    const second = await openDataFolder(folder);
    second.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.for([
    ['of a dead process', { pid: 2 ** 22 + 1, birth: 'long ago' }],
    ['whose pid belongs to another process', { pid: process.pid, birth: 'long ago' }],
    ['that is incomplete', ''],
  ] as const)('takes over a lock file %s', async ([, content]) => {
    const folder = await temporaryFolder();
    writeFileSync(path.join(folder, 'running'), typeof content === 'string' ? content : JSON.stringify(content));
    const opened = await openDataFolder(folder);
    const mark: unknown = JSON.parse(readFileSync(path.join(folder, 'running'), 'utf8'));
    expect(mark).toEqual({ pid: process.pid, birth: await readStartTime(process.pid) });
    opened.release();
    expect(existsSync(path.join(folder, 'running'))).toBe(false);
  });

  test('names the variable to set when it cannot be created', async () => {
    const file = path.join(await temporaryFolder(), 'a-file');
    writeFileSync(file, '');
    await expect(openDataFolder(path.join(file, 'data'))).rejects.toThrow(/DATA_DIR/);
  });
});

test('a secret is created once and readable only by its owner', async () => {
  const folder = await temporaryFolder();
  mkdirSync(path.join(folder, 'kept'));
  const file = path.join(folder, 'kept', 'secret');
  expect(secretIn(file, () => 'first')).toBe('first');
  expect(secretIn(file, () => 'second')).toBe('first');
  expect(readMode(file)).toBe(0o600);
  expect(readdirSync(path.join(folder, 'kept'))).toEqual(['secret']);
});
