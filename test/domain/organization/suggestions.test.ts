import { describe, expect, it } from 'vitest';
import type { KnowledgeEntry } from '../../../domain/organization/knowledge.js';
import { listLikelyDomains, type StoredSigns, suggestKnowledge, toKnowledge } from '../../../domain/organization/suggestions.js';

const NOTHING: StoredSigns = { alerts: 0, prevalence: [], shared: [], machineNames: [], directoryAddresses: [] };
const suggest = (signs: Partial<StoredSigns>) => suggestKnowledge({ ...NOTHING, ...signs }, [], []);

describe('suggestions', () => {
  it('come from a domain or address in a large share of at least 20 alerts', () => {
    const prevalence: StoredSigns['prevalence'] = [
      { kind: 'domain', value: 'acme.example', alerts: 60 },
      { kind: 'ip', value: '192.0.2.1', alerts: 20 },
      { kind: 'domain', value: 'rare.example', alerts: 19 },
    ];
    expect(suggest({ alerts: 100, prevalence })).toEqual([
      { kind: 'domain', value: 'acme.example', source: 'prevalence', reason: '60 of the newest 100 alerts contain it.' },
      { kind: 'network', value: '192.0.2.1', source: 'prevalence', reason: '20 of the newest 100 alerts contain it.' },
    ]);
    expect(suggest({ alerts: 1000, prevalence })).toEqual([]);
  });

  it('come from the common end of machine names and from addresses of the directory', () => {
    const machineNames = ['a.lab.acme.example', 'b.lab.acme.example', 'c.lab.acme.example', 'd.other.example', 'short'];
    const directoryAddresses = ['x@acme.example', 'y@acme.example', 'z@acme.example', 'v@guest.example', 'no address'];
    expect(suggest({ machineNames, directoryAddresses })).toMatchObject([
      { kind: 'domain', value: 'lab.acme.example', source: 'machine-names', reason: expect.stringContaining('3 machines') },
      { kind: 'domain', value: 'acme.example', source: 'directory', reason: expect.stringContaining('3 users') },
    ]);
  });

  it('leave out what is known, contained in what is known, rejected, or suggested already', () => {
    const signs: StoredSigns = {
      shared: [],
      alerts: 30,
      prevalence: [
        { kind: 'domain', value: 'acme.example', alerts: 30 },
        { kind: 'ip', value: '10.1.1.1', alerts: 30 },
        { kind: 'ip', value: '192.0.2.9', alerts: 30 },
        { kind: 'domain', value: 'partner.example', alerts: 30 },
        { kind: 'domain', value: 'localhost', alerts: 30 },
      ],
      machineNames: ['a.lab.acme.example', 'b.lab.acme.example', 'c.lab.acme.example'],
      directoryAddresses: ['x@acme.example', 'y@acme.example', 'z@acme.example'],
    };
    const known = [
      { kind: 'domain', value: 'lab.acme.example' },
      { kind: 'network', value: '10.0.0.0/8' },
    ] as const;
    const rejected = [{ kind: 'domain', value: 'partner.example' }] as const;
    expect(suggestKnowledge(signs, known, rejected).map(({ value, source }) => `${value} ${source}`)).toEqual([
      'acme.example directory',
      '192.0.2.9 prevalence',
    ]);
  });
});

describe('values that many share', () => {
  const spread = { records: 9, people: 1, machines: 4, cases: 2, days: 3 };
  const shared: StoredSigns['shared'] = [
    { kind: 'network', value: '198.51.100.7', ...spread },
    { kind: 'shared-host', value: 'jump-01.acme.example', ...spread, cases: 0 },
    { kind: 'service-account', value: 'svc-backup@acme.example', ...spread },
  ];

  it('are suggested with the people, machines, cases and days that name them', () => {
    expect(suggest({ shared }).map(({ source, kind, value, reason }) => `${source}: ${kind} ${value}: ${reason}`)).toEqual([
      'shared-values: network 198.51.100.7: 9 records and alerts of 1 person, 4 machines, 2 own cases on 3 days name it, so it identifies none of them.',
      'shared-values: shared-host jump-01.acme.example: 9 records and alerts of 1 person, 4 machines on 3 days name it, so it identifies none of them.',
      'shared-values: service-account svc-backup@acme.example: 9 records and alerts of 1 person, 4 machines, 2 own cases on 3 days name it, so it identifies none of them.',
    ]);
  });

  it('are suggested in the own domain or network too, until they are known or rejected', () => {
    const own = [
      { kind: 'domain', value: 'acme.example' },
      { kind: 'network', value: '198.51.100.0/24' },
    ] as const;
    const suggested = (known: readonly KnowledgeEntry[], rejected: readonly KnowledgeEntry[] = []) =>
      suggestKnowledge({ ...NOTHING, shared }, known, rejected).map(({ value }) => value);
    expect(suggested(own)).toHaveLength(3);
    expect(suggested([...own, { kind: 'nat', value: '198.51.100.7' }])).toEqual(['jump-01.acme.example', 'svc-backup@acme.example']);
    expect(suggested([...own, ...shared])).toEqual([]);
    expect(suggested(own, shared)).toEqual([]);
  });

  it.each([
    ['ip', '::ffff:198.51.100.7', { kind: 'network', value: '198.51.100.7' }],
    ['host', 'Jump-01', { kind: 'shared-host', value: 'jump-01' }],
    ['user', 'ACME\\svc', { kind: 'service-account', value: 'acme\\svc' }],
    ['domain', 'Portal.example', { kind: 'domain', value: 'portal.example' }],
    ['hash', 'a'.repeat(64), null],
    ['user', 'two words', null],
  ])('of the kind %s become the entry of a kind: %s', (kind, value, expected) => {
    expect(toKnowledge({ kind, value })).toEqual(expected);
  });
});

it('domains of three machines or people are likely own, others are not', () => {
  const machineNames = ['a.lab.acme.example', 'b.lab.acme.example', 'c.lab.acme.example', 'd.cloud.example', 'e'];
  const directoryAddresses = ['x@acme.example', 'y@acme.example', 'z@acme.example', 'guest@mail.example'];
  expect(listLikelyDomains({ machineNames, directoryAddresses })).toEqual(['lab.acme.example', 'acme.example']);
});
