import { describe, expect, it } from 'vitest';
import { listCautions } from '../../../domain/response/response-rules.js';
import { type AffectedBy, fillInput, readAffectedAssets } from '../../../domain/response/write.js';

const TOUCHES: readonly AffectedBy[] = [
  { verb: 'getMachine', input: {}, hosts: 'name', tags: 'tags[]' },
  { verb: 'listUsers', input: {}, users: 'items[].account' },
];
const machine = { output: { name: 'files.harbour.example', tags: ['office'] }, isWhole: true };
const users = { output: { items: [{ account: 'dana' }, { account: 'dana' }, { account: null }] }, isWhole: true };

describe('what a write touches', () => {
  it('is what the reads that its contract names say, each once', () => {
    expect(readAffectedAssets(TOUCHES, [machine, users])).toEqual({ hosts: ['files.harbour.example'], users: ['dana'], tags: ['office'] });
    expect(readAffectedAssets([], [])).toEqual({ hosts: [], users: [], tags: [] });
  });

  it('is unknown where nobody declared it, an answer is not whole, or names no host', () => {
    expect(readAffectedAssets(undefined, [])).toBeNull();
    expect(readAffectedAssets(TOUCHES, [machine, { ...users, isWhole: false }])).toBeNull();
    expect(readAffectedAssets(TOUCHES, [{ output: { name: null, tags: [] }, isWhole: true }, users])).toBeNull();
  });

  it('is asked for by fields of the write and of its answer', () => {
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

describe('caution', () => {
  const touched = { hosts: ['files.harbour.example', 'kiosk'], users: ['HARBOUR\\Dana'], tags: ['Office'] };
  const isProtected = (kind: 'host' | 'user' | 'tag', value: string) =>
    listCautions(touched, [{ kind, value, reason: 'Ours.' }]).length > 0;

  it.each([
    ['host', 'FILES'],
    ['host', 'files.HARBOUR.example'],
    ['host', 'kiosk.harbour.example'],
    ['user', 'dana'],
    ['user', 'dana@harbour.example'],
    ['tag', 'office'],
  ] as const)('knows the %s %s', (kind, value) => {
    expect(isProtected(kind, value)).toBe(true);
  });

  it.each([
    ['host', 'files.other.example'],
    ['host', 'file'],
    ['host', 'dana'],
    ['user', 'dan'],
    ['tag', 'offices'],
  ] as const)('does not take another for the %s %s', (kind, value) => {
    expect(isProtected(kind, value)).toBe(false);
  });

  it('says why, also where nothing is known', () => {
    expect(listCautions(touched, [{ kind: 'tag', value: 'office', reason: 'Ours.' }])).toEqual(['Affects the protected tag office: Ours.']);
    expect(listCautions(null, [])).toEqual(['The affected assets could not be determined.']);
  });
});
