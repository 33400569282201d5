import { describe, expect, it } from 'vitest';
import { listCautions } from '../../../domain/response/response-rules.js';
import { type AffectedBy, fillInput, readAffectedAssets } from '../../../domain/response/write.js';

const AFFECTED_BY: readonly AffectedBy[] = [
  { verb: 'getMachine', input: {}, hosts: 'name', tags: 'tags[]' },
  { verb: 'listUsers', input: {}, users: 'items[].account' },
];
const machine = { output: { name: 'files.harbour.example', tags: ['office'] }, isWhole: true };
const users = { output: { items: [{ account: 'dana' }, { account: 'dana' }, { account: null }] }, isWhole: true };

describe('the assets that a write affects', () => {
  it('are read from the reads that its contract declares, each once', () => {
    expect(readAffectedAssets(AFFECTED_BY, [machine, users])).toEqual({
      hosts: ['files.harbour.example'],
      users: ['dana'],
      tags: ['office'],
    });
    expect(readAffectedAssets([], [])).toEqual({ hosts: [], users: [], tags: [] });
  });

  it('are unknown without a declaration, with a truncated answer or without a host', () => {
    expect(readAffectedAssets(undefined, [])).toBeNull();
    expect(readAffectedAssets(AFFECTED_BY, [machine, { ...users, isWhole: false }])).toBeNull();
    expect(readAffectedAssets(AFFECTED_BY, [{ output: { name: null, tags: [] }, isWhole: true }, users])).toBeNull();
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

describe('cautions', () => {
  const affected = { hosts: ['files.harbour.example', 'kiosk'], users: ['HARBOUR\\Dana'], tags: ['Office'] };
  const isProtected = (kind: 'host' | 'user' | 'tag', value: string) =>
    listCautions(affected, [{ kind, value, reason: 'Ours.' }]).length > 0;

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
    expect(listCautions(affected, [{ kind: 'tag', value: 'office', reason: 'Ours.' }])).toEqual([
      'Affects the protected tag office: Ours.',
    ]);
    expect(listCautions(null, [])).toEqual(['The affected assets could not be determined.']);
  });
});
