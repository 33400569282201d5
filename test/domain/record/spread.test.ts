import { describe, expect, it } from 'vitest';
import type { RecordConclusion } from '../../../domain/record/record.js';
import { isShared, listProbedKinds, measureSpread, namesOthers, selectOwnCarriers } from '../../../domain/record/spread.js';

const carrier = (
  recordId: string,
  values: readonly string[],
  conclusion: RecordConclusion | null = null,
  alsoKnownAs: readonly string[] = [],
) => ({
  recordId,
  values: [...values, recordId],
  conclusion,
  isOpen: conclusion === null,
  alsoKnownAs,
});
const ADDRESS = '198.51.100.7';
const people = ['ana@hr.example', 'rui@hr.example', 'mila@hr.example', 'joost@hr.example', 'ines@hr.example'];
const recordsOf = (count: number, conclude: (index: number) => RecordConclusion | null) =>
  people.slice(0, count).map((person, index) => carrier(String(index), [ADDRESS, person], conclude(index)));

describe('the spread of a value', () => {
  it('counts the people and the machines of its records', () => {
    const spread = measureSpread(ADDRESS, [
      carrier('1', [ADDRESS, 'ana@hr.example', 'ana']),
      carrier('2', [ADDRESS, 'ws-014', 'ws-014.hr.example']),
      carrier('3', [ADDRESS, 'https://x.example/', 'x.example', 'a'.repeat(64), '203.0.113.9', '2026-01-15']),
    ]);
    expect(spread).toMatchObject({ records: 3, subjects: 2, people: 1, machines: 1, hasOpen: true, hasHarmless: false, hasAttack: false });
  });

  it('counts records with a name in common as one subject, and an incident and its alerts too', () => {
    const burst = ['1', '2', '3'].map((id, index) => carrier(id, [ADDRESS, 'ws-014', people[index] ?? '']));
    expect(measureSpread(ADDRESS, burst).subjects).toBe(1);
    const incident = [carrier('77', [ADDRESS, 'ws-014'], null, ['al-1']), carrier('al-1', [ADDRESS, 'ana@hr.example'], null, ['77'])];
    expect(measureSpread(ADDRESS, incident).subjects).toBe(1);
  });

  it('does not count the name of the machine for its id', () => {
    const id = 'a'.repeat(40);
    const machines = people.map((person, index) => carrier(String(index), [id, 'jump-01', 'jump-01.hr.example', person]));
    expect(measureSpread(id, machines)).toMatchObject({ subjects: 5, people: 5, machines: 0 });
    expect(measureSpread(id, machines.slice(0, 1)).subjects).toBe(1);
  });

  it('does not count the other spellings of the value', () => {
    const machines = people.map((person, index) => carrier(String(index), ['jump-01', 'jump-01.hr.example', person]));
    expect(measureSpread('jump-01.hr.example', machines)).toMatchObject({ subjects: 5, people: 5, machines: 0 });
    expect(measureSpread('jump-01', machines)).toMatchObject({ subjects: 5, people: 5, machines: 0 });
  });
});

describe('earlier alerts of the organization', () => {
  const DAY = 86_400;
  const alertOn = (day: number, index: number) => ({
    ...carrier(String(index), [ADDRESS, people[index] ?? '']),
    at: day * DAY + 7,
    caseId: `C-${index}`,
  });

  it('count like records if they are of three days', () => {
    const alerts = [alertOn(1, 0), alertOn(2, 1), alertOn(3, 2), alertOn(3, 3)];
    expect(measureSpread(ADDRESS, selectOwnCarriers(alerts))).toMatchObject({ subjects: 4, people: 4, cases: 4, days: 3 });
  });

  it('of one day are a burst', () => {
    expect(selectOwnCarriers([alertOn(1, 0), alertOn(1, 1), alertOn(1, 2), alertOn(2, 3)])).toEqual([]);
  });

  it.each([
    [ADDRESS, ['ip']],
    ['ws-014', ['host', 'user']],
    ['dana@hr.example', ['email', 'user']],
    ['hr\\dana', ['user']],
    ['a'.repeat(40), ['machine-id']],
    ['a'.repeat(64), []],
    ['https://x.example/', []],
  ])('are searched for %s as %j', (value, kinds) => {
    expect(listProbedKinds(value)).toEqual(kinds);
  });
});

describe('a shared value', () => {
  it.each([
    ['an address in contradicting records of two people', 2, (index: number) => (index === 0 ? 'benign' : null), true],
    ['an address in harmless records of three people', 3, () => 'benign' as const, false],
    ['an address in harmless records of four people', 4, () => 'benign' as const, true],
    ['an address in open records of three people', 3, () => null, false],
    ['an address in attacks on five people', 5, () => 'malicious' as const, false],
    ['an address in attacks and open records of five people', 5, (index: number) => (index === 0 ? 'malicious' : null), false],
  ] as const)('is not known from who has a record: %s', (_, count, conclude, isSo) => {
    expect(isShared(measureSpread(ADDRESS, recordsOf(count, conclude)), 'ip')).toBe(isSo);
  });

  it('is a machine of three people whose records contradict each other, not one that a person uses', () => {
    const conclude = (index: number) => (index === 0 ? ('benign' as const) : null);
    const used = (count: number) =>
      people.slice(0, count).map((person, index) => carrier(String(index), ['jump-01', person], conclude(index)));
    expect(isShared(measureSpread('jump-01', used(3)), 'host')).toBe(true);
    expect(isShared(measureSpread('jump-01', used(2)), 'host')).toBe(false);
    const one = ['1', '2', '3'].map((id, index) => carrier(id, ['jump-01', 'ana@hr.example'], conclude(index)));
    expect(isShared(measureSpread('jump-01', one), 'host')).toBe(false);
  });

  it('is an account on three machines', () => {
    const used = ['ws-1', 'ws-2', 'ws-3'].map((machine, index) =>
      carrier(`r${index}`, ['svc_backup', machine], index === 0 ? 'benign' : null),
    );
    expect(isShared(measureSpread('svc_backup', used), 'user')).toBe(true);
  });

  it('is a domain only if its records contradict each other', () => {
    const visits = (conclude: (index: number) => RecordConclusion | null) =>
      people.map((person, index) => carrier(String(index), ['storage.example', person], conclude(index)));
    expect(
      isShared(
        measureSpread(
          'storage.example',
          visits(() => 'benign'),
        ),
        'domain',
      ),
    ).toBe(false);
    expect(
      isShared(
        measureSpread(
          'storage.example',
          visits((index) => (index === 0 ? 'benign' : 'malicious')),
        ),
        'domain',
      ),
    ).toBe(true);
  });

  it('is never the id of a record', () => {
    expect(
      isShared(
        measureSpread(
          '2041',
          recordsOf(5, (index) => (index === 0 ? 'benign' : null)),
        ),
        'incident-id',
      ),
    ).toBe(false);
  });
});

it('a record names others if it has a person or a machine that was not asked for', () => {
  const asked = new Set(['ws-014', 'ws-014.hr.example', '41']);
  expect(namesOthers(['ws-014', 'ws-014.hr.example', '41', 'a'.repeat(40), '10.0.0.1', 'https://x.example/a-1'], asked)).toBe(false);
  expect(namesOthers(['ws-014', 'ana@hr.example'], asked)).toBe(true);
  expect(namesOthers(['ws-014', 'ws-015'], asked)).toBe(true);
});
