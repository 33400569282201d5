import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlertListItem } from '../../domain/alert/alert.js';
import type { CaseGraph } from '../../domain/case/case-graph.js';
import type { EntityAlert, EntityDetail } from '../../domain/case/entity-page.js';
import type { Entity } from '../../domain/entity/entity.js';
import { changeSkillResults, storeRecord } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeConnection } from '../support/stored-connection.js';
import { type List, readAllPages } from './support/http.js';
import { createOrganization, investigate, storeRead } from './support/records.js';

let service: TestService;
let connectionUuid: string;
let foreignKey: string;
const HOST = { kind: 'host', value: 'hr-ws-014.harbour.example' } as const satisfies Entity;
const alerts: AlertListItem[] = [];

beforeAll(async () => {
  service = await startTestService({ worker: false });
  connectionUuid = await storeConnection(service.database.db, { name: 'Endpoints' });
  for (let n = 0; n < 3; n += 1) {
    const alert = await service.sendAlert({ alert_type: `Malware ${n}`, created_at_source: 1_767_225_600 - n });
    alerts.push(alert);
    await investigate(service, alert, {
      entities: [
        { ...HOST, role: 'victim' },
        { kind: 'user', value: 'HARBOUR\\dana.vries' },
        { kind: 'ip', value: `203.0.113.${n}` },
      ],
    });
  }
  await createOrganization(service, 'OTHER');
  foreignKey = (await service.createKey('analyst', 'OTHER')).api_key;
  const foreign = await service.sendAlert({ organization_code: 'OTHER' });
  await investigate(service, foreign, { entities: [HOST] });
});
afterAll(() => service.stop());

const address = (path: string, { kind, value }: Entity, more = '&organization_code=DEMO') =>
  `/platformapi/${path}?kind=${kind}&value=${encodeURIComponent(value)}${more}`;

async function readEntity(entity: Entity): Promise<EntityDetail> {
  const reply = await service.request<EntityDetail>('GET', address('entity', entity));
  expect(reply).toMatchObject({ status: 200 });
  return reply.body;
}

const answer = (alert: AlertListItem, skillId: string, input: unknown, output: unknown, connector = 'endpoint-detection') =>
  storeRead(service, alert, { connectionId: connectionUuid, connector, skillId, input, output });

describe('an entity', () => {
  it('counts its alerts of the organization, by day', async () => {
    const found = await readEntity(HOST);
    expect(found).toMatchObject({ ...HOST, organization_code: 'DEMO', alert_count: 3, own: null, protected: [] });
    expect(found.days).toHaveLength(30);
    expect(found.days.reduce((sum, { alerts: count }) => sum + count, 0)).toBe(3);
    expect(found.first_at).toBeLessThanOrEqual(found.last_at ?? 0);
  });

  it('lists all its alerts with their cases in pages, and none of another organization', async () => {
    const items = await readAllPages<EntityAlert>(service, address('entity/alerts', HOST), { limit: 2 });
    expect(items.map(({ alert_id }) => alert_id)).toEqual(alerts.map(({ alert_id }) => alert_id).reverse());
    expect(items[0]).toMatchObject({
      role: 'victim',
      case_id: expect.stringContaining('DEMO-CASE-'),
      verdict: 'malicious',
      case_status: 'open',
    });
    const foreign = await service.request<List<EntityAlert>>('GET', address('entity/alerts', HOST, ''), { key: foreignKey });
    expect(foreign.body.items).toHaveLength(1);
    expect(foreign.body.items[0]?.alert_id).toContain('OTHER-');
  });

  it('knows its other spellings', async () => {
    const alert = await service.sendAlert();
    const short = { kind: 'host', value: 'hr-ws-014' } as const;
    const mail = { kind: 'email', value: 'dana.vries@harbour.example' } as const;
    await investigate(service, alert, { entities: [short, mail, { kind: 'host', value: 'hr-ws-014.other.example' }] });
    const account = { kind: 'user', value: 'HARBOUR\\dana.vries' };
    expect(await readEntity(HOST)).toMatchObject({ alert_count: 3, spellings: [], similar: [short] });
    expect(await readEntity(mail)).toMatchObject({ alert_count: 1, spellings: [], similar: [account] });
    expect(await readEntity({ kind: 'ip', value: '203.0.113.1' })).toMatchObject({ spellings: [], similar: [] });
    const { body: known } = await service.request<{ knowledge_id: string }>('POST', '/platformapi/organizations/DEMO/knowledge', {
      body: { kind: 'domain', value: 'harbour.example' },
    });
    expect(await readEntity(HOST)).toMatchObject({ ...HOST, alert_count: 4, spellings: [short], similar: [] });
    expect(await readEntity(short)).toEqual(await readEntity(HOST));
    expect(await readEntity({ kind: 'user', value: 'Dana.Vries[@]harbour.example' })).toMatchObject({
      ...mail,
      alert_count: 4,
      spellings: [account],
    });
    const items = await readAllPages<EntityAlert>(service, address('entity/alerts', short), { limit: 3 });
    expect(items.map(({ alert_id }) => alert_id)).toEqual([alert, ...alerts.toReversed()].map(({ alert_id }) => alert_id));
    await service.request('DELETE', `/platformapi/organizations/DEMO/knowledge/${known.knowledge_id}`);
  });

  it('is found by each spelling of its address', async () => {
    for (const value of ['::ffff:203.0.113.1', '203[.]0[.]113[.]1', '::FFFF:CB00:7101'])
      expect(await readEntity({ kind: 'ip', value })).toMatchObject({ value: '203.0.113.1', alert_count: 1 });
  });

  it('shows stored answers about it as cards, newest first, and none about another entity', async () => {
    const machine = {
      id: 'a'.repeat(40),
      computerDnsName: HOST.value,
      osPlatform: 'Windows11',
      riskScore: 'High',
      machineTags: ['hr', 'vip'],
    };
    const [first, second] = alerts;
    if (!first || !second) expect.fail('There are no alerts.');
    await answer(first, 'List machines', { computer_dns_name: 'hr-ws-014' }, { items: [{ ...machine, riskScore: 'Low' }] });
    await answer(second, 'List machines', { computer_dns_name: HOST.value }, { items: [machine] });
    await answer(second, 'Get Enrichment', { kind: 'ip', value: '203.0.113.1' }, { score: 90, rules: [] }, 'threat-intelligence');
    const { answers, cards } = await readEntity(HOST);
    expect(answers.map(({ alert_id, skill_id, connection }) => [alert_id, skill_id, connection])).toEqual([
      [second.alert_id, 'List machines', 'Endpoints'],
      [first.alert_id, 'List machines', 'Endpoints'],
    ]);
    expect(cards).toMatchObject([
      {
        card: 'device',
        entries: [
          {
            title: HOST.value,
            fields: [
              { name: 'Operating system', value: 'Windows11' },
              { name: 'Risk', value: 'High' },
              { name: 'Tags', value: 'hr, vip' },
            ],
          },
        ],
      },
    ]);
    // The skill has another title since.
    await changeSkillResults(service, { skillId: 'Get Enrichment' }, { skillId: 'Earlier title' });
    const address = await readEntity({ kind: 'ip', value: '203.0.113.1' });
    expect(address.cards).toMatchObject([{ card: 'reputation', entries: [{ fields: [{ name: 'Risk score', value: '90' }] }] }]);
  });

  it('offers the skills of connected third parties with the entity filled in', async () => {
    const { actions } = await readEntity(HOST);
    expect(actions).toContainEqual(
      expect.objectContaining({
        connector: 'endpoint-detection',
        slug: 'list-machines',
        effect: 'read',
        input: { computer_dns_name: HOST.value },
      }),
    );
    expect(new Set(actions.map(({ connector }) => connector))).toEqual(new Set(['endpoint-detection']));
    expect((await readEntity({ kind: 'ip', value: '203.0.113.1' })).actions.map(({ effect }) => effect)).toContain('write');
  });

  it('is own or protected by the knowledge and the rules of its organization', async () => {
    const knowledge = { kind: 'domain', value: 'harbour.example' };
    await service.request('POST', '/platformapi/organizations/DEMO/knowledge', { body: knowledge });
    const asset = { organization_code: 'DEMO', kind: 'host', value: 'hr-ws-014', reason: 'Pays the salaries.' };
    expect(await service.request('POST', '/platformapi/protected-assets', { body: asset })).toMatchObject({ status: 201 });
    expect(await readEntity(HOST)).toMatchObject({
      own: 'own domain harbour.example',
      protected: ['Protected host hr-ws-014: Pays the salaries.'],
    });
    const foreign = await service.request('GET', address('entity', HOST, ''), { key: foreignKey });
    expect(foreign.body).toMatchObject({ own: null, protected: [], alert_count: 1, cards: [], answers: [], actions: [] });
  });

  it('that no alert contains has no data', async () => {
    const unknown = await readEntity({ kind: 'url', value: `https://a.example/${'x'.repeat(2000)}` });
    expect(unknown).toMatchObject({ alert_count: 0, first_at: null, last_at: null, answers: [], cards: [], spellings: [] });
  });

  it('needs a known kind, a value and an organization', async () => {
    for (const query of [
      'kind=planet&value=x&organization_code=DEMO',
      'kind=host&value=&organization_code=DEMO',
      'kind=host&value=x',
      'kind=host&value=%00&organization_code=DEMO',
    ])
      for (const path of ['entity', 'entity/alerts'])
        expect(await service.request('GET', `/platformapi/${path}?${query}`), query).toMatchObject({ status: 422 });
    expect(await service.request('GET', address('entity', HOST), { key: foreignKey })).toMatchObject({ status: 422 });
  });
});

describe('the graph of a case', () => {
  it('has its alerts, entities and events in the order in which they happened', async () => {
    const [first] = alerts;
    const { case_id: caseId } = (await service.request<AlertListItem>('GET', `/platformapi/alerts/${first?.alert_id}`)).body;
    const record = { recordId: 'r1', title: 'Beacon to a known server', happenedAt: 1_767_225_000, values: ['203.0.113.0'] };
    await storeRecord(service, connectionUuid, { kind: 'alert', ...record });
    const reply = await service.request<CaseGraph>('GET', `/platformapi/cases/${caseId}/graph`);
    expect(reply.status).toBe(200);
    expect(reply.body.alerts).toMatchObject([{ alert_id: first?.alert_id, created_at_source: 1_767_225_600 }]);
    expect(reply.body.entities).toContainEqual({
      kind: 'host',
      value: HOST.value,
      own: 'own domain harbour.example',
      alerts: [{ alert_id: first?.alert_id, role: 'victim' }],
    });
    expect(reply.body.events).toMatchObject([
      { at: 1_767_225_000, kind: 'record', title: 'Beacon to a known server', source: 'Endpoints', shares: ['203.0.113.0'] },
      { at: 1_767_225_600, kind: 'alert', title: 'Malware 0', alert_id: first?.alert_id },
    ]);
    expect(await service.request('GET', `/platformapi/cases/${caseId}/graph`, { key: foreignKey })).toMatchObject({ status: 404 });
  });

  it('has each host and account once, in its canonical spelling', async () => {
    const alert = await service.sendAlert();
    const caseId = await investigate(service, alert, {
      entities: [
        { kind: 'host', value: 'hr-ws-020', role: 'victim' },
        { kind: 'host', value: 'hr-ws-020.harbour.example' },
        { kind: 'user', value: 'eve@harbour.example' },
        { kind: 'email', value: 'eve@harbour.example' },
      ],
      names: [{ family: 'host', short: 'hr-ws-020', full: 'hr-ws-020.harbour.example' }],
    });
    const { body } = await service.request<CaseGraph>('GET', `/platformapi/cases/${caseId}/graph`);
    expect(body.entities.map(({ kind, value, alerts: of }) => [kind, value, of.map(({ role }) => role)])).toEqual([
      ['host', 'hr-ws-020.harbour.example', ['victim']],
      ['email', 'eve@harbour.example', [null]],
    ]);
    expect(body.entity_count).toBe(2);
  });
});
