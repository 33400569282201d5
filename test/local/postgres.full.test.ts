import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findBinaries, reachableCopy } from '../../local/postgres/binaries.js';
import { clusterElsewhere, removePostgres } from '../../local/postgres/cluster.js';
import { startPostgres } from '../../local/postgres/server.js';
import { IS_ROOT, postgresUser, runAs } from '../../local/postgres/user.js';
import { closedFolder, postgresIn } from './support/postgres.js';
import { quietLog as log, temporaryFolder } from './support/scripts.js';

async function ask(url: string, question: string): Promise<unknown[]> {
  const pg = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    return await pg.unsafe(question);
  } finally {
    await pg.end({ timeout: 1 });
  }
}

describe.runIf(IS_ROOT)('as root, in a folder that the user postgres cannot access', () => {
  test('the cluster is stored elsewhere, found after a move, and removed with the folder', async () => {
    const folder = await closedFolder();
    const first = await postgresIn(folder);
    expect(first.dataFolder).not.toContain(folder);
    expect(clusterElsewhere(folder)).toBe(first.dataFolder);
    expect(statSync(first.dataFolder).mode & 0o777).toBe(0o700);
    expect(readFileSync(path.join(first.dataFolder, '..', 'belongs-to'), 'utf8')).toBe(`${realpathSync(folder)}\n`);
    expect(readdirSync(path.dirname(first.dataFolder)).toSorted()).toEqual(['belongs-to', 'data']);
    await ask(first.url('postgres'), `create table notes as select 'written' as note`);
    await first.stop();

    const moved = path.join(folder, '..', 'moved', 'postgres');
    onTestFinished(() => removePostgres(moved));
    mkdirSync(path.dirname(moved));
    renameSync(folder, moved);
    const second = await postgresIn(moved);
    expect(second.dataFolder).toBe(first.dataFolder);
    expect(await ask(second.url('postgres'), 'select note from notes')).toMatchObject([{ note: 'written' }]);

    cpSync(moved, folder, { recursive: true, verbatimSymlinks: true });
    await expect(startPostgres({ folder, log })).rejects.toThrow(`${folder} is a copy of ${realpathSync(moved)}`);
    removePostgres(folder);
    expect(await ask(second.url('postgres'), 'select note from notes')).toMatchObject([{ note: 'written' }]);

    await second.destroy();
    expect(existsSync(moved)).toBe(false);
    expect(existsSync(path.dirname(first.dataFolder))).toBe(false);
  });

  test('the binaries are copied once to a folder that all users can access, even concurrently', async () => {
    const owner = await postgresUser();
    const packaged = await findBinaries(undefined, log);
    const closed = path.join(await temporaryFolder(), 'native');
    cpSync(path.dirname(path.dirname(packaged.postgres)), closed, { recursive: true, verbatimSymlinks: true });
    const binaries = {
      root: closed,
      version: path.basename(path.dirname(closed)),
      initdb: `${closed}/bin/initdb`,
      postgres: `${closed}/bin/postgres`,
    };
    await expect(runAs(owner, binaries.postgres, ['--version'])).rejects.toThrow(/EACCES/);

    const copies = await Promise.all([1, 2, 3].map(() => reachableCopy(binaries, owner, log)));
    const root = path.dirname(path.dirname(copies[0]?.postgres ?? ''));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const copy of copies) expect(copy).toEqual({ initdb: `${root}/bin/initdb`, postgres: `${root}/bin/postgres` });
    await runAs(owner, `${root}/bin/initdb`, ['--version']);
    const linksIn = (folder: string) => readdirSync(folder).filter((name) => lstatSync(path.join(folder, name)).isSymbolicLink());
    expect(linksIn(path.join(root, 'lib'))).toEqual(linksIn(path.join(closed, 'lib')));
    expect(readdirSync(path.dirname(root)).filter((name) => name.startsWith(`${path.basename(root)}.`))).toEqual([]);
    expect(statSync(root).mode & 0o777).toBe(0o755);
  });

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
