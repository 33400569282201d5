import { z } from 'zod';
import { DAY_SECONDS, TimeOfDay, TimeZone, TimeZoneName, toMinutes, toWeekday, WEEKDAYS, Weekday } from '../time-zone.js';

const MAX_HOURS = 50;
const MAX_HOLIDAYS = 366;
const DAY_MINUTES = 24 * 60;

export const WorkingHours = z.object({
  day: Weekday,
  from: TimeOfDay,
  to: z
    .string()
    .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 17:00, or 24:00')
    .describe('A time before `from` is on the next day.'),
});
export type WorkingHours = z.infer<typeof WorkingHours>;

const SaveWorkingHours = z
  .strictObject(WorkingHours.shape)
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'must differ from `from`; a whole day is 00:00 to 24:00' });

/** When the clocks of an organization run. */
export const Calendar = z.object({
  time_zone: TimeZoneName,
  hours: z
    .array(SaveWorkingHours)
    .min(1)
    .max(MAX_HOURS)
    .superRefine((hours, context) => {
      const overlap = findOverlap(hours);
      if (overlap !== null) context.addIssue({ code: 'custom', path: [overlap], message: 'overlaps with other hours of the week' });
    }),
  holidays: z
    .array(z.iso.date())
    .max(MAX_HOLIDAYS)
    .refine((dates) => new Set(dates).size === dates.length, 'has the same date twice; keep one of them')
    .describe('Local dates without working hours.'),
});
export type Calendar = z.infer<typeof Calendar>;

export const AROUND_THE_CLOCK: readonly WorkingHours[] = WEEKDAYS.map((day) => ({ day, from: '00:00', to: '24:00' }));

/** Minutes of one day of the week, Monday is 0. `index`: the entry that they come from. */
interface Segment {
  readonly day: number;
  readonly from: number;
  readonly to: number;
  readonly index: number;
}

/** In the order of the week. Hours over midnight become one segment on each of the two days. */
function toSegments(hours: readonly WorkingHours[]): Segment[] {
  const segments = hours.flatMap(({ day, ...times }, index): Segment[] => {
    const first = WEEKDAYS.indexOf(day);
    const [from, to] = [toMinutes(times.from), toMinutes(times.to)];
    if (to > from) return [{ day: first, from, to, index }];
    const rest = { day: (first + 1) % WEEKDAYS.length, from: 0, to, index };
    return [{ day: first, from, to: DAY_MINUTES, index }, ...(to > 0 ? [rest] : [])];
  });
  return segments.sort((one, other) => one.day - other.day || one.from - other.from);
}

function findOverlap(hours: readonly WorkingHours[]): number | null {
  const segments = toSegments(hours);
  const found = segments.find(({ day, from }, place) => {
    const before = segments[place - 1];
    return before !== undefined && before.day === day && before.to > from;
  });
  return found?.index ?? null;
}

export function countWeeklyMinutes(hours: readonly WorkingHours[]): number {
  return toSegments(hours).reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Enough for a year of working time with one working day a week and all holidays on such days. */
const HORIZON_DAYS = 10 * 366;

type Interval = readonly [from: number, to: number];

/** Computes working time. All instants are epoch seconds. */
export class WorkingCalendar {
  readonly #zone: TimeZone;
  readonly #segments: readonly Segment[];
  readonly #holidays: ReadonlySet<number>;

  constructor({ time_zone: timeZone, hours, holidays }: Calendar) {
    this.#zone = new TimeZone(timeZone);
    this.#segments = toSegments(hours);
    this.#holidays = new Set(holidays.map((date) => Date.parse(date) / 1000 / DAY_SECONDS));
  }

  /** The end of `seconds` of working time after `start`. null: after more than ten years. */
  addWorkingTime(start: number, seconds: number): number | null {
    let left = seconds;
    for (const [from, to] of this.#listIntervals(start)) {
      const begin = Math.max(from, start);
      if (left <= to - begin) return begin + left;
      left -= to - begin;
    }
    return null;
  }

  countWorkingTime(start: number, end: number): number {
    let worked = 0;
    for (const [from, to] of this.#listIntervals(start)) {
      if (from >= end) break;
      worked += Math.min(to, end) - Math.max(from, start);
    }
    return worked;
  }

  /** The working hours that end after an instant, in their order. */
  *#listIntervals(after: number): Generator<Interval> {
    const first = this.#zone.toDay(after);
    let last = after;
    for (let date = first - 1; date < first + HORIZON_DAYS; date += 1) {
      if (this.#holidays.has(date)) continue;
      const day = toWeekday(date);
      for (const segment of this.#segments) {
        if (segment.day !== day) continue;
        // A date that a zone left out would repeat the hours of the next date.
        const from = Math.max(this.#zone.toInstant(date, segment.from), last);
        const to = this.#zone.toInstant(date, segment.to);
        if (to <= from) continue;
        last = to;
        yield [from, to];
      }
    }
  }
}
