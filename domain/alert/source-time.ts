const YEAR_2000_SECONDS = 946_684_800;
const DAY_SECONDS = 86_400;

/** A sender may give milli-, micro- or nanoseconds, or 0. Only a time in seconds that the alert can have is used. */
export function isPlausibleSourceTime(createdAtSource: number, createdAt: number): boolean {
  return createdAtSource >= YEAR_2000_SECONDS && createdAtSource <= createdAt + DAY_SECONDS;
}

/** Returns the time at the source if it is known and plausible, otherwise the time of the intake, in epoch seconds. */
export function alertTime({ createdAt, createdAtSource }: { readonly createdAt: number; readonly createdAtSource: number | null }): number {
  return createdAtSource !== null && isPlausibleSourceTime(createdAtSource, createdAt) ? createdAtSource : createdAt;
}
