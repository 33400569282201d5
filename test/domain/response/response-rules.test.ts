import { describe, expect, it } from 'vitest';
import { endpointDetection } from '../../../connectors/endpoint-detection/contract.js';
import { listCautions, NO_PROTECTION } from '../../../domain/response/response-rules.js';
import { type AffectedBy, fillInput, listTargets, readAffectedAssets, selectReads } from '../../../domain/response/write.js';

const GET_MACHINE: AffectedBy = { verb: 'getMachine', input: {}, hosts: 'name', tags: 'tags[]' };
const LIST_USERS: AffectedBy = { verb: 'listUsers', input: {}, users: 'items[].account' };
const AFFECTED_BY = [GET_MACHINE, LIST_USERS];
const machine = { read: GET_MACHINE, output: { name: 'files.harbour.example', tags: ['office'] }, isComplete: true };
const users = { read: LIST_USERS, output: { items: [{ account: 'dana' }, { account: 'dana' }, { account: null }] }, isComplete: true };

describe('the assets that a write affects', () => {
  it('are read from the reads that its contract declares, each once', () => {
    expect(readAffectedAssets({ touches: AFFECTED_BY }, {}, [machine, users])).toEqual({
      hosts: ['files.harbour.example'],
      users: ['dana'],
      tags: ['office'],
    });
    expect(readAffectedAssets({ touches: [] }, {}, [])).toEqual({ hosts: [], users: [], tags: [] });
  });

  it('are unknown without a declaration, with a truncated answer or without a host', () => {
    expect(readAffectedAssets({}, {}, [])).toBeNull();
    expect(readAffectedAssets({ touches: AFFECTED_BY }, {}, [machine, { ...users, isComplete: false }])).toBeNull();
    expect(readAffectedAssets({ touches: AFFECTED_BY }, {}, [{ ...machine, output: { name: null, tags: [] } }, users])).toBeNull();
  });

  it('are requested with fields of the write and of its answer', () => {
    const sources = {
      machine_id: { take: 'input', path: 'machine_id' },
      action_id: { take: 'output', path: 'id' },
      max_items: { take: 'value', value: 5 },
    } as const;
    expect(fillInput(sources, { input: { machine_id: 'm1' }, output: { id: 'a1' } })).toEqual({
      machine_id: 'm1',
      action_id: 'a1',
      max_items: 5,
    });
  });
});

describe('an indicator', () => {
  const { createIndicator } = endpointDetection.skills;
  const files = [{ kind: 'host' as const, value: 'files.harbour.example', reason: 'Ours.' }];
  const cautionsFor = (indicator_type: string, indicator_value: string, { action = 'Block', machines = [] as object[] } = {}) => {
    const input = { indicator_type, indicator_value, action };
    const answers = selectReads(createIndicator.touches, input).map((read) => ({ read, output: { items: machines }, isComplete: true }));
    return listCautions(
      readAffectedAssets(createIndicator, input, answers),
      { assets: files, ownDomains: [] },
      listTargets(createIndicator, input),
    );
  };

  it.each([
    ['DomainName', 'files.harbour.example', []],
    ['DomainName', 'Harbour.example', []],
    ['Url', 'https://files.harbour.example:8443/share', []],
    ['IpAddress', '10.20.0.7', [{ computerDnsName: 'files.harbour.example', machineTags: [] }]],
  ])('that blocks the %s %s affects the protected host', (type, value, machines) => {
    expect(cautionsFor(type, value, { machines })).toHaveLength(1);
  });

  it.each([
    ['DomainName', 'bad.example', 'Block'],
    ['IpAddress', '203.0.113.66', 'Block'],
    ['FileSha256', 'a'.repeat(64), 'Allowed'],
    ['DomainName', 'files.harbour.example', 'Allowed'],
  ])('for the %s %s with the action %s affects no protected host', (type, value, action) => {
    expect(cautionsFor(type, value, { action })).toEqual([]);
  });
});

describe('cautions', () => {
  const affected = { hosts: ['files.harbour.example', 'kiosk'], users: ['HARBOUR\\Dana'], tags: ['Office'] };
  const isProtected = (kind: 'host' | 'user' | 'tag', value: string) =>
    listCautions(affected, { assets: [{ kind, value, reason: 'Ours.' }], ownDomains: [] }).length > 0;

  it.each([
    ['host', 'FILES'],
    ['host', 'files.HARBOUR.example'],
    ['host', 'kiosk.harbour.example'],
    ['user', 'dana'],
    ['user', 'dana@harbour.example'],
    ['tag', 'office'],
  ] as const)('match the %s %s', (kind, value) => {
    expect(isProtected(kind, value)).toBe(true);
  });

  it.each([
    ['host', 'files.other.example'],
    ['host', 'file'],
    ['host', 'dana'],
    ['user', 'dan'],
    ['tag', 'offices'],
  ] as const)('do not match the %s %s', (kind, value) => {
    expect(isProtected(kind, value)).toBe(false);
  });

  it('contain the reason, or that the assets are unknown', () => {
    expect(listCautions(affected, { assets: [{ kind: 'tag', value: 'office', reason: 'Ours.' }], ownDomains: [] })).toEqual([
      'Affects the protected tag office: Ours.',
    ]);
    expect(listCautions(null, NO_PROTECTION)).toEqual(['The affected assets could not be determined.']);
  });
});
