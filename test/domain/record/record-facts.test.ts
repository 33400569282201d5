import { describe, expect, it } from 'vitest';
import { SAME_MOMENT_SECONDS, SAME_TIME_SECONDS, toRecordFact } from '../../../domain/record/record-facts.js';
import type { FactLink } from '../../../domain/verdict/fact.js';
import { NOON, record } from '../../support/playbook-kit.js';

const LINKS: Readonly<Record<string, FactLink>> = { '2041': 'named', 'bad.example': 'indicator', 'ws-014': 'asset' };
const factOf = (
  given: Parameters<typeof record>[0],
  title = 'Malware detected',
  { named = [], headline = '' }: { named?: readonly string[]; headline?: string } = {},
) => toRecordFact(record(given), { time: NOON, title, headline, findLink: (value) => LINKS[value] ?? 'asset', named: new Set(named) });

const ASSET = ['ws-014'];
const INDICATOR = ['bad.example'];
const NAMED = ['2041'];
/** Neither the time nor the title connects the record with the alert. */
const APART = { title: 'Something else', happenedAt: NOON - SAME_MOMENT_SECONDS - 1 };

describe('how a record is connected with the alert', () => {
  it.each([
    [['ws-014', 'bad.example', '2041'], 'named'],
    [['ws-014', 'bad.example'], 'indicator'],
    [ASSET, 'asset'],
    [['unknown value'], 'asset'],
    // A record that another one was merged into may share nothing itself.
    [[], 'asset'],
  ])('%j is %s', (shared, link) => {
    expect(factOf({ shared }).link).toBe(link);
  });

  it.each([
    ['the alert names it', { ...APART, shared: NAMED }, 'activity'],
    [
      'it is about the same machine at the same moment',
      { title: 'Other', shared: ASSET, happenedAt: NOON - SAME_MOMENT_SECONDS },
      'moment',
    ],
    ['it is about the same machine, a day apart', { ...APART, shared: ASSET }, null],
    ['it is about the same machine and indicator', { ...APART, shared: [...ASSET, ...INDICATOR] }, 'activity'],
    ['it is about the same machine and has a similar title', { ...APART, title: 'Malwares on a machine', shared: ASSET }, 'activity'],
    ['its title shares only a common word', { ...APART, title: 'Suspicious activity detected', shared: ASSET }, null],
    ['it is about the same indicator only', { shared: INDICATOR }, 'entity'],
    ['it is a test with the same indicator', { shared: INDICATOR, conclusion: 'test' as const, isOpen: false }, 'activity'],
    ['its time is unknown', { ...APART, happenedAt: null, shared: ASSET }, null],
  ])('covers: %s', (_, given, covers) => {
    expect(factOf(given, 'Malware detected').covers).toBe(covers);
  });
});

it.each([
  ['shares two words that say what happened', 'Mass rename on ws-014 (archive)', 'h2. Mass renames of 400 files', 'activity'],
  ['shares one word', 'Mass rename on ws-014', 'A rename of the group', null],
  ['shares only the name of the machine', 'Look at ws-014', 'ws-014 asked for a page', null],
])('a record whose title %s with the first lines of the alert', (_, title, headline, covers) => {
  expect(factOf({ ...APART, title, shared: ASSET }, 'Ransomware', { headline }).covers).toBe(covers);
});

it('a record that the alert names is about another activity if it shares nothing else that the alert names', () => {
  const harmless = { ...APART, conclusion: 'benign' as const, isOpen: false };
  expect(factOf({ ...harmless, shared: NAMED }, 'Malware detected', { named: ['ws-014'] })).toMatchObject({ covers: null, name: null });
  expect(factOf({ ...harmless, shared: [...NAMED, ...ASSET] }, 'Malware detected', { named: ['ws-014'] })).toMatchObject({
    covers: 'activity',
    name: 'confirmed-benign',
  });
  const attack = { ...harmless, conclusion: 'malicious' as const, shared: NAMED };
  expect(factOf(attack, 'Malware detected', { named: ['ws-014'] }).name).toBe('confirmed-malicious');
});

describe('the fact of a record', () => {
  it.each([
    ['malicious', 'confirmed-malicious'],
    ['benign', 'confirmed-benign'],
    ['test', 'confirmed-test'],
  ] as const)('is the conclusion of a person: %s', (conclusion, name) => {
    expect(factOf({ shared: ASSET, conclusion, isOpen: false })).toMatchObject({ name, stale: false });
    expect(factOf({ shared: INDICATOR, conclusion, isOpen: false }).name).toBe(name);
  });

  it('is not that another activity on the same machine was harmless', () => {
    expect(factOf({ ...APART, shared: ASSET, conclusion: 'benign' }).name).toBeNull();
    expect(factOf({ ...APART, shared: ASSET, conclusion: 'malicious' }).name).toBe('confirmed-malicious');
  });

  it.each([
    ['critical', 'open-record-high'],
    ['high', 'open-record-high'],
    ['medium', 'open-record-medium'],
    [null, 'open-record-medium'],
    ['low', null],
    ['informational', null],
  ] as const)('is an open record of the severity %s', (severity, name) => {
    expect(factOf({ shared: ASSET, severity }).name).toBe(name);
  });

  it('is only another open record if it is about another activity of the machine', () => {
    expect(factOf({ ...APART, shared: ASSET, severity: 'high' }).name).toBe('other-open-record');
    expect(factOf({ ...APART, shared: INDICATOR, severity: 'high' }).name).toBe('open-record-high');
  });

  it('is nothing for a record that was closed without a conclusion', () => {
    expect(factOf({ shared: ASSET, isOpen: false }).name).toBeNull();
  });

  it.each([
    ['Block', 'blocked-indicator'],
    ['BlockAndRemediate', 'blocked-indicator'],
    ['Allowed', 'allowed-indicator'],
    ['Audit', null],
    ['no action', null],
  ])('is the rule of the organization for an indicator: %s', (state, name) => {
    const rule = factOf({ kind: 'indicator', shared: INDICATOR, state, happenedAt: null, updatedAt: null });
    expect(rule).toMatchObject({ name, stale: false });
  });

  it('is a mention for an open intelligence alert', () => {
    expect(factOf({ kind: 'intelligence-alert', severity: null, shared: INDICATOR }).name).toBe('intelligence-mention');
    expect(factOf({ kind: 'intelligence-alert', severity: null, shared: INDICATOR, isOpen: false }).name).toBeNull();
  });
});

describe('a record of another time', () => {
  const old = { happenedAt: NOON - SAME_TIME_SECONDS - 1, updatedAt: NOON - SAME_TIME_SECONDS - 1 };

  it('has no weight and is marked', () => {
    expect(factOf({ ...old, shared: ASSET, severity: 'high' })).toMatchObject({ stale: true, name: null });
    expect(factOf({ ...old, shared: INDICATOR, conclusion: 'benign' })).toMatchObject({ stale: true, name: null });
    expect(factOf({ happenedAt: null, updatedAt: null, shared: ASSET })).toMatchObject({ stale: true, name: null });
  });

  it('still counts if a person confirmed an attack with the same indicator', () => {
    expect(factOf({ ...old, shared: INDICATOR, conclusion: 'malicious' }).name).toBe('earlier-attack');
    expect(factOf({ ...old, shared: ASSET, conclusion: 'malicious' }).name).toBeNull();
  });

  it('still counts if the alert names it', () => {
    expect(factOf({ ...old, shared: NAMED, conclusion: 'benign' })).toMatchObject({ stale: false, name: 'confirmed-benign' });
  });

  it('is current if it is open and changed at the time of the alert', () => {
    const changed = { ...old, updatedAt: NOON, shared: ASSET };
    expect(factOf({ ...changed, isOpen: true }).stale).toBe(false);
    expect(factOf({ ...changed, isOpen: false }).stale).toBe(true);
  });
});

it('the time of a conclusion is when the person recorded it, that of other records when it happened', () => {
  const times = { happenedAt: NOON - 60, updatedAt: NOON - 10 };
  expect(factOf({ ...times, shared: ASSET, conclusion: 'benign' }).at).toBe(NOON - 10);
  expect(factOf({ ...times, updatedAt: null, shared: ASSET, conclusion: 'benign' }).at).toBe(NOON - 60);
  expect(factOf({ ...times, shared: ASSET }).at).toBe(NOON - 60);
});

it('an incident and its only alert have the same key', () => {
  const incident = factOf({ kind: 'incident', recordId: '2041', alsoKnownAs: ['da1'], shared: ASSET });
  const alert = factOf({ kind: 'alert', recordId: 'da1', alsoKnownAs: ['2041'], shared: ASSET });
  expect(incident.key).toBe(alert.key);
});
