import { describe, expect, it } from 'vitest';
import { SlaTimes } from '../../../domain/sla/clock.js';
import { SaveSlaPolicy } from '../../../domain/sla/policy.js';

const at = (iso: string) => Date.parse(`2026-11-${iso}:00Z`) / 1000;
const HOURS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({ day, from: '09:00', to: '17:00' }));
const GIVEN = {
  time_zone: 'UTC',
  hours: HOURS,
  holidays: [],
  warn_percent: 50,
  targets: [{ severity: 'high', acknowledge_minutes: 60, close_minutes: null }],
};
const times = new SlaTimes(SaveSlaPolicy.parse(GIVEN));
// 2026-11-16 is a Monday.
const clock = { kind: 'acknowledge', startedAt: at('16T09:00'), pauses: [] } as const;

describe('the due time of a clock', () => {
  it('is that of its severity and kind, and the warning comes after a part of the target', () => {
    expect(times.compute(clock, 'high')).toEqual({ dueAt: at('16T10:00'), warnAt: at('16T09:30') });
    expect(times.compute({ ...clock, kind: 'close' }, 'high')).toEqual({ dueAt: null, warnAt: null });
    expect(times.compute(clock, 'low')).toEqual({ dueAt: null, warnAt: null });
    expect(times.compute(clock, null)).toEqual({ dueAt: null, warnAt: null });
  });

  it('leaves out the pauses', () => {
    // 20 minutes, a pause over the night, 10 minutes, a pause, and the last 30 minutes.
    const pauses = [
      [at('16T09:20'), at('17T09:00')],
      [at('17T09:10'), at('17T12:00')],
    ] as const;
    expect(times.compute({ ...clock, pauses }, 'high')).toEqual({ dueAt: at('17T12:30'), warnAt: at('17T09:10') });
  });

  it('can lie before a pause', () => {
    const pauses = [[at('16T11:00'), at('18T09:00')]] as const;
    expect(times.compute({ ...clock, pauses }, 'high').dueAt).toBe(at('16T10:00'));
  });
});

describe('a policy', () => {
  const problemsOf = (changed: object) => {
    const parsed = SaveSlaPolicy.safeParse({ ...GIVEN, ...changed });
    return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
  };

  it.each([
    ['a zone', { time_zone: 'Europe/Atlantis' }, 'time_zone'],
    ['an offset', { time_zone: '+01:00' }, 'time_zone'],
    ['no hours', { hours: [] }, 'hours'],
    ['hours that overlap', { hours: [...HOURS, { day: 'friday', from: '16:59', to: '18:00' }] }, 'hours.5'],
    ['hours over midnight that overlap', { hours: [{ day: 'sunday', from: '20:00', to: '09:01' }, ...HOURS] }, 'hours.1'],
    ['hours without length', { hours: [{ day: 'monday', from: '09:00', to: '09:00' }] }, 'hours.0.to'],
    ['a time', { hours: [{ day: 'monday', from: '9', to: '24:01' }] }, 'hours.0.from'],
    ['a date', { holidays: ['2026-02-30'] }, 'holidays.0'],
    ['a date twice', { holidays: ['2026-12-25', '2026-12-25'] }, 'holidays'],
    ['a severity', { targets: [{ severity: 'urgent', acknowledge_minutes: 5, close_minutes: 5 }] }, 'targets.0.severity'],
    ['a severity twice', { targets: [...GIVEN.targets, ...GIVEN.targets] }, 'targets'],
    [
      'a target of more than a year',
      { targets: [{ severity: 'low', acknowledge_minutes: 1, close_minutes: 200_000 }] },
      'targets.0.close_minutes',
    ],
    ['a warning after the end', { warn_percent: 100 }, 'warn_percent'],
  ])('is refused for %s', (_, changed, place) => {
    expect(problemsOf(changed)).toContain(place);
  });

  it('is accepted with hours that touch each other', () => {
    expect(problemsOf({ hours: [{ day: 'sunday', from: '20:00', to: '09:00' }, ...HOURS] })).toEqual([]);
  });
});
