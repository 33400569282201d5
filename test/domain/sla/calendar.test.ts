import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AROUND_THE_CLOCK, type Calendar, WorkingCalendar, type WorkingHours } from '../../../domain/sla/calendar.js';
import { Weekday } from '../../../domain/time-zone.js';

const at = (iso: string) => Date.parse(iso) / 1000;
const toIso = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z'));
const WEEKDAYS = Weekday.options.slice(0, 5).map((day) => ({ day, from: '08:00', to: '18:00' }));
const BERLIN = { time_zone: 'Europe/Berlin', hours: WEEKDAYS, holidays: [] };

/** The instant after some working minutes. */
function due(calendar: Partial<Calendar>, start: string, minutes: number): string | null {
  return toIso(new WorkingCalendar({ ...BERLIN, ...calendar }).addWorkingTime(at(start), minutes * 60));
}

describe('the end of working time', () => {
  // 2026-11-16 is a Monday.
  it.each([
    ['within a day', {}, '2026-11-16T09:00:00+01:00', 60, '2026-11-16T09:00:00Z'],
    ['at the end of the hours', {}, '2026-11-16T17:00:00+01:00', 60, '2026-11-16T17:00:00Z'],
    ['over a night', {}, '2026-11-16T17:30:00+01:00', 60, '2026-11-17T07:30:00Z'],
    ['over a weekend', {}, '2026-11-20T17:30:00+01:00', 60, '2026-11-23T07:30:00Z'],
    ['from a start outside the hours', {}, '2026-11-21T12:00:00+01:00', 15, '2026-11-23T07:15:00Z'],
    ['over a holiday and a weekend', { holidays: ['2026-12-25'] }, '2026-12-24T17:00:00+01:00', 120, '2026-12-28T08:00:00Z'],
    ['around the clock', { hours: [...AROUND_THE_CLOCK] }, '2026-11-20T23:00:00+01:00', 3 * 24 * 60, '2026-11-23T22:00:00Z'],
    [
      'with a pause at noon',
      { hours: [...hours('monday', '08:00-12:00', '13:00-17:00')] },
      '2026-11-16T11:30:00+01:00',
      60,
      '2026-11-16T12:30:00Z',
    ],
    ['in a zone with half an hour', { time_zone: 'Asia/Kolkata' }, '2026-11-16T17:30:00+05:30', 60, '2026-11-17T03:00:00Z'],
  ])('%s', (_, calendar, start, minutes, expected) => {
    expect(due(calendar, start, minutes)).toBe(expected);
  });

  it('over midnight, and a holiday ends the hours of the night before at midnight', () => {
    const nights = { hours: Weekday.options.slice(0, 5).map((day) => ({ day, from: '22:00', to: '06:00' })) };
    // An hour on Saturday until 06:00, and an hour from Monday 22:00.
    expect(due(nights, '2026-11-21T05:00:00+01:00', 120)).toBe('2026-11-23T22:00:00Z');
    // Thursday 22:00 to midnight. Friday is a holiday, and Friday night ends on Saturday at 06:00.
    expect(due({ ...nights, holidays: ['2026-11-20'] }, '2026-11-19T21:00:00+01:00', 180)).toBe('2026-11-21T00:00:00Z');
  });

  it('over the change to summer time and back', () => {
    const sundays = { hours: [{ day: 'sunday' as const, from: '01:00', to: '05:00' }] };
    // Three hours: 02:00 to 03:00 does not exist.
    expect(due(sundays, '2027-03-28T00:00:00+01:00', 180)).toBe('2027-03-28T03:00:00Z');
    // Five hours: 02:00 to 03:00 comes twice.
    expect(due(sundays, '2026-10-25T00:00:00+02:00', 300)).toBe('2026-10-25T04:00:00Z');
    // 02:30 does not exist and means 03:30 CEST, so 90 minutes remain until 05:00.
    const inTheGap = { hours: [{ day: 'sunday' as const, from: '02:30', to: '05:00' }] };
    expect(due(inTheGap, '2027-03-28T00:00:00+01:00', 90)).toBe('2027-03-28T03:00:00Z');
    // 02:30 comes twice and means the first one.
    const repeated = { hours: [{ day: 'sunday' as const, from: '02:30', to: '04:00' }] };
    expect(due(repeated, '2026-10-25T00:00:00+02:00', 150)).toBe('2026-10-25T03:00:00Z');
  });

  it('is null where the hours never suffice', () => {
    const short = { hours: [{ day: 'monday' as const, from: '08:00', to: '08:01' }] };
    expect(due(short, '2026-11-16T00:00:00Z', 10_000)).toBeNull();
  });
});

function hours(day: Weekday, ...spans: string[]): WorkingHours[] {
  return spans.map((span) => ({ day, from: span.slice(0, 5), to: span.slice(6) }));
}

// Zones with a change at midnight, with a date that never was, with half an hour, and south of the equator.
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Havana',
];
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: at('1995-01-01'), max: at('2040-01-01') });
/** Whole hours from 05:00, where no zone changes its clock. */
const span = fc
  .tuple(fc.integer({ min: 5, max: 21 }), fc.integer({ min: 1, max: 3 }))
  .map(([from, length]) => ({ from, to: from + length }));
const week = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...Weekday.options), span), { minLength: 1, maxLength: 7, selector: ([day]) => day })
  .map((days) => days.map(([day, { from, to }]) => ({ day, from: `${pad(from)}:00`, to: `${pad(to)}:00` })));

function pad(hour: number): string {
  return String(hour).padStart(2, '0');
}

describe('for every calendar', () => {
  it('working time around the clock is elapsed time', () => {
    fc.assert(
      fc.property(zone, instant, fc.integer({ min: 0, max: 40 * 86_400 }), (time_zone, start, seconds) => {
        const calendar = new WorkingCalendar({ time_zone, hours: [...AROUND_THE_CLOCK], holidays: [] });
        expect(calendar.addWorkingTime(start, seconds)).toBe(seconds === 0 ? start : start + seconds);
        expect(calendar.countWorkingTime(start, start + seconds)).toBe(seconds);
      }),
      { numRuns: 200 },
    );
  });

  it('the working time until the due time is the target, and a second before it is less', () => {
    fc.assert(
      fc.property(zone, week, instant, fc.integer({ min: 1, max: 50_000 }), (time_zone, hours, start, seconds) => {
        const calendar = new WorkingCalendar({ time_zone, hours, holidays: [] });
        const end = calendar.addWorkingTime(start, seconds) ?? Number.NaN;
        expect(calendar.countWorkingTime(start, end)).toBe(seconds);
        expect(calendar.countWorkingTime(start, end - 1)).toBe(seconds - 1);
      }),
      { numRuns: 200 },
    );
  });

  it('the working time of two parts is that of the whole', () => {
    const length = fc.integer({ min: 0, max: 20 * 86_400 });
    fc.assert(
      fc.property(zone, week, instant, length, length, (time_zone, hours, start, first, second) => {
        const calendar = new WorkingCalendar({ time_zone, hours, holidays: [] });
        const middle = start + first;
        const whole = calendar.countWorkingTime(start, middle + second);
        expect(calendar.countWorkingTime(start, middle) + calendar.countWorkingTime(middle, middle + second)).toBe(whole);
      }),
      { numRuns: 200 },
    );
  });

  it('the working time is the number of minutes that a wall clock shows within the hours', () => {
    fc.assert(
      fc.property(zone, week, instant, fc.integer({ min: 1, max: 4 * 24 * 60 }), (time_zone, hours, start, minutes) => {
        const begin = start - (start % 3600);
        const wall = new Intl.DateTimeFormat('en-US', { timeZone: time_zone, weekday: 'long', hour: '2-digit', hourCycle: 'h23' });
        let expected = 0;
        for (let minute = 0; minute < minutes; minute += 1) {
          const parts = wall.formatToParts((begin + minute * 60) * 1000);
          const [weekday, hour] = ['weekday', 'hour'].map((type) => parts.find((part) => part.type === type)?.value ?? '');
          const isOpen = hours.some(({ day, from, to }) => day === weekday?.toLowerCase() && `${hour}:00` >= from && `${hour}:00` < to);
          expected += isOpen ? 60 : 0;
        }
        expect(new WorkingCalendar({ time_zone, hours, holidays: [] }).countWorkingTime(begin, begin + minutes * 60)).toBe(expected);
      }),
      { numRuns: 40 },
    );
  });
});
