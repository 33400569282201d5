import { expect, it } from 'vitest';
import { describeSecretExpiry, SecretExpiresOn, toDay } from '../../../domain/connection/secret-expiry.js';

const LATE = Date.parse('2026-11-17T23:59:59Z') / 1000;

it.each([
  ['2026-11-14', { days: -3, state: 'expired', text: 'Secret expired 3 days ago' }],
  ['2026-11-16', { days: -1, state: 'expired', text: 'Secret expired 1 day ago' }],
  ['2026-11-17', { days: 0, state: 'soon', text: 'Secret expires today' }],
  ['2026-11-18', { days: 1, state: 'soon', text: 'Secret expires in 1 day' }],
  ['2026-12-17', { days: 30, state: 'soon', text: 'Secret expires in 30 days' }],
  ['2026-12-18', { days: 31, state: 'fresh', text: 'Secret expires in 31 days' }],
])('describes %s by the days that are left', (day, expected) => {
  expect(describeSecretExpiry(day, LATE)).toEqual(expected);
});

it('accepts days, and no other text', () => {
  expect([toDay(LATE), '9999-12-31'].map((day) => SecretExpiresOn.safeParse(day).success)).toEqual([true, true]);
  expect(['2027-02-30', 'soon', ''].map((day) => SecretExpiresOn.safeParse(day).success)).toEqual(Array(3).fill(false));
});
