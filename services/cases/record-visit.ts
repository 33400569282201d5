import { upsertVisit } from '../../db/cases/case-visits.js';
import type { Context } from '../context.js';

/** A visit ends when the caller does not use the list of cases for this time. */
const PAUSE_SECONDS = 30 * 60;

/** Notes that the caller uses the list of cases now. Returns the end of the visit before. */
export function recordVisit({ db, by, now }: Context): Promise<number | null> {
  return upsertVisit(db, by.uuid, { at: now(), pauseSeconds: PAUSE_SECONDS });
}
