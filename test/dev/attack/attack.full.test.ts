import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChanged, VictimRows } from '../../../dev/attack/digest.js';
import { FLOODS } from '../../../dev/attack/floods.js';
import { runFuzz } from '../../../dev/attack/fuzz.js';
import { runLoad } from '../../../dev/attack/load.js';
import { runMatrix } from '../../../dev/attack/matrix.js';
import { type AttackPrincipal, createPrincipals } from '../../../dev/attack/principals.js';
import { type AttackedRoute, listRoutes } from '../../../dev/attack/routes.js';
import type { Target } from '../../../dev/attack/target.js';
import { prepareVictim, type Victim } from '../../../dev/attack/victim.js';
import { startTestService, type TestService } from '../../support/service.js';
import { storeConnection } from '../../support/stored-connection.js';

let service: TestService;
let target: Target;
let routes: AttackedRoute[];
let victim: Victim;
let principals: AttackPrincipal[];
const { signal } = new AbortController();

beforeAll(async () => {
  service = await startTestService();
  const { url, adminKey, database } = service;
  const stopWorker = async () => {
    await service.stopWorker();
    // The investigation has ended, so that it waits for no third party.
    await storeConnection(database.db, { name: 'Endpoints' });
  };
  target = { url, adminKey, database, stopWorker };
  routes = await listRoutes();
  principals = await createPrincipals(target);
  victim = await prepareVictim(target, routes, signal);
});
afterAll(() => service.stop());

describe('the attack', () => {
  it('finds every route of the API document, and routes that it hides', async () => {
    const { body } = await service.request<{ paths: Record<string, Record<string, { operationId: string }>> }>('GET', '/openapi.json');
    const documented = Object.values(body.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    const found = routes.map(({ operationId }) => operationId);
    expect(found).toEqual(expect.arrayContaining(documented));
    expect(found.filter((id) => id === null).length).toBeGreaterThan(15);
  });

  it('has a record of the victim for each parameter of a path', async () => {
    expect(victim.withoutRecord).toEqual([]);
    const rows = await VictimRows.of(service.database.pg, victim.organizationUuid);
    const uuids = [...victim.ids].filter(([, id]) => /^[0-9a-f]{8}-/.test(id));
    for (const [name, id] of uuids) expect(await rows.newest(name.replace(/_id$/, '_uuid')), name).toEqual(id);
  });

  it('counts a parameter without a record of the victim as wrong', async () => {
    const { wrong } = await runMatrix({ target, victim: { ...victim, withoutRecord: ['new_id'] }, routes: [], principals: [], signal });
    expect(wrong).toEqual([expect.stringContaining(':new_id')]);
  });

  it('finds no wrong cell: strangers to each route, everyone to some', { timeout: 600_000 }, async () => {
    const strangers = principals.filter(({ name }) => /^(?:anonymous|remote agent|admin of another)/.test(name));
    const all = await runMatrix({ target, victim, routes, principals: strangers, signal });
    expect(all.wrong).toEqual([]);
    const sample = routes.filter((_, index) => index % 7 === 0);
    // The first run ended sessions: signing out is a route too.
    principals = await createPrincipals(target);
    const some = await runMatrix({ target, victim, routes: sample, principals, signal });
    expect(some.wrong).toEqual([]);
    expect(some.cells).toBe(sample.length * principals.length);
    expect(Object.values(some.met).every((count) => count > 0)).toBe(true);
  });

  it('finds no wrong reply to fuzzed requests', { timeout: 600_000 }, async () => {
    const result = await runFuzz({ target, victim, routes, principals, seed: 20_261_118, requests: 2 * routes.length, signal });
    expect(result.wrong).toEqual([]);
    expect(Object.keys(result.statuses)).toEqual(expect.arrayContaining(['200', '400', '401', '404', '422']));
  });
});

it('measures the health and the list of alerts before and during a flood', { timeout: 120_000 }, async () => {
  const floods = FLOODS.filter(({ name }) => /^(?:parallel codes|agent reports)/.test(name));
  const results = await runLoad(target, () => process.pid, signal, floods);
  const positive = expect.toSatisfy((ms: number) => ms > 0);
  for (const result of results) {
    expect(result).toMatchObject({ alerts: { beforeMs: positive, duringMs: positive }, during: { p99Ms: positive }, wrong: [] });
  }
  expect(results.map(({ statuses }) => Object.keys(statuses).includes('429'))).toEqual([true, true]);
});

describe('the digest', () => {
  it('notices a changed row of the victim in a table without a column for the organization', async () => {
    const { pg } = service.database;
    const rows = await VictimRows.of(pg, victim.organizationUuid);
    const before = await rows.digest();
    await pg`insert into case_tags (case_uuid, tag) select case_uuid, 'noticed' from cases where case_id = ${victim.ids.get('case_id') ?? ''}`;
    expect(findChanged(before, await rows.digest())).toEqual(['case_tags']);
  });
});
