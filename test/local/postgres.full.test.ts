import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { startPostgres } from '../../local/postgres/server.js';
import { IS_ROOT } from '../../local/postgres/user.js';
import { closedFolder, postgresIn } from './support/postgres.js';
import { quietLog as log } from './support/scripts.js';

describe.runIf(IS_ROOT)('as root, in a folder that the user postgres cannot access', () => {
  test('a deleted data folder gets a new cluster, and a missing cluster is an error', async () => {
    const folder = await closedFolder();
    const first = await postgresIn(folder);
    await first.stop();
    rmSync(path.dirname(first.dataFolder), { recursive: true });
    await expect(startPostgres({ folder, log })).rejects.toThrow(`${first.dataFolder}, which no longer exists`);
    rmSync(folder, { recursive: true });
    const second = await postgresIn(folder);
    expect(second.dataFolder).not.toBe(first.dataFolder);
    await second.destroy();
  });

  test('an interrupted first start leaves no files', async () => {
    const folder = await closedFolder();
    const interrupt = new AbortController();
    const starting = expect(startPostgres({ folder, log, signal: interrupt.signal })).rejects.toThrow(
      'could not create its database cluster',
    );
    const unfinished = await vi.waitFor(
      () => {
        const name = readdirSync(folder).find((entry) => entry.startsWith('new-'));
        const target = name === undefined ? null : path.join(folder, name);
        if (target === null || !lstatSync(target).isSymbolicLink()) throw new Error('not yet');
        return realpathSync(target);
      },
      { timeout: 60_000, interval: 5 },
    );
    interrupt.abort();
    await starting;
    expect(existsSync(path.dirname(unfinished))).toBe(false);
    expect(readdirSync(folder)).toEqual(['password']);
  });
});
