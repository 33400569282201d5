import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KnowledgeSuggestion, MAX_KNOWLEDGE } from '../../domain/organization/knowledge.js';
import type { EvidenceDraft, SharedValue } from '../../domain/verdict/evidence.js';
import type { AlertDetail } from '../../services/alerts/wire.js';
import type { AuditEntry } from '../../services/audit/wire.js';
import type { Knowledge } from '../../services/knowledge/wire.js';
import { storeDomains } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { readAllPages } from './support/http.js';
import { createOrganization, FINDING, investigate, storeAnswer } from './support/records.js';

let service: TestService;
const keys = new Map<string, string>();
const requireKey = (name: string) => keys.get(name) ?? expect.fail(`there is no key ${name}`);

beforeAll(async () => {
  service = await startTestService({ worker: false });
  for (const code of ['NORTH', 'SOUTH']) {
    await createOrganization(service, code);
    for (const role of ['analyst', 'admin'] as const) keys.set(`${role} ${code}`, (await service.createKey(role, code)).api_key);
  }
});
afterAll(() => service.stop());

const call = <Body = Knowledge>(method: string, code: string, rest = '', body?: unknown, key?: string) =>
  service.request<Body>(method, `/platformapi/organizations/${code}/knowledge${rest}`, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });
const suggestions = async (code: string) => (await call<{ items: KnowledgeSuggestion[] }>('GET', code, '-suggestions')).body.items;
const audited = async (target: string) =>
  (await readAllPages<AuditEntry>(service, '/platformapi/audit', { limit: 200 })).filter((entry) => entry.target === target);

describe('knowledge about an organization', () => {
  it('is added, listed, changed and removed by its admin, and audited', async () => {
    const key = requireKey('admin NORTH');
    const added = await call('POST', 'NORTH', '', { kind: 'vpn-exit', value: ' 198.51.100.9/28 ', note: ' Lyon ' }, key);
    expect(added).toMatchObject({
      status: 201,
      body: { kind: 'vpn-exit', value: '198.51.100.0/28', note: 'Lyon', organization_code: 'NORTH' },
    });
    const { knowledge_id: id } = added.body;
    await call('POST', 'NORTH', '', { kind: 'domain', value: 'north.example' }, key);
    const values = async () =>
      (await readAllPages<Knowledge>(service, '/platformapi/organizations/NORTH/knowledge', { limit: 1 })).map(({ value }) => value);
    expect(await values()).toEqual(['198.51.100.0/28', 'north.example']);
    expect(await call('PUT', 'NORTH', `/${id}`, { kind: 'nat', value: '198.51.100.1' }, key)).toMatchObject({
      status: 200,
      body: { knowledge_id: id, kind: 'nat', value: '198.51.100.1', note: '' },
    });
    expect((await call('DELETE', 'NORTH', `/${id}`, undefined, key)).status).toBe(204);
    expect((await call('DELETE', 'NORTH', `/${id}`, undefined, key)).status).toBe(404);
    expect(await values()).toEqual(['north.example']);
    expect((await audited(id)).map(({ action }) => action).sort()).toEqual(['knowledge.create', 'knowledge.delete', 'knowledge.update']);
  });

  it('is refused where the value does not fit the kind, with the place and the remedy', async () => {
    expect(await call('POST', 'SOUTH', '', { kind: 'network', value: '10.0.0.0/2' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/value', detail: expect.stringContaining('192.0.2.0/24') }] },
    });
    expect(await call('POST', 'SOUTH', '', { kind: 'odd', value: 'x' })).toMatchObject({ status: 422 });
    expect(await call('POST', 'SOUTH', '', { kind: 'domain', value: 'a\u0000.example' })).toMatchObject({ status: 422 });
    expect(await call('POST', 'SOUTH', '', { kind: 'domain', value: 'x.example', more: 1 })).toMatchObject({ status: 422 });
  });

  it('has each entry once', async () => {
    const first = await call('POST', 'SOUTH', '', { kind: 'domain', value: 'south.example' });
    const other = await call('POST', 'SOUTH', '', { kind: 'domain', value: 'other-south.example' });
    expect(await call('POST', 'SOUTH', '', { kind: 'domain', value: 'SOUTH.example.' })).toMatchObject({ status: 409 });
    expect(await call('PUT', 'SOUTH', `/${other.body.knowledge_id}`, { kind: 'domain', value: 'South.Example' })).toMatchObject({
      status: 409,
    });
    for (const { body } of [first, other]) await call('DELETE', 'SOUTH', `/${body.knowledge_id}`);
  });

  it('is hidden from keys of other organizations, and only admins change it', async () => {
    const { body } = await call('POST', 'NORTH', '', { kind: 'scanner', value: '192.0.2.200' });
    const [foreign, analyst] = [requireKey('admin SOUTH'), requireKey('analyst NORTH')];
    expect((await call('GET', 'NORTH', '', undefined, foreign)).status).toBe(404);
    expect((await call('GET', 'NORTH', '-suggestions', undefined, foreign)).status).toBe(404);
    expect((await call('POST', 'NORTH', '', { kind: 'scanner', value: '192.0.2.201' }, foreign)).status).toBe(404);
    expect((await call('DELETE', 'NORTH', `/${body.knowledge_id}`, undefined, foreign)).status).toBe(404);
    expect((await call('DELETE', 'SOUTH', `/${body.knowledge_id}`, undefined, foreign)).status).toBe(404);
    expect((await call('PUT', 'SOUTH', `/${body.knowledge_id}`, { kind: 'scanner', value: '192.0.2.9' }, foreign)).status).toBe(404);
    expect((await call('GET', 'NORTH', '', undefined, analyst)).status).toBe(200);
    expect((await call('POST', 'NORTH', '', { kind: 'scanner', value: '192.0.2.201' }, analyst)).status).toBe(403);
    expect((await call('GET', 'ABSENT')).status).toBe(404);
  });

  it('has a maximum', async () => {
    const uuid = await createOrganization(service, 'FULL');
    const domains = Array.from({ length: MAX_KNOWLEDGE }, (_, index) => `d${index}.example`);
    await storeDomains(service, uuid, domains);
    expect(await call('POST', 'FULL', '', { kind: 'domain', value: 'more.example' })).toMatchObject({ status: 409 });
  });
});

describe('an alert', () => {
  it('states which of its entities are own, by the knowledge of now', async () => {
    const alert = await service.sendAlert({ organization_code: 'SOUTH' });
    const entities = [
      { kind: 'ip', value: '10.4.4.4' },
      { kind: 'ip', value: '203.0.113.9' },
    ] as const;
    await investigate(service, alert, { entities: [...entities] });
    const own = async () => (await service.request<AlertDetail>('GET', `/platformapi/alerts/${alert.alert_id}`)).body.own;
    expect(await own()).toEqual([]);
    const { body } = await call('POST', 'SOUTH', '', { kind: 'network', value: '10.0.0.0/8' });
    expect(await own()).toEqual([{ kind: 'ip', value: '10.4.4.4', reason: 'own network 10.0.0.0/8', individual: true }]);
    await call('DELETE', 'SOUTH', `/${body.knowledge_id}`);
  });
});

describe('suggestions', () => {
  it('come from stored alerts and answers, and are accepted or rejected', async () => {
    const organizationUuid = await createOrganization(service, 'SUGGEST');
    for (let n = 0; n < 20; n += 1) {
      const alert = await service.sendAlert({ organization_code: 'SUGGEST' });
      await investigate(service, alert, {
        concluded: false,
        entities: [
          { kind: 'domain', value: 'prevalent.example' },
          { kind: 'ip', value: '192.0.2.50' },
          { kind: 'domain', value: `once-${n}.example` },
        ],
      });
    }
    await storeAnswer(service, organizationUuid, 'endpoint-detection', {
      items: ['a', 'b'].map((name) => ({ computerDnsName: `${name}.Lab.acme.example` })),
    });
    await storeAnswer(service, organizationUuid, 'endpoint-detection', { computerDnsName: 'c.lab.acme.example' });
    await storeAnswer(service, organizationUuid, 'travel-booking', {
      items: ['x', 'y', 'z'].map((name) => ({ email: `${name}@people.example` })),
    });
    const offered = await suggestions('SUGGEST');
    expect(offered.map(({ kind, value, source }) => `${source}: ${kind} ${value}`)).toEqual([
      'machine-names: domain lab.acme.example',
      'directory: domain people.example',
      'prevalence: domain prevalent.example',
      'prevalence: network 192.0.2.50',
    ]);
    expect((await call<{ items: unknown[] }>('GET', 'SUGGEST')).body.items).toEqual([]);
    const [machines] = offered;
    await call('POST', 'SUGGEST', '', { kind: machines?.kind, value: machines?.value, note: machines?.reason });
    for (let n = 0; n < 2; n += 1)
      expect((await call('POST', 'SUGGEST', '-suggestions/reject', { kind: 'network', value: '192.0.2.50' })).status).toBe(204);
    expect((await suggestions('SUGGEST')).map(({ value }) => value)).toEqual(['people.example', 'prevalent.example']);
    // An admin can still add a value that was rejected.
    expect(await call('POST', 'SUGGEST', '', { kind: 'network', value: '192.0.2.50' })).toMatchObject({ status: 201 });
    expect((await call<{ items: Knowledge[] }>('GET', 'SUGGEST')).body.items.map(({ value }) => value)).toEqual([
      'lab.acme.example',
      '192.0.2.50',
    ]);
  });

  it('come from the values that investigations found in records and alerts of many, until they are accepted or rejected', async () => {
    await createOrganization(service, 'SHARED');
    const conclude = async (shared: SharedValue) => {
      const alert = await service.sendAlert({ organization_code: 'SHARED' });
      const note: EvidenceDraft = { ...FINDING, kind: 'note', points: 0, step: 'shared-value-x', shared };
      await investigate(service, alert, { evidence: [note] });
    };
    const spread = { records: 9, people: 4, machines: 2, cases: 1, days: 3 };
    await conclude({ kind: 'ip', value: '198.51.100.7', ...spread });
    await conclude({ kind: 'ip', value: '198.51.100.7', ...spread, people: 6 });
    await conclude({ kind: 'host', value: 'jump-01', ...spread });
    await conclude({ kind: 'hash', value: 'a'.repeat(64), ...spread });
    expect((await suggestions('SHARED')).map(({ kind, value, source, reason }) => [kind, value, source, reason])).toEqual([
      ['network', '198.51.100.7', 'shared-values', expect.stringContaining('of 6 people, 2 machines, 1 own case on 3 days')],
      ['shared-host', 'jump-01', 'shared-values', expect.stringContaining('9 records and alerts')],
    ]);
    expect((await call<{ items: unknown[] }>('GET', 'SHARED')).body.items).toEqual([]);
    const added = await call('POST', 'SHARED', '', { kind: 'network', value: '198.51.100.7' });
    expect((await audited(added.body.knowledge_id)).map(({ action }) => action)).toEqual(['knowledge.create']);
    expect((await call('POST', 'SHARED', '-suggestions/reject', { kind: 'shared-host', value: 'jump-01' })).status).toBe(204);
    await conclude({ kind: 'host', value: 'jump-01', ...spread });
    await conclude({ kind: 'ip', value: '198.51.100.7', ...spread });
    expect(await suggestions('SHARED')).toEqual([]);
    const analyst = (await service.createKey('analyst', 'SHARED')).api_key;
    expect((await call('GET', 'SHARED', '-suggestions', undefined, analyst)).status).toBe(200);
    expect((await call('POST', 'SHARED', '-suggestions/reject', { kind: 'shared-host', value: 'jump-02' }, analyst)).status).toBe(403);
  });

  it('ignore answers of other organizations and hostile texts', async () => {
    const organizationUuid = await createOrganization(service, 'HOSTILE');
    await storeAnswer(service, organizationUuid, 'endpoint-detection', {
      items: [
        ...['a', 'b', 'c'].map((name) => ({ computerDnsName: `${name}.x'; drop table alerts; --` })),
        { computerDnsName: { odd: 1 } },
        7,
      ],
    });
    expect(await suggestions('HOSTILE')).toEqual([]);
  });
});
