import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { checkWorkers, readWorkers } from '../../../dev/rehearsal/checks.js';
import { check, formatReport, percentile } from '../../../dev/rehearsal/report.js';
import { SERVER_VERSION } from '../../../dev/rehearsal/server-binaries.js';
import { dynamicConfig, PORTS_NEEDED, type ServerPlace, serverConfig } from '../../../dev/rehearsal/server-config.js';

const compose = () => readFile(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');

const place: ServerPlace = {
  databasePort: 15_432,
  databaseUser: 'postgres',
  databasePassword: 'a "quoted": password',
  databases: { store: 'temporal', visibility: 'temporal_visibility' },
  ports: Array.from({ length: PORTS_NEEDED }, (_, index) => 20_000 + index),
  dynamicConfigFile: '/somewhere/dynamic-config.yaml',
};

describe("the rehearsal's Temporal server", () => {
  it('has the version, shard count and dynamic settings of docker-compose.yml', async () => {
    const text = await compose();
    expect(text).toContain(`image: temporalio/server:${SERVER_VERSION}`);
    const config = JSON.parse(serverConfig(place).text);
    expect(text).toContain(`NUM_HISTORY_SHARDS: '${config.persistence.numHistoryShards}'`);
    const inCompose = [...text.matchAll(/^ {6}(?<name>[\w.]+):\n {8}- value: (?<value>\S+)$/gm)].map(({ groups }) => [
      groups?.name,
      [{ value: JSON.parse(groups?.value ?? '') }],
    ]);
    expect(inCompose.length).toBeGreaterThan(0);
    expect(JSON.parse(dynamicConfig())).toEqual(Object.fromEntries(inCompose));
  });

  it('runs every role on its own ports, on this machine only', () => {
    const { address, text } = serverConfig(place);
    const { services, clusterMetadata, global } = JSON.parse(text);
    expect(Object.keys(services)).toEqual(['frontend', 'history', 'matching', 'worker']);
    const rpcs = Object.values<{ rpc: { grpcPort: number; membershipPort: number; bindOnLocalHost: boolean } }>(services).map(
      ({ rpc }) => rpc,
    );
    expect(rpcs.every((rpc) => rpc.bindOnLocalHost)).toBe(true);
    expect(rpcs.flatMap((rpc) => [rpc.grpcPort, rpc.membershipPort])).toEqual(place.ports);
    expect(address).toBe(`127.0.0.1:${services.frontend.rpc.grpcPort}`);
    expect(clusterMetadata.clusterInformation.active.rpcAddress).toBe(address);
    expect(global.membership.broadcastAddress).toBe('127.0.0.1');
  });

  it('stores everything in Postgres', () => {
    const { persistence } = JSON.parse(serverConfig(place).text);
    for (const [store, databaseName] of [
      [persistence.defaultStore, 'temporal'],
      [persistence.visibilityStore, 'temporal_visibility'],
    ]) {
      expect(persistence.datastores[store].sql).toMatchObject({
        pluginName: 'postgres12',
        databaseName,
        connectAddr: '127.0.0.1:15432',
        password: place.databasePassword,
      });
    }
  });

  it('rejects two roles on one port', () => {
    expect(() => serverConfig({ ...place, ports: place.ports.map(() => 20_000) })).toThrow(RangeError);
  });
});

describe("the rehearsal's check of the workers", () => {
  const workers = [
    { name: 'worker 1', identity: 'worker@here:1', killed: false },
    { name: 'worker 2', identity: 'worker@here:2', killed: true },
  ];
  const started = (identity: string) => ({ workflowTaskStartedEventAttributes: { identity } });
  const completed = (identity: string) => ({ workflowTaskCompletedEventAttributes: { identity } });
  const ofFirst = readWorkers([started('worker@here:1'), completed('worker@here:1')]);
  const takenOver = readWorkers([
    started('worker@here:2'),
    { workflowTaskTimedOutEventAttributes: {} },
    started('worker@here:1'),
    completed('worker@here:1'),
  ]);

  it('counts the runs that the other worker took over from a killed one', async () => {
    expect(await checkWorkers(workers, Promise.resolve([ofFirst, takenOver]))).toMatchObject({
      ok: true,
      detail:
        'worker 1 worker@here:1: worked on 2 runs, completed tasks of 2, worker 2 worker@here:2: worked on 1 runs, completed tasks of 0',
    });
  });

  it('counts activities too', () => {
    const { tookOn } = readWorkers([started('worker@here:1'), { activityTaskStartedEventAttributes: { identity: 'worker@here:2' } }]);
    expect(tookOn).toEqual(['worker@here:1', 'worker@here:2']);
  });

  it('fails for a worker without runs', async () => {
    expect(await checkWorkers(workers, Promise.resolve([ofFirst]))).toMatchObject({ ok: false });
  });
});

describe("the rehearsal's report", () => {
  it('lists failed checks and their number', async () => {
    const checks = [
      await check('nothing is lost', async () => ({ ok: true, detail: 'all 200' })),
      await check('nothing is double', async () => ({ ok: false, detail: '3 are' })),
      await check('the database answers', () => Promise.reject(new Error('it is away'))),
    ];
    const lines = formatReport(checks, [{ name: 'sending', value: '8.0 s' }]).split('\n');
    expect(lines).toEqual([
      '  ok      nothing is lost       all 200',
      '  FAILED  nothing is double     3 are',
      '  FAILED  the database answers  it is away',
      '',
      '          sending               8.0 s',
      '',
      'The rehearsal FAILED: 2 of 3 checks.',
    ]);
    expect(formatReport(checks.slice(0, 1), [])).toMatch(/passed: 1 check/);
  });

  it('calculates percentiles by nearest rank', () => {
    const values = [4, 1, 3, 2];
    expect([0, 50, 75, 95, 100].map((percent) => percentile(values, percent))).toEqual([1, 2, 3, 4, 4]);
  });
});
