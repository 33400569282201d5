import { z } from 'zod';
import { isTimeZone, TimeOfDay, TimeZone, TimeZoneName, toMinutes, toWeekday, WEEKDAYS, Weekday } from '../time-zone.js';

const quietFields = {
  time_zone: TimeZoneName,
  from: TimeOfDay,
  to: TimeOfDay.describe('On the next day, unless it is later than `from`.'),
  weekdays: z.array(Weekday).min(1).max(7).describe('The days on which the quiet hours begin.'),
};
export const QuietHours = z.object(quietFields);
export type QuietHours = z.infer<typeof QuietHours>;
export const SaveQuietHours = z
  .strictObject(quietFields)
  .refine(({ from, to, weekdays }) => from !== to || new Set(weekdays).size < WEEKDAYS.length, {
    path: ['to'],
    message: 'must differ from the beginning, because events would always wait',
  });

const repeated = { every_minutes: z.int().min(5).max(1440) };
const daily = { at: TimeOfDay, time_zone: TimeZoneName };
export const Digest = z.union([z.object(repeated), z.object(daily)]);
export type Digest = z.infer<typeof Digest>;
export const SaveDigest = z.union([z.strictObject(repeated), z.strictObject(daily)]);

/** When a rule sends its events. */
export interface Schedule {
  readonly quiet_hours: QuietHours | null;
  readonly digest: Digest | null;
  readonly critical_at_once: boolean;
}

/** The end of the quiet hours at this time. Outside of them: the time itself. */
export function findQuietEnd(quiet: QuietHours, atSeconds: number): number {
  let at = atSeconds;
  // The quiet hours of one day can begin when those of the day before end.
  for (let days = 0; days <= WEEKDAYS.length; days += 1) {
    const end = findPeriodEnd(quiet, at);
    if (end === null) return at;
    at = end;
  }
  return at;
}

function findPeriodEnd({ time_zone: name, from, to, weekdays }: QuietHours, at: number): number | null {
  const zone = openZone(name);
  const today = zone.toDay(at);
  for (const day of [today - 1, today]) {
    if (!weekdays.some((weekday) => WEEKDAYS.indexOf(weekday) === toWeekday(day))) continue;
    const end = zone.toInstant(to > from ? day : day + 1, toMinutes(to));
    if (zone.toInstant(day, toMinutes(from)) <= at && at < end) return end;
  }
  return null;
}

/** A stored zone that this version of Node.js does not know must not stop the router. */
function openZone(name: string): TimeZone {
  return new TimeZone(isTimeZone(name) ? name : 'UTC');
}

/** The first time after this one at which the digest is sent. */
export function findNextDigest(digest: Digest, atSeconds: number): number {
  if ('every_minutes' in digest) {
    const period = digest.every_minutes * 60;
    return (Math.floor(atSeconds / period) + 1) * period;
  }
  const zone = openZone(digest.time_zone);
  const today = zone.toDay(atSeconds);
  const times = [today, today + 1, today + 2].map((day) => zone.toInstant(day, toMinutes(digest.at)));
  return times.find((time) => time > atSeconds) ?? atSeconds;
}

/** When a rule sends an event that happens now. A digest that falls into the quiet hours is sent at their end. */
export function scheduleEvent(
  { quiet_hours: quiet, digest, critical_at_once: isImpatient }: Schedule,
  { data }: { readonly data: Readonly<Record<string, unknown>> },
  nowSeconds: number,
): { readonly sendAt: number; readonly isDigest: boolean } {
  if (isImpatient && data['severity'] === 'critical') return { sendAt: nowSeconds, isDigest: false };
  const collectedAt = digest === null ? nowSeconds : findNextDigest(digest, nowSeconds);
  return { sendAt: quiet === null ? collectedAt : findQuietEnd(quiet, collectedAt), isDigest: digest !== null };
}
