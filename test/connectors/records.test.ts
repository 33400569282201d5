import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../connectors/catalogue.js';
import { endpointAlertRecords, indicatorRecords } from '../../connectors/endpoint-detection/records.js';
import { incidentRecords } from '../../connectors/incident-source/records.js';
import type { Catalogue } from '../../connectors/kit/define.js';
import { intelligenceAlertRecords } from '../../connectors/threat-intelligence/records.js';
import { investigationRecords } from '../../connectors/vulnerability-investigation/records.js';
import { boundRecord, type RecordSource } from '../../domain/record/record.js';
import { readRecordedReplies } from '../support/recorded-replies.js';

const Listed = z.looseObject({ value: z.array(z.unknown()).optional(), data: z.array(z.unknown()).optional() });

/** Each recorded list of a third party and the records in it. */
function readAll(connector: string, source: RecordSource, names: RegExp) {
  const replies = readRecordedReplies(connector);
  return replies.names
    .filter((name) => names.test(name))
    .map((name) => {
      const { value, data } = Listed.parse(replies.json(name));
      const items = value ?? data ?? [];
      return { name, items, records: items.map((item) => source.read(item)) };
    });
}

const LISTS = [
  { connector: 'endpoint-detection', source: endpointAlertRecords, names: /^list-alerts/ },
  { connector: 'endpoint-detection', source: indicatorRecords, names: /^list-indicators/ },
  { connector: 'incident-source', source: incidentRecords, names: /^list-incidents/ },
  { connector: 'threat-intelligence', source: intelligenceAlertRecords, names: /^list-alerts/ },
  { connector: 'vulnerability-investigation', source: investigationRecords, names: /^idr-(?:list|search)-investigations/ },
] as const;
const hasReplies = readRecordedReplies('endpoint-detection').names.length > 0;

describe.skipIf(!hasReplies).each(LISTS)('a recorded list of $source.kind records of $connector', ({ connector, source, names }) => {
  it('is read completely, within the limits of the table', () => {
    const lists = readAll(connector, source, names);
    expect(lists.flatMap(({ items }) => items).length).toBeGreaterThan(0);
    for (const { name, records } of lists)
      for (const record of records) {
        expect(record, name).not.toBeNull();
        if (record === null) continue;
        expect(record.recordId.length, name).toBeGreaterThan(0);
        expect(record.title.length, name).toBeGreaterThan(0);
        expect(record.values, name).toEqual(record.values.map((value) => value.toLowerCase()));
        expect(record.values.length, name).toBeGreaterThan(0);
        expect(boundRecord(record).values.length, name).toBeGreaterThan(0);
      }
  });
});

describe.skipIf(!hasReplies)('a recorded reply', () => {
  it('of the endpoint platform names the machine, the account and the entities', () => {
    const [first] = readAll('endpoint-detection', endpointAlertRecords, /^list-alerts\.json$/).flatMap(({ records }) => records);
    expect(first).toMatchObject({
      recordId: 'da637472900382838869_1364969609',
      severity: 'low',
      isOpen: true,
      conclusion: null,
      state: 'Low, New',
      happenedAt: Date.parse('2021-01-26T20:33:57Z') / 1000,
      updatedAt: Date.parse('2021-01-26T20:33:59Z') / 1000,
      alsoKnownAs: ['1126093'],
      techniques: ['T1064', 'T1085', 'T1220'],
    });
    expect(first?.values).toEqual(
      expect.arrayContaining(['111e6dd8c833c8a052ea231ec1b19adaf497b625', 'temp123.middleeast.corp.microsoft.com', 'temp123']),
    );
    const [second] = readAll('endpoint-detection', endpointAlertRecords, /^list-alerts-2/).flatMap(({ records }) => records);
    expect(second).toMatchObject({ conclusion: 'malicious', isOpen: true });
  });

  it('of the own indicators has their action', () => {
    const records = readAll('endpoint-detection', indicatorRecords, /^list-indicators/).flatMap((list) => list.records);
    expect(records.map((record) => [record?.recordId, record?.state, record?.values])).toEqual([
      ['995', 'Alert', ['12.13.14.15']],
      ['996', 'AlertAndBlock', ['220e7d15b0b3d7fac48f2bd61114db1022197f7f']],
    ]);
  });

  it('of the incident platform names the incident, its alerts and their accounts', () => {
    const [first] = readAll('incident-source', incidentRecords, /^list-incidents\.json$/).flatMap(({ records }) => records);
    expect(first).toMatchObject({ recordId: '924565', isOpen: true, conclusion: null, severity: 'medium', mergedInto: null });
    expect(first?.alsoKnownAs).toContain('caD70CFEE2-1F54-32DB-9988-3A868A1EBFAC');
    expect(first?.values).toEqual(expect.arrayContaining(['924565', 'cad70cfee2-1f54-32db-9988-3a868a1ebfac']));
  });

  it('of the intelligence platform names the entities of the hits', () => {
    const [first] = readAll('threat-intelligence', intelligenceAlertRecords, /^list-alerts-v3-page1/).flatMap(({ records }) => records);
    expect(first).toMatchObject({ recordId: 'ABCD1234XYZ', isOpen: true, conclusion: null, severity: null, state: 'New' });
    expect(first?.values).toEqual(expect.arrayContaining(['abcd1234xyz', '89.160.20.156', 'webmail']));
  });

  it('of the investigation platform has the disposition', () => {
    const [first] = readAll('vulnerability-investigation', investigationRecords, /^idr-list-investigations/).flatMap(
      ({ records }) => records,
    );
    expect(first).toMatchObject({
      recordId: 'example',
      conclusion: 'benign',
      severity: 'critical',
      state: 'CRITICAL, INVESTIGATING, BENIGN',
    });
  });
});

describe('the conclusions of people', () => {
  it.each([
    ['TruePositive', 'Malware', 'malicious'],
    ['TruePositive', 'SecurityTesting', 'test'],
    ['TruePositive', 'UnwantedSoftware', 'unwanted'],
    ['InformationalExpectedActivity', 'SecurityTesting', 'test'],
    ['InformationalExpectedActivity', 'LineOfBusinessApplication', 'benign'],
    ['FalsePositive', 'NotMalicious', 'benign'],
    ['FalsePositive', 'NotEnoughDataToValidate', null],
    ['Unknown', 'NotAvailable', null],
    [null, null, null],
  ])('%s, %s is %s on both platforms', (classification, determination, conclusion) => {
    expect(endpointAlertRecords.read({ id: 'a', classification, determination })?.conclusion).toBe(conclusion);
    expect(incidentRecords.read({ incidentId: 1, classification, determination })?.conclusion).toBe(conclusion);
  });

  it.each([
    ['MALICIOUS', 'malicious'],
    ['benign', 'benign'],
    ['FALSE_POSITIVE', 'benign'],
    ['SECURITY_TEST', 'test'],
    ['UNDECIDED', null],
    [null, null],
    ['constructor', null],
  ])('the disposition %s is %s', (disposition, conclusion) => {
    expect(investigationRecords.read({ rrn: 'rrn:1', disposition })?.conclusion).toBe(conclusion);
  });
});

it('a merged incident is closed and names the incident that it was merged into', () => {
  expect(incidentRecords.read({ incidentId: 2042, status: 'Redirected', redirectIncidentId: 2041 })).toMatchObject({
    recordId: '2042',
    isOpen: false,
    mergedInto: '2041',
  });
});

it('an investigation is found by the names in its title', () => {
  const record = investigationRecords.read({
    rrn: 'rrn:investigation:eu:1:investigation:ABC',
    title: 'Odd sign-in of CORP\\dana on ws-014',
  });
  expect(record?.values).toEqual(expect.arrayContaining(['abc', 'ws-014', 'dana']));
});

/** Third parties send fields in other forms, or none at all. */
describe.each(LISTS.map(({ connector, source }) => ({ connector, source, name: `${connector} ${source.kind}` })))(
  'a hostile item: $name',
  ({ source }) => {
    const id = { id: 'x', incidentId: 1, rrn: 'rrn:x', indicatorValue: 'x.example' };

    it.each([[null], [undefined], ['text'], [5], [[]], [{}], [{ ...id, id: '', incidentId: '', rrn: '', indicatorValue: '' }]])(
      'without an id is not copied: %j',
      (item) => {
        expect(source.read(item)).toBeNull();
      },
    );

    it.each([
      ['other types', { title: 5, severity: {}, status: [], classification: 1, evidence: 'x', alerts: {}, hits: 7, review: 'x', log: [] }],
      ['nulls', { title: null, severity: null, status: null, evidence: null, alerts: null, hits: null, review: null, log: null }],
      ['unreadable times', { alertCreationTime: 'soon', createdTime: '', created_time: '99', log: { triggered: 'x' } }],
      ['items of other types in lists', { evidence: [null, 5], alerts: [null, {}], hits: [null, { entities: [5] }], mitreTechniques: [5] }],
      ['an unreadable link and address', { evidence: [{ url: 'not a link', ipAddress: '999.1.1.1' }] }],
      ['long texts', { title: 'x'.repeat(1_000_000), action: 'y'.repeat(1_000_000) }],
    ])('with %s is still read', (_, fields) => {
      const record = source.read({ ...id, ...fields });
      expect(record).not.toBeNull();
      if (record === null) return;
      const { happenedAt, updatedAt, title, values } = boundRecord(record);
      for (const time of [happenedAt, updatedAt]) expect(time === null || Number.isFinite(time)).toBe(true);
      expect(title.length).toBeLessThanOrEqual(300);
      expect(values.every((value) => typeof value === 'string' && value.length > 0)).toBe(true);
    });
  },
);

it.each(LISTS)('the questions about $source.kind records of $connector fit the contract of their skill', ({ connector, source }) => {
  const contracts: Catalogue = catalogue;
  const skill = Object.values(contracts).find(({ kind }) => kind === connector)?.skills[source.verb];
  const now = Date.parse('2026-01-15T12:00:00Z') / 1000;
  for (const window of [
    { since: now - 86_400, until: now },
    { since: 0, until: null },
  ])
    expect(skill?.input.safeParse(source.buildInput(window, now)).error).toBeUndefined();
});
