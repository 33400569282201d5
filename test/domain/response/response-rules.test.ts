import { describe, expect, it } from 'vitest';
import { cautionOf } from '../../../domain/response/response-rules.js';
import { fillInput, type TouchedBy, touchedFrom } from '../../../domain/response/write.js';

const TOUCHES: readonly TouchedBy[] = [
  { verb: 'getMachine', input: {}, hosts: 'name', tags: 'tags[]' },
  { verb: 'listUsers', input: {}, users: 'items[].account' },
];
const machine = { output: { name: 'files.harbour.example', tags: ['office'] }, isWhole: true };
const users = { output: { items: [{ account: 'dana' }, { account: 'dana' }, { account: null }] }, isWhole: true };

describe('what a write touches', () => {
  it('is what the reads that its contract names say, each once', () => {
    expect(touchedFrom(TOUCHES, [machine, users])).toEqual({ hosts: ['files.harbour.example'], users: ['dana'], tags: ['office'] });
    expect(touchedFrom([], [])).toEqual({ hosts: [], users: [], tags: [] });
  });

  it('is unknown where nobody declared it, an answer is not whole, or names no host', () => {
    expect(touchedFrom(undefined, [])).toBeNull();
    expect(touchedFrom(TOUCHES, [machine, { ...users, isWhole: false }])).toBeNull();
    expect(touchedFrom(TOUCHES, [{ output: { name: null, tags: [] }, isWhole: true }, users])).toBeNull();
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
  const isProtected = (kind: 'host' | 'user' | 'tag', value: string) => cautionOf(touched, [{ kind, value, reason: 'Ours.' }]).length > 0;

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
    expect(cautionOf(touched, [{ kind: 'tag', value: 'office', reason: 'Ours.' }])).toEqual(['It touches the protected tag office: Ours.']);
    expect(cautionOf(null, [])).toEqual(['What it touches could not be found out.']);
  });
});
