import { z } from 'zod';

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const Weekday = z.enum(WEEKDAYS);
export type Weekday = z.infer<typeof Weekday>;

export const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 08:30');

/** An offset such as `+01:00` is no name, although some versions of Node.js accept it. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

export const TimeZoneName = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be the name of an IANA time zone, such as Europe/Berlin')
  .describe('The IANA name of the time zone, such as `Europe/Berlin`.');

export const DAY_SECONDS = 86_400;

/** The local times of a zone. Instants are epoch seconds. Days have numbers: consecutive days have consecutive ones. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(name: string) {
    const field = 'numeric';
    const fields = { year: field, month: field, day: field, hour: field, minute: field, second: field } as const;
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, calendar: 'gregory', hourCycle: 'h23', ...fields });
  }

  toDay(instant: number): number {
    return Math.floor((instant + this.#offsetAt(instant)) / DAY_SECONDS);
  }

  /** A repeated local time means the first one. A local time that the change of the clock leaves out means that much later. */
  toInstant(day: number, minutes: number): number {
    const local = day * DAY_SECONDS + minutes * 60;
    const before = this.#offsetAt((day - 1) * DAY_SECONDS);
    const after = this.#offsetAt((day + 2) * DAY_SECONDS);
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

/** 0: Monday. Day 0, 1 January 1970, was a Thursday. */
export function toWeekday(day: number): number {
  return (day + 3) % WEEKDAYS.length;
}

/** `08:30` → 510. */
export function toMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
