import { describe, expect, it } from 'vitest';
import { type ConditionFacts, findProof, holds, readTime } from '../../../domain/playbook/conditions.js';
import { SAME_TIME_SECONDS } from '../../../domain/record/record-facts.js';

const NOON = Date.parse('2026-01-15T12:00:00Z') / 1000;
const facts = (given: Partial<ConditionFacts> = {}): ConditionFacts => ({ places: [], at: NOON, text: '', entities: [], ...given });

describe('near-alert-time', () => {
  const isNear = (time: unknown) => holds({ path: 'time', is: 'near-alert-time' }, { time }, facts());
  it.each([
    ['2026-01-15T12:00:00Z', true],
    ['2026-01-13T12:00:00Z', true],
    ['2026-01-17T12:00:00+00:00', true],
    // A time without a zone is in UTC.
    ['2026-01-13T12:00:00.000', true],
    ['2026-01-13T11:59:59Z', false],
    [NOON - SAME_TIME_SECONDS, true],
    [NOON + SAME_TIME_SECONDS + 1, false],
    ['soon', false],
    ['', false],
    [null, false],
    [Number.NaN, false],
    [{}, false],
  ])('%s: %s', (time, expected) => {
    expect(isNear(time)).toBe(expected);
  });

  it('reads times as text and as epoch seconds', () => {
    expect([readTime('2026-01-15T12:00:00Z'), readTime(NOON), readTime('x'), readTime(undefined)]).toEqual([NOON, NOON, null, null]);
  });
});

describe('alert-entity', () => {
  const entities = ['cve-2026-10001', '203.0.113.7'];
  it('holds if one value is an entity of the alert, in any case', () => {
    const inAlert = (cves: unknown[]) => holds({ path: 'cves[]', is: 'alert-entity' }, { cves }, facts({ entities }));
    expect(inAlert(['CVE-2020-1', 'CVE-2026-10001'])).toBe(true);
    expect(inAlert(['CVE-2020-1'])).toBe(false);
    expect(inAlert([])).toBe(false);
    expect(holds({ path: 'cves[]', is: 'alert-entity' }, { cves: ['CVE-2026-10001'] }, facts())).toBe(false);
  });
});

describe('alert-has-place', () => {
  it('depends on the alert alone', () => {
    expect(holds({ path: 'trips', is: 'alert-has-place' }, { trips: [] }, facts({ places: ['lima'] }))).toBe(true);
    expect(holds({ path: 'trips', is: 'alert-has-place' }, { trips: [] }, facts())).toBe(false);
  });
});

describe('alert-place in the text of the alert', () => {
  const isNamed = (text: string, destination: unknown) =>
    holds({ path: 'destination', is: 'alert-place' }, { destination }, facts({ text: text.toLowerCase() }));
  it.each([
    ['Sign-in near Singapore today', 'Singapore', true],
    ['Anmeldung in München um 12 Uhr', 'München', true],
    ['東京タワー付近、シンガポールからのサインイン', 'シンガポール', true],
    ['city=Porto Alegre', { city: 'Porto Alegre', country: 'Brazil' }, true],
    // A part of another word is not a place.
    ['The user is romeo', 'Rome', false],
    ['chromed', 'Rome', false],
    ['romeo is in Rome', 'Rome', true],
    // Short names, such as country codes, are parts of other words.
    ['It is us', 'US', false],
    ['Sign-in from Lagos', 'Singapore', false],
    ['', 'Singapore', false],
  ])('%s and %j: %s', (text, destination, expected) => {
    expect(isNamed(text, destination)).toBe(expected);
  });

  it('takes limited time for a hostile text', () => {
    const before = process.cpuUsage().user;
    isNamed('aaaaaaaa'.repeat(16_000), 'aaaa');
    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  });
});

it('a proof says which item of the list met its conditions', () => {
  const proves = [
    { inOne: 'items[]', when: [{ path: 'state', is: 'equals' as const, value: 'open' }], points: 1, says: 'open', techniques: [] },
  ];
  const answer = { items: [{ state: 'closed' }, { state: 'Open', time: 5 }] };
  expect(findProof(proves, answer, facts())?.subject).toEqual({ state: 'Open', time: 5 });
});
