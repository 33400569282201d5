import { z } from 'zod';
import { storable } from '../text.js';
import { isZone, toDayNumber, toEpochSeconds, toWeekday } from './zoned-time.js';

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const Weekday = z.enum(WEEKDAYS);
const Zone = storable(64).refine(isZone, 'must be a time zone, such as Europe/Berlin');
const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 22:00');

const quietFields = {
  zone: Zone.describe('IANA time zone.'),
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
const daily = { at: TimeOfDay, zone: Zone.describe('IANA time zone.') };
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

function findPeriodEnd({ zone, from, to, weekdays }: QuietHours, at: number): number | null {
  const today = toDayNumber(zone, at);
  for (const day of [today - 1, today]) {
    if (!weekdays.some((weekday) => WEEKDAYS.indexOf(weekday) === toWeekday(day))) continue;
    const end = toEpochSeconds(zone, to > from ? day : day + 1, to);
    if (toEpochSeconds(zone, day, from) <= at && at < end) return end;
  }
  return null;
}

/** The first time after this one at which the digest is sent. */
export function findNextDigest(digest: Digest, atSeconds: number): number {
  if ('every_minutes' in digest) {
    const period = digest.every_minutes * 60;
    return (Math.floor(atSeconds / period) + 1) * period;
  }
  const today = toDayNumber(digest.zone, atSeconds);
  const times = [today, today + 1, today + 2].map((day) => toEpochSeconds(digest.zone, day, digest.at));
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
