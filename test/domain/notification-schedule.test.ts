import { describe, expect, it } from 'vitest';
import { findNextDigest, findQuietEnd, type QuietHours, SaveQuietHours, scheduleEvent } from '../../domain/notification/schedule.js';
import { WEEKDAYS } from '../../domain/time-zone.js';

const at = (iso: string) => Date.parse(iso) / 1000;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
const nights: QuietHours = { time_zone: 'Europe/Berlin', from: '22:00', to: '07:00', weekdays: [...WEEKDAYS] };
const endOf = (quiet: QuietHours, time: string) => iso(findQuietEnd(quiet, at(time)));

describe('quiet hours', () => {
  it.each([
    ['before they begin', '2026-11-17T20:59:59Z', '2026-11-17T20:59:59Z'],
    ['at their beginning', '2026-11-17T21:00:00Z', '2026-11-18T06:00:00Z'],
    ['after midnight', '2026-11-18T02:00:00Z', '2026-11-18T06:00:00Z'],
    ['at their end', '2026-11-18T06:00:00Z', '2026-11-18T06:00:00Z'],
    ['in the night in which the clock moves forward', '2026-03-28T23:00:00Z', '2026-03-29T05:00:00Z'],
    ['in the night in which the clock moves back', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z'],
  ])('end in the morning: %s', (_, time, end) => {
    expect(endOf(nights, time)).toBe(end);
  });

  it('begin on the given days only', () => {
    const friday: QuietHours = { ...nights, weekdays: ['friday'] };
    expect(endOf(friday, '2026-11-20T22:00:00Z')).toBe('2026-11-21T06:00:00Z');
    expect(endOf(friday, '2026-11-21T02:00:00Z')).toBe('2026-11-21T06:00:00Z');
    expect(endOf(friday, '2026-11-19T22:00:00Z')).toBe('2026-11-19T22:00:00Z');
    expect(endOf(friday, '2026-11-21T22:00:00Z')).toBe('2026-11-21T22:00:00Z');
  });

  it('of whole days that follow each other end after the last one', () => {
    const weekend: QuietHours = { time_zone: 'America/New_York', from: '00:00', to: '00:00', weekdays: ['saturday', 'sunday'] };
    expect(endOf(weekend, '2026-11-21T12:00:00Z')).toBe('2026-11-23T05:00:00Z');
    // The clock moves back on this Sunday, which has 25 hours.
    expect(endOf(weekend, '2026-10-31T12:00:00Z')).toBe('2026-11-02T05:00:00Z');
  });

  it('that end at a time which the clock skips end when the clock has moved', () => {
    expect(endOf({ ...nights, to: '02:30' }, '2026-03-29T00:00:00Z')).toBe('2026-03-29T01:30:00Z');
  });

  it('that end at a time which occurs twice end at the first', () => {
    expect(endOf({ ...nights, to: '02:30' }, '2026-10-24T23:00:00Z')).toBe('2026-10-25T00:30:00Z');
  });

  it('work in zones far from UTC', () => {
    const quiet = { from: '20:00', to: '06:00', weekdays: [...WEEKDAYS] };
    expect(endOf({ ...quiet, time_zone: 'Pacific/Kiritimati' }, '2026-11-17T08:00:00Z')).toBe('2026-11-17T16:00:00Z');
    expect(endOf({ ...quiet, time_zone: 'Asia/Kathmandu' }, '2026-11-17T15:00:00Z')).toBe('2026-11-18T00:15:00Z');
  });

  it('are refused with an unknown zone, an impossible time, or without an end', () => {
    const issues = (given: object) => SaveQuietHours.safeParse({ ...nights, ...given }).error?.issues.map(({ path }) => path.join('.'));
    expect(issues({})).toBeUndefined();
    expect(issues({ time_zone: 'Europe/Atlantis' })).toEqual(['time_zone']);
    expect(issues({ from: '24:00' })).toEqual(['from']);
    expect(issues({ to: '22:00' })).toEqual(['to']);
    expect(issues({ weekdays: [] })).toEqual(['weekdays']);
  });
});

describe('a digest', () => {
  it('is sent at multiples of its minutes', () => {
    expect(iso(findNextDigest({ every_minutes: 30 }, at('2026-11-17T10:12:00Z')))).toBe('2026-11-17T10:30:00Z');
    expect(iso(findNextDigest({ every_minutes: 30 }, at('2026-11-17T10:30:00Z')))).toBe('2026-11-17T11:00:00Z');
  });

  it('is sent at a time of day, also when the clock moves', () => {
    const daily = { at: '08:00', time_zone: 'Europe/Berlin' };
    expect(iso(findNextDigest(daily, at('2026-11-17T06:00:00Z')))).toBe('2026-11-17T07:00:00Z');
    expect(iso(findNextDigest(daily, at('2026-11-17T07:00:00Z')))).toBe('2026-11-18T07:00:00Z');
    expect(iso(findNextDigest(daily, at('2026-03-28T12:00:00Z')))).toBe('2026-03-29T06:00:00Z');
  });
});

describe('a rule', () => {
  const now = at('2026-11-17T23:10:00Z');
  const event = { data: { severity: 'high' } };

  it('without a schedule sends at once', () => {
    expect(scheduleEvent({ quiet_hours: null, digest: null, critical_at_once: false }, event, now)).toEqual({
      sendAt: now,
      isDigest: false,
    });
  });

  it('sends a digest that falls into the quiet hours at their end', () => {
    for (const digest of [{ every_minutes: 15 }, { at: '05:00', time_zone: 'Europe/Berlin' }]) {
      const { sendAt, isDigest } = scheduleEvent({ quiet_hours: nights, digest, critical_at_once: false }, event, now);
      expect([iso(sendAt), isDigest]).toEqual(['2026-11-18T06:00:00Z', true]);
    }
  });

  it('sends critical events at once where it is told to', () => {
    const critical = { data: { severity: 'critical' } };
    const rule = { quiet_hours: nights, digest: { every_minutes: 60 } };
    expect(scheduleEvent({ ...rule, critical_at_once: true }, critical, now)).toEqual({ sendAt: now, isDigest: false });
    expect(scheduleEvent({ ...rule, critical_at_once: true }, event, now).sendAt).toBeGreaterThan(now);
    expect(scheduleEvent({ ...rule, critical_at_once: false }, critical, now).sendAt).toBeGreaterThan(now);
  });
});
