import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import postgres from 'postgres';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.js';
import { isPortFree } from '../../local/ports.js';
import { type RunningPostgres, startPostgres } from '../../local/postgres/server.js';
import { run, runsWithArgument } from '../../local/processes.js';
import { supervise } from '../../local/supervisor.js';
import { type RunningTemporal, startTemporal } from '../../local/temporal/server.js';
import { quietLog as log, occupyPort, startScript, temporalCli, temporaryFolder } from './support/scripts.js';

const SOON = { timeout: 60_000, interval: 50 };

async function postgresIn(folder: string): Promise<RunningPostgres> {
  const server = await startPostgres({ folder, log });
  onTestFinished(() => server.stop());
  return server;
}

async function temporalIn(folder: string): Promise<RunningTemporal> {
  const server = await startTemporal({ cli: await temporalCli(), folder, uiPort: 0, namespaces: ['default', 'second'], log });
  onTestFinished(() => server.stop());
  return server;
}

/** Opens a new connection per query, because a pool can hide an outage. */
async function ask<T>(url: string, question: (pg: postgres.Sql) => Promise<T>): Promise<T> {
  const pg = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => undefined });
  try {
    return await question(pg);
  } finally {
    await pg.end({ timeout: 1 });
  }
}

async function withClient<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address, connectTimeout: '5s' });
  try {
    return await work(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

const startIdleWorkflow = (address: string) =>
  withClient(address, (client) => client.workflow.start('nobody-runs-this', { taskQueue: 'nobody-listens-here', workflowId: 'kept' }));
const statusOfIdleWorkflow = (address: string) =>
  withClient(address, async (client) => (await client.workflow.getHandle('kept').describe()).status.name);

function kill(pid: number | undefined): void {
  if (pid === undefined) throw new Error('There is nothing to kill.');
  process.kill(pid, 'SIGKILL');
}

test('a new Temporal server accepts our search attributes in every namespace, and names its port in use with the variable', async () => {
  const folder = await temporaryFolder();
  const { address, uiUrl } = await temporalIn(path.join(folder, 'first'));
  const connection = await Connection.connect({ address, connectTimeout: '5s' });
  onTestFinished(() => connection.close());
  const typedSearchAttributes = SEARCH_ATTRIBUTES.map((name) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value: name }));
  for (const namespace of ['default', 'second']) {
    const client = new Client({ connection, namespace });
    const handle = await client.workflow.start('nobody-runs-this', {
      taskQueue: 'nobody-listens-here',
      workflowId: 'found by them',
      typedSearchAttributes,
    });
    const described = (await handle.describe()).typedSearchAttributes;
    expect(SEARCH_ATTRIBUTES.map((name) => described.get(defineSearchAttributeKey(name, 'KEYWORD')))).toEqual(SEARCH_ATTRIBUTES);
  }
  const uiPort = Number(new URL(uiUrl).port);
  await expect(
    startTemporal({ cli: await temporalCli(), folder: path.join(folder, 'second'), uiPort, namespaces: ['default'], log }),
  ).rejects.toThrow(`Another program uses port ${uiPort}, which Temporal Web needs. Set TEMPORAL_UI_PORT`);
});

test('Postgres is private, commits durably, and restarts on its port with all committed data when it is killed', async () => {
  const folder = await temporaryFolder();
  const server = await postgresIn(path.join(folder, 'postgres'));
  const names = [
    'fsync',
    'synchronous_commit',
    'listen_addresses',
    'unix_socket_directories',
    'server_encoding',
    'max_connections',
    'shared_buffers',
  ];
  const settings = await ask(
    server.url('postgres'),
    (pg) => pg`select name, current_setting(name) as value from pg_settings where name in ${pg(names)}`,
  );
  expect(Object.fromEntries(settings.map((row) => [row['name'], row['value']]))).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    server_encoding: 'UTF8',
    max_connections: '200',
    shared_buffers: '256MB',
  });
  const guess = new URL(server.url('postgres'));
  guess.password = 'guessed';
  await expect(ask(guess.href, (pg) => pg`select 1`)).rejects.toThrow(/password authentication failed/);
  expect(statSync(path.join(folder, 'postgres', 'password')).mode & 0o777).toBe(0o600);

  await server.createDatabase('kept');
  await server.createDatabase('kept');
  const url = server.url('kept');
  await ask(url, (pg) => pg`create table notes as select 'written' as note`);
  const { pid } = server.child;
  kill(pid);
  await vi.waitFor(async () => {
    expect(server.child.pid).toBeDefined();
    expect(server.child.pid).not.toBe(pid);
    expect(await ask(url, (pg) => pg`select note from notes`)).toMatchObject([{ note: 'written' }]);
  }, SOON);
  await server.stop();
  expect(server.child.pid).toBeUndefined();
  expect(await isPortFree(server.port)).toBe(true);
});

test('a killed Temporal restarts on its ports with its workflows, and an unrelated process with its stored pid keeps running', async () => {
  const folder = path.join(await temporaryFolder(), 'temporal');
  const first = await temporalIn(folder);
  await startIdleWorkflow(first.address);
  const { pid } = first.child;
  kill(pid);
  await vi.waitFor(async () => {
    expect(first.child.pid).not.toBe(pid);
    expect(await statusOfIdleWorkflow(first.address)).toBe('RUNNING');
  }, SOON);
  await vi.waitFor(async () => expect((await fetch(first.uiUrl)).status).toBe(200), SOON);
  await first.stop();

  const stranger = startScript(new URL('./support/stranger.ts', import.meta.url));
  await stranger.waitFor(/here/);
  writeFileSync(path.join(folder, 'temporal.pid'), `${stranger.process.pid}\n`);
  await temporalIn(folder);
  expect(stranger.process.exitCode).toBeNull();
  expect(stranger.process.signalCode).toBeNull();
});

test('Postgres starts when postmaster.pid names a dead or unrelated process', async () => {
  const folder = path.join(await temporaryFolder(), 'postgres');
  const first = await startPostgres({ folder, log });
  const pidFile = path.join(first.dataFolder, 'postmaster.pid');
  const left = readFileSync(pidFile, 'utf8').split('\n').slice(1);
  await first.stop();
  for (const pid of [2 ** 22 + 1, process.pid, 1]) {
    writeFileSync(pidFile, [pid, ...left].join('\n'));
    const next = await startPostgres({ folder, log });
    expect(next.port).toBe(first.port);
    await next.stop();
  }
});

test('Temporal starts again after an incomplete first start', async () => {
  const folder = await temporaryFolder();
  writeFileSync(path.join(folder, 'temporal.db'), 'half a file');
  const server = await temporalIn(folder);
  await startIdleWorkflow(server.address);
  expect(await statusOfIdleWorkflow(server.address)).toBe('RUNNING');
});

test('the servers of a killed parent are stopped, and their data is kept', async () => {
  const folder = await temporaryFolder();
  const parent = startScript(new URL('./support/servers.ts', import.meta.url), [folder, 'postgres', 'temporal']);
  const [printed] = await parent.waitFor(/^\{.*\}$/m);
  const left = z
    .object({ url: z.string(), dataFolder: z.string(), address: z.string(), postgresPid: z.int(), temporalPid: z.int() })
    .parse(JSON.parse(printed));
  await ask(left.url, (pg) => pg`create table notes as select 'written' as note`);
  await startIdleWorkflow(left.address);
  kill(parent.process.pid);
  await parent.ended;
  expect(await runsWithArgument(left.postgresPid, left.dataFolder)).toBe(true);
  expect(await runsWithArgument(left.temporalPid, path.join(folder, 'temporal', 'temporal.db'))).toBe(true);

  const [postgresAgain, temporalAgain] = await Promise.all([
    postgresIn(path.join(folder, 'postgres')),
    temporalIn(path.join(folder, 'temporal')),
  ]);
  expect(postgresAgain.url('postgres')).toBe(left.url);
  expect(temporalAgain.address).toBe(left.address);
  expect([postgresAgain.child.pid, temporalAgain.child.pid]).not.toContain(left.postgresPid);
  expect(await runsWithArgument(left.postgresPid, left.dataFolder)).toBe(false);
  expect(await runsWithArgument(left.temporalPid, path.join(folder, 'temporal', 'temporal.db'))).toBe(false);
  expect(await ask(left.url, (pg) => pg`select note from notes`)).toMatchObject([{ note: 'written' }]);
  expect(await statusOfIdleWorkflow(left.address)).toBe('RUNNING');
});

test('Postgres restarts immediately after it was killed together with its parent during a query', async () => {
  const folder = await temporaryFolder();
  const parent = startScript(new URL('./support/servers.ts', import.meta.url), [folder, 'postgres']);
  const [printed] = await parent.waitFor(/^\{.*\}$/m);
  const { url, postgresPid } = z.object({ url: z.string(), postgresPid: z.int() }).parse(JSON.parse(printed));
  const sleeper = ask(url, (pg) => pg`select pg_sleep(600)`).catch(() => 'cut off');
  await vi.waitFor(
    async () =>
      expect(
        await ask(url, (pg) => pg`select 1 from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`),
      ).toHaveLength(1),
    SOON,
  );
  kill(parent.process.pid);
  kill(postgresPid);
  const server = await postgresIn(path.join(folder, 'postgres'));
  expect(server.url('postgres')).toBe(url);
  expect(await sleeper).toBe('cut off');
});

test('a stored port that another process uses is replaced', async () => {
  const folder = path.join(await temporaryFolder(), 'postgres');
  const taken = await occupyPort();
  const first = await startPostgres({ folder, log });
  await first.stop();
  writeFileSync(path.join(folder, 'port'), `${taken}\n`);
  const second = await postgresIn(folder);
  expect(second.port).not.toBe(Number(taken));
  expect(readFileSync(path.join(folder, 'port'), 'utf8')).toBe(`${second.port}\n`);
});

test('a child that does not start is reported with the end of its log', async () => {
  const folder = await temporaryFolder();
  const start = supervise({
    name: 'Something',
    command: process.execPath,
    args: ['--eval', 'console.error("out of luck"); process.exit(3)'],
    marker: folder,
    pidFile: path.join(folder, 'pid'),
    logFile: path.join(folder, 'log'),
    stopSteps: [['SIGTERM', 1_000]],
    probe: () => Promise.reject(new Error('not there')),
    readyTimeoutMs: 30_000,
    log,
  });
  await expect(start).rejects.toThrow(/Something did not start \(code 3\)[\s\S]*out of luck/);
});

test('a child gets the environment without our settings, which contain secrets', async () => {
  const folder = await temporaryFolder();
  const secrets = {
    MASTER_KEY: 'm',
    ADMIN_API_KEY: 'a',
    DATABASE_URL: 'd',
    TEMPORAL_API_KEY: 't',
    AGENT_TOKEN: 'g',
    POSTGRES_PASSWORD: 'p',
    DATABASE_PASSWORD: 'q',
  };
  for (const [name, value] of Object.entries({ ...secrets, OTHER_VARIABLE: 'kept' })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const print = 'console.log(Object.keys(process.env).join())';
  const logFile = path.join(folder, 'log');
  const child = await supervise({
    name: 'Something',
    command: process.execPath,
    args: ['--eval', `${print}; setInterval(() => {}, 1000)`, folder],
    marker: folder,
    pidFile: path.join(folder, 'pid'),
    logFile,
    stopSteps: [['SIGKILL', 10_000]],
    probe: async () => expect(readFileSync(logFile, 'utf8')).toContain('\n'),
    readyTimeoutMs: 60_000,
    log,
  });
  await child.stop();
  for (const output of [readFileSync(logFile, 'utf8'), await run(process.execPath, ['--eval', print], { timeoutMs: 60_000 })]) {
    const names = output.trim().split(',');
    expect(names).toEqual(expect.arrayContaining(['PATH', 'OTHER_VARIABLE']));
    expect(names.filter((name) => name in secrets)).toEqual([]);
  }
});
