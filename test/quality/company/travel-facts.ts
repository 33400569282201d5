import { buildBooking, type Place } from '../../../connectors/travel-booking/stand-in.js';
import type { Company, Employee } from './company.js';
import type { Fact } from './fact.js';

const DAY_MS = 24 * 3_600_000;

/** Facts of the travel booking platform. */
export function travelFacts({ profile, toGuid }: Company) {
  function trip(who: Employee, to: Place, startsInDays: number, days: number, status: 'TICKETED' | 'CANCELED' = 'TICKETED'): Fact {
    return itinerary(who, [to], startsInDays, days, status);
  }

  /** A flight to each of the places and a hotel there, in one trip. */
  function itinerary(
    who: Employee,
    places: readonly Place[],
    startsInDays: number,
    daysEach: number,
    status: 'TICKETED' | 'CANCELED' = 'TICKETED',
  ): Fact {
    return ({ travelBooking: { state } }) => {
      const firstMs = Date.now() - (Date.now() % DAY_MS) + startsInDays * DAY_MS;
      const [first] = places;
      const booked = { id: toGuid(`${who.account} ${first?.city}`), name: `${first?.city} plant` };
      for (const [index, to] of places.entries()) {
        const from = places[index - 1] ?? profile.home;
        const startMs = firstMs + index * daysEach * DAY_MS;
        const stay = status === 'TICKETED' ? 'CONFIRMED' : status;
        state.bookings.push(
          buildBooking(who, { type: 'FLIGHT', status, from, to, startMs, days: 1, trip: booked }),
          buildBooking(who, { type: 'HOTEL', status: stay, from: to, to, startMs, days: daysEach, trip: booked }),
        );
      }
    };
  }

  return { trip, itinerary };
}
