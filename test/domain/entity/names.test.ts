import { describe, expect, it } from 'vitest';
import { canonicalEntity } from '../../../domain/entity/canonical.js';
import type { Entity } from '../../../domain/entity/entity.js';
import { groupNames, mayBeSame, pairNames, type SharedName } from '../../../domain/entity/names.js';

const host = (value: string): Entity => ({ kind: 'host', value });
const user = (value: string): Entity => ({ kind: 'user', value });
const email = (value: string): Entity => ({ kind: 'email', value });

it.each<[Entity['kind'], string, string]>([
  ['ip', '::ffff:203.0.113.7', '203.0.113.7'],
  ['ip', '203[.]0.113[.]7', '203.0.113.7'],
  ['ip', '2001:0DB8:0:0::1', '2001:db8::1'],
  ['ip', '[2001:db8::1]', '2001:db8::1'],
  ['host', 'WS-014.Corp.Example.', 'ws-014.corp.example'],
  ['domain', 'evil[dot]Example', 'evil.example'],
  ['email', 'Dana[at]corp(.)example', 'dana@corp.example'],
  ['user', 'DANA@corp.example.', 'dana@corp.example'],
  ['user', 'CORP\\Dana', 'corp\\dana'],
  ['url', 'hxxps[:]//Evil[.]example/A', 'https://evil.example/A'],
  ['url', 'http://[::ffff:203.0.113.7]:80/a', 'http://203.0.113.7/a'],
  ['url', 'http://evil.example./', 'http://evil.example/'],
  ['url', 'https://evil.example/<img src=x>?a=b', 'https://evil.example/<img src=x>?a=b'],
  ['hash', 'ABCDEF', 'abcdef'],
  ['cve', 'cve-2024-3400', 'CVE-2024-3400'],
  ['incident-id', 'INC-1', 'INC-1'],
])('stores the %s %s as %s', (kind, value, canonical) => {
  expect(canonicalEntity({ kind, value })).toEqual({ kind, value: canonical });
});

it.each([
  [host('hr-ws-014'), host('hr-ws-014.harbour.example'), true],
  [host('hr-ws-014.harbour.example'), host('hr-ws-014.other.example'), false],
  [host('hr-ws-014'), host('hr-ws-0140'), false],
  [host('hr-ws-014'), host('hr-ws-014'), false],
  [host('10.0.0.1'), host('10.0.0.2'), false],
  [user('HARBOUR\\dana'), email('dana@harbour.example'), true],
  [email('dana@harbour.example'), email('dana@other.example'), false],
  [user('dana'), host('dana'), false],
])('%j and %j may be one entity: %s', (one, other, expected) => {
  expect([mayBeSame(one, other), mayBeSame(other, one)]).toEqual([expected, expected]);
});

it.each([
  ['host', 'WS-014', 'ws-014.corp.example', { family: 'host', short: 'ws-014', full: 'ws-014.corp.example' }],
  ['host', 'ws-014.corp.example', 'ws-015', null],
  ['host', 'ws-014.corp.example', 'ws-014.other.example', null],
  ['account', 'dana@corp.example', 'CORP\\dana', { family: 'account', short: 'corp\\dana', full: 'dana@corp.example' }],
  ['account', 'dvries', 'dana@corp.example', null],
] as const)('pairs %s names %s and %s: %j', (family, one, other, expected) => {
  expect(pairNames(family, one, other)).toEqual(expected);
});

describe('names of an organization are one', () => {
  const WS: SharedName = { family: 'host', name: 'ws-014' };
  const DANA: SharedName = { family: 'account', name: 'dana' };
  const nothing = { values: [], proven: [], ownDomains: [] };
  const north = 'ws-014.north.example';
  const spellingsOf = (shared: SharedName, known: Parameters<typeof groupNames>[1]) =>
    groupNames(shared, known).map(({ spellings }) => spellings.map(({ kind, value }) => `${kind} ${value}`));

  it('if the full name is the only one in the own domains', () => {
    const values = [host('ws-014'), host(north), host('ws-014.stranger.example')];
    expect(spellingsOf(WS, { ...nothing, values })).toEqual([[`host ${north}`], ['host ws-014.stranger.example']]);
    expect(spellingsOf(WS, { ...nothing, values, ownDomains: ['north.example'] })[0]).toEqual([`host ${north}`, 'host ws-014']);
    const both = { ...nothing, values, ownDomains: ['north.example', 'stranger.example'] };
    expect(spellingsOf(WS, both)).toEqual([[`host ${north}`], ['host ws-014.stranger.example']]);
  });

  it('if an alert or a record states both, and no other full name is known', () => {
    const proven = [{ family: 'host', short: 'ws-014', full: north }] as const;
    expect(spellingsOf(WS, { ...nothing, values: [host('ws-014')], proven })).toEqual([[`host ${north}`, 'host ws-014']]);
    const rival = [host('ws-014'), host('ws-014.stranger.example')];
    expect(spellingsOf(WS, { ...nothing, values: rival, proven })).toEqual([['host ws-014.stranger.example'], [`host ${north}`]]);
    const two = [...proven, { family: 'host', short: 'ws-014', full: 'ws-014.south.example' }] as const;
    expect(spellingsOf(WS, { ...nothing, values: [host('ws-014')], proven: two }).map(({ length }) => length)).toEqual([1, 1]);
  });

  it('an address and the same account always, other names only with a proof', () => {
    const full = 'dana@north.example';
    const values = [user('dana'), user('north\\dana'), user('south\\dana'), email(full), email('dana@evil.example')];
    const evil = ['email dana@evil.example', 'user dana@evil.example'];
    expect(spellingsOf(DANA, { ...nothing, values })).toEqual([[`email ${full}`, `user ${full}`], evil]);
    const proven = [{ family: 'account', short: 'dana', full }] as const;
    expect(spellingsOf(DANA, { values, proven, ownDomains: ['north.example'] })).toEqual([
      [`email ${full}`, `user ${full}`, 'user dana', 'user north\\dana'],
      evil,
    ]);
  });
});
