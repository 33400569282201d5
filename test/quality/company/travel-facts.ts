import { buildBooking, type Place } from '../../../connectors/travel-booking/stand-in.js';
import type { Company, Employee } from './company.js';
import type { Fact } from './fact.js';

const DAY_MS = 24 * 3_600_000;

/** Facts of the travel booking platform. */
export function travelFacts({ profile, toGuid }: Company) {
  function trip(who: Employee, to: Place, startsInDays: number, days: number, status: 'TICKETED' | 'CANCELED' = 'TICKETED'): Fact {
    return ({ travelBooking: { state } }) => {
      const startMs = Date.now() - (Date.now() % DAY_MS) + startsInDays * DAY_MS;
      const booked = { id: toGuid(`${who.account} ${to.city}`), name: `${to.city} plant` };
      state.bookings.push(
        buildBooking(who, { type: 'FLIGHT', status, from: profile.home, to, startMs, days: 1, trip: booked }),
        buildBooking(who, {
          type: 'HOTEL',
          status: status === 'TICKETED' ? 'CONFIRMED' : status,
          from: to,
          to,
          startMs,
          days,
          trip: booked,
        }),
      );
    };
  }

  return { trip };
}
