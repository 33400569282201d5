import { z } from 'zod';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const Day = z.enum(DAYS);
export type Day = z.infer<typeof Day>;

const HOURS_AT_MOST = 50;
const HOLIDAYS_AT_MOST = 366;
const DAY_MINUTES = 24 * 60;
const DAY_SECONDS = 86_400;

export const WorkingHours = z.object({
  day: Day,
  from: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:30'),
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
  time_zone: z
    .string()
    .max(100)
    .refine(isTimeZone, 'must be the name of an IANA time zone, such as Europe/Berlin')
    .describe('The IANA name, such as `Europe/Berlin`.'),
  hours: z
    .array(SaveWorkingHours)
    .min(1)
    .max(HOURS_AT_MOST)
    .superRefine((hours, context) => {
      const overlap = findOverlap(hours);
      if (overlap !== null) context.addIssue({ code: 'custom', path: [overlap], message: 'overlaps with other hours of the week' });
    }),
  holidays: z
    .array(z.iso.date())
    .max(HOLIDAYS_AT_MOST)
    .refine((dates) => new Set(dates).size === dates.length, 'has the same date twice; keep one of them')
    .describe('Local dates without working hours.'),
});
export type Calendar = z.infer<typeof Calendar>;

export const AROUND_THE_CLOCK: readonly WorkingHours[] = DAYS.map((day) => ({ day, from: '00:00', to: '24:00' }));

/** An offset such as `+01:00` is no name, although some versions of Node.js accept it. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/** Minutes of one day of the week, Monday is 0. `index`: the entry that they come from. */
interface Segment {
  readonly day: number;
  readonly from: number;
  readonly to: number;
  readonly index: number;
}

function toMinutes(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

/** In the order of the week. Hours over midnight become one segment on each of the two days. */
function toSegments(hours: readonly WorkingHours[]): Segment[] {
  const segments = hours.flatMap(({ day, ...times }, index): Segment[] => {
    const first = DAYS.indexOf(day);
    const [from, to] = [toMinutes(times.from), toMinutes(times.to)];
    if (to > from) return [{ day: first, from, to, index }];
    const rest = { day: (first + 1) % DAYS.length, from: 0, to, index };
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
  readonly #format: Intl.DateTimeFormat;
  readonly #segments: readonly Segment[];
  readonly #holidays: ReadonlySet<number>;
  readonly #offsets = new Map<number, number>();

  constructor({ time_zone: timeZone, hours, holidays }: Calendar) {
    const field = 'numeric';
    const fields = { year: field, month: field, day: field, hour: field, minute: field, second: field } as const;
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', hourCycle: 'h23', ...fields });
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
    const first = Math.floor((after + this.#offsetAt(after)) / DAY_SECONDS);
    let last = after;
    for (let date = first - 1; date < first + HORIZON_DAYS; date += 1) {
      if (this.#holidays.has(date)) continue;
      // 1970-01-01 was a Thursday.
      const day = (date + 3) % DAYS.length;
      for (const segment of this.#segments) {
        if (segment.day !== day) continue;
        // A date that a zone left out would repeat the hours of the next date.
        const from = Math.max(this.#toInstant(date, segment.from), last);
        const to = this.#toInstant(date, segment.to);
        if (to <= from) continue;
        last = to;
        yield [from, to];
      }
    }
  }

  /** A repeated local time means the first one. A local time that the change of the clock leaves out means that much later. */
  #toInstant(date: number, minutes: number): number {
    const local = date * DAY_SECONDS + minutes * 60;
    const before = this.#offsetAt((date - 1) * DAY_SECONDS);
    const after = this.#offsetAt((date + 2) * DAY_SECONDS);
    if (before === after || this.#offsetAt(local - before) === before) return local - before;
    return this.#offsetAt(local - after) === after ? local - after : local - before;
  }

  #offsetAt(instant: number): number {
    const known = this.#offsets.get(instant);
    if (known !== undefined) return known;
    const parts = new Map(this.#format.formatToParts(instant * 1000).map(({ type, value }) => [type, Number(value)]));
    const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const local = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second')) / 1000;
    this.#offsets.set(instant, local - instant);
    return local - instant;
  }
}
