import type { WorkingHours } from '../../../../domain/sla/calendar.js';
import { Weekday } from '../../../../domain/time-zone.js';

/** The hours of each day as text, such as `08:00-12:00, 13:00-17:00`. */
export type WeekText = Readonly<Record<Weekday, string>>;

const SPAN = /^(\d{1,2}:\d{2})\s*[-–]\s*(\d{1,2}:\d{2})$/;

function toWeek(writeDay: (day: Weekday) => string): WeekText {
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the entries have a key for each day.
  return Object.fromEntries(Weekday.options.map((day) => [day, writeDay(day)])) as WeekText;
}

export function writeWeek(hours: readonly WorkingHours[]): WeekText {
  return toWeek((wanted) =>
    hours
      .filter(({ day }) => day === wanted)
      .map(({ from, to }) => `${from}-${to}`)
      .join(', '),
  );
}

export const AROUND_THE_CLOCK = toWeek(() => '00:00-24:00');
export const OFFICE_HOURS = toWeek((day) => (day === 'saturday' || day === 'sunday' ? '' : '09:00-17:00'));

/** null: the text of the day has another form. */
export function readDay(day: Weekday, text: string): WorkingHours[] | null {
  const spans = splitList(text).map((span) => SPAN.exec(span));
  if (spans.includes(null)) return null;
  return spans.map((span) => ({ day, from: pad(span?.[1]), to: pad(span?.[2]) }));
}

export function splitList(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function pad(time = ''): string {
  return time.padStart(5, '0');
}
