import { describe, expect, it } from 'vitest';
import { listLikelyDomains, type StoredSigns, suggestKnowledge } from '../../../domain/organization/suggestions.js';

const NOTHING: StoredSigns = { alerts: 0, prevalence: [], machineNames: [], directoryAddresses: [] };
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

it('domains of three machines or people are likely own, others are not', () => {
  const machineNames = ['a.lab.acme.example', 'b.lab.acme.example', 'c.lab.acme.example', 'd.cloud.example', 'e'];
  const directoryAddresses = ['x@acme.example', 'y@acme.example', 'z@acme.example', 'guest@mail.example'];
  expect(listLikelyDomains({ machineNames, directoryAddresses })).toEqual(['lab.acme.example', 'acme.example']);
});
