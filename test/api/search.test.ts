import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlertListItem } from '../../domain/alert/alert.js';
import type { Entity } from '../../domain/entity/entity.js';
import type { ProvenName } from '../../domain/entity/names.js';
import type { SearchResult } from '../../domain/search/search.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeConnection } from '../support/stored-connection.js';
import { createOrganization, FINDING, investigate } from './support/records.js';

let service: TestService;
let alert: AlertListItem;
let caseId: string;
let foreignKey: string;

const HASH = '44d88612fea8a8f36de82e1278abb02f44d88612fea8a8f36de82e1278abb02f';
const ENTITIES: Entity[] = [
  { kind: 'host', value: 'hr-ws-014.harbour.example' },
  { kind: 'user', value: 'dana.vries' },
  { kind: 'hash', value: HASH },
  { kind: 'cve', value: 'CVE-2024-3400' },
  { kind: 'url', value: 'https://login.badsite.example/a_b%20c?d=1' },
];

beforeAll(async () => {
  service = await startTestService({ worker: false });
  const content = `Malware quarantined on hr-ws-014.harbour.example, user dana.vries, exploit of CVE-2024-3400, file ${HASH}`;
  alert = await service.sendAlert({ alert_type: 'Malware detected', alert_content: content });
  const evidence = [{ ...FINDING, title: 'Known loader', reason: 'The file belongs to the loader Bumblebee.' }];
  caseId = await investigate(service, alert, { entities: ENTITIES, evidence });
  await service.request('PATCH', `/platformapi/cases/${caseId}`, {
    body: { title: 'Payroll workstation under attack', comment: 'Called the workstation owner about the quarantine.' },
  });
  await storeConnection(service.database.db, { name: 'Harbour sensors' });
  await createOrganization(service, 'OTHER');
  foreignKey = (await service.createKey('analyst', 'OTHER')).api_key;
  const foreign = await service.sendAlert({ organization_code: 'OTHER', alert_type: 'Unrelated', alert_content: 'nothing of interest' });
  await investigate(service, foreign, { entities: [{ kind: 'host', value: 'quiet.other.example' }], evidence: [] });
});
afterAll(() => service.stop());

async function search(text: string, { key = service.adminKey, organization = '' } = {}): Promise<SearchResult> {
  const filter = organization === '' ? '' : `&organization_code=${organization}`;
  const reply = await service.request<SearchResult>('GET', `/platformapi/search?text=${encodeURIComponent(text)}${filter}`, { key });
  expect(reply).toMatchObject({ status: 200 });
  return reply.body;
}

describe('a search finds', () => {
  it.each([
    ['a short host name', 'hr-ws-014'],
    ['a part of a host name', 's-014.harb'],
    ['an account', 'dana.vries'],
    ['a part of an account in other letters', 'NA.VRIE'],
    ['the beginning of a word', 'Malwar'],
    ['a CVE', 'CVE-2024-3400'],
    ['a part of a CVE', '4-3400'],
    ['a hash', HASH],
    ['a part of a hash', HASH.slice(20, 34)],
    ['a phrase', '"quarantined on"'],
    ['two words', 'malware dana'],
    ['a url with characters of a pattern', 'a_b%20c'],
  ])('an alert and its case by %s', async (_, text) => {
    const found = await search(text);
    expect(found.alerts.map(({ id }) => id)).toEqual([alert.alert_id]);
    expect(found.cases.map(({ id }) => id)).toEqual([caseId]);
  });

  it('an alert and a case by their ids', async () => {
    expect((await search(alert.alert_id)).alerts).toMatchObject([{ id: alert.alert_id, page: `/alerts/${alert.alert_id}` }]);
    expect((await search(caseId.toLowerCase())).cases).toMatchObject([{ id: caseId, page: `/cases/${caseId}` }]);
  });

  it('entities with their page, the exact value first', async () => {
    const { entities } = await search('ries');
    expect(entities).toMatchObject([
      { id: 'user', title: 'dana.vries', organization_code: 'DEMO', page: '/entity?kind=user&value=dana.vries&organization=DEMO' },
    ]);
    expect((await search('cve-2024-3400')).entities[0]).toMatchObject({ id: 'cve', title: 'CVE-2024-3400' });
  });

  it('an edited title, by a part of a word', async () => {
    expect((await search('orkstatio')).cases).toMatchObject([
      { id: caseId, title: 'Payroll workstation under attack', verdict: 'malicious' },
    ]);
  });

  it('comments, findings and connections, with the text around the match', async () => {
    const { comments, evidence, connections } = await search('harbour');
    expect([comments, evidence]).toEqual([[], []]);
    expect(connections).toMatchObject([
      { title: 'Harbour sensors', page: expect.stringContaining('/integrations/endpoint-detection?tab=connections') },
    ]);
    expect((await search('arantin')).comments).toMatchObject([
      { id: caseId, snippet: expect.stringContaining('owner about the quarantine.') },
    ]);
    expect((await search('umblebe')).evidence).toMatchObject([
      { id: caseId, title: 'Known loader', snippet: expect.stringContaining('Bumblebee') },
    ]);
  });

  it('a host and its alerts by each name, once, after something proves that they are one', async () => {
    const [short, full] = ['lab-srv-07', 'lab-srv-07.harbour.example'];
    const [first, second, third] = [await service.sendAlert(), await service.sendAlert(), await service.sendAlert()];
    await investigate(service, first, { entities: [{ kind: 'host', value: short }] });
    await investigate(service, second, { entities: [{ kind: 'host', value: full }] });
    const idsOf = async (text: string) => {
      const found = await search(text);
      return [found.entities.map(({ title }) => title), found.alerts.map(({ id }) => id)];
    };
    expect(await idsOf(full)).toEqual([[full], [second.alert_id]]);
    const names: ProvenName[] = [{ family: 'host', short, full }];
    await investigate(service, third, { entities: [{ kind: 'ip', value: '203.0.113.70' }], names });
    for (const text of [short, full, 'LAB-SRV-07.harbour[.]example.'])
      expect(await idsOf(text), text).toEqual([[full], [second.alert_id, first.alert_id]]);
    expect((await search('::ffff:203.0.113.70')).alerts.map(({ id }) => id)).toEqual([third.alert_id]);
    expect((await search('203[.]0[.]113[.]70')).cases).toHaveLength(1);
  });

  it('alerts with a short name by the full name that only a record has', async () => {
    const only = await service.sendAlert();
    const names: ProvenName[] = [{ family: 'host', short: 'lab-srv-08', full: 'lab-srv-08.harbour.example' }];
    await investigate(service, only, { entities: [{ kind: 'host', value: 'lab-srv-08' }], names });
    expect((await search('lab-srv-08.harbour.example')).alerts.map(({ id }) => id)).toEqual([only.alert_id]);
    const rival = await service.sendAlert();
    await investigate(service, rival, { entities: [{ kind: 'host', value: 'lab-srv-08.other.example' }] });
    expect((await search('lab-srv-08.harbour.example')).alerts).toEqual([]);
  });

  it('a host again after a second alert, once', async () => {
    const second = await service.sendAlert({ alert_type: 'Again', alert_content: 'fin-srv-02 again' });
    const third = await service.sendAlert({ alert_type: 'Again', alert_content: 'fin-srv-02 again' });
    for (const each of [second, third]) await investigate(service, each, { entities: [{ kind: 'host', value: 'fin-srv-02' }] });
    const found = await search('srv-02');
    expect(found.entities.map(({ title }) => title)).toEqual(['fin-srv-02']);
    expect(found.alerts.map(({ id }) => id)).toEqual([third.alert_id, second.alert_id]);
  });
});

describe('a search does not show', () => {
  it.each(['hr-ws-014', 'ries', 'orkstatio', 'arantin', 'umblebe', 'Harbour', 'ID OF THE CASE', 'ID OF THE ALERT'])(
    '%s to another organization',
    async (text) => {
      const wanted = text === 'ID OF THE CASE' ? caseId : text === 'ID OF THE ALERT' ? alert.alert_id : text;
      const found = await search(wanted, { key: foreignKey });
      expect(Object.values(found).flat()).toEqual([]);
      expect(Object.values(await search(wanted, { organization: 'OTHER' })).flat()).toEqual([]);
      expect(Object.values(await search(wanted, { organization: 'DEMO' })).flat()).not.toEqual([]);
    },
  );

  it('more than eight records of a group', async () => {
    for (let n = 0; n < 10; n += 1) {
      const each = await service.sendAlert({ alert_type: 'Crowd', alert_content: `crowd-${n}` });
      await investigate(service, each, { entities: [{ kind: 'host', value: `crowd-${n}` }] });
    }
    const found = await search('crowd');
    expect([found.alerts.length, found.entities.length, found.cases.length]).toEqual([8, 8, 8]);
  });

  it('anything for a text that only excludes, or of marks alone', async () => {
    for (const text of ['-malware', '""', '%%%', '....', "';--"]) {
      const found = await search(text);
      expect(found.alerts, text).toEqual([]);
    }
  });
});

describe('a search refuses', () => {
  it('a sender', async () => {
    const { api_key: key } = await service.createKey('sender', 'DEMO');
    expect(await service.request('GET', '/platformapi/search?text=malware', { key })).toMatchObject({ status: 403 });
  });

  it('a missing or short text, and an organization that the key cannot use', async () => {
    for (const [query, parameter] of [
      ['', 'text'],
      ['text=%20a%20', 'text'],
      [`text=${'a'.repeat(501)}`, 'text'],
      ['text=abc&organization_code=NONE', 'organization_code'],
    ])
      expect(await service.request('GET', `/platformapi/search?${query}`)).toMatchObject({
        status: 422,
        body: { errors: [{ parameter }] },
      });
    const reply = await service.request('GET', '/platformapi/search?text=abc&organization_code=DEMO', { key: foreignKey });
    expect(reply).toMatchObject({ status: 422 });
  });
});
