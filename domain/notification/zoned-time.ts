const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  // A stored zone that this runtime does not know must not stop the router.
  const created = new Intl.DateTimeFormat('en', { timeZone: isZone(zone) ? zone : 'UTC', hourCycle: 'h23', ...numeric });
  formats.set(zone, created);
  return created;
}

/** The local date and time of a moment, as if they were UTC. */
function toWallMs(zone: string, ms: number): number {
  const parts = formatOf(zone).formatToParts(ms);
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
}

/** The number of the local day. Consecutive days have consecutive numbers. */
export function toDayNumber(zone: string, atSeconds: number): number {
  return Math.floor(toWallMs(zone, atSeconds * 1000) / DAY_MS);
}

/** 0: Monday. */
export function toWeekday(dayNumber: number): number {
  // Day 0, 1 January 1970, was a Thursday.
  return (dayNumber + 3) % 7;
}

/**
 * The moment of a local time, `22:00`, on a local day. A time that the clock skips is as much later as the clock moves; of a time that
 * occurs twice, the first counts.
 */
export function toEpochSeconds(zone: string, dayNumber: number, time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  const wallMs = dayNumber * DAY_MS + ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;
  const offsets = [wallMs - DAY_MS, wallMs + DAY_MS].map((near) => toWallMs(zone, near) - near);
  const moments = offsets.map((offset) => wallMs - offset);
  const exact = moments.filter((moment) => toWallMs(zone, moment) === wallMs);
  return (exact.length > 0 ? Math.min(...exact) : Math.max(...moments)) / 1000;
}
