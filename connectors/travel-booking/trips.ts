import type { z } from 'zod';
import { toAccountName } from '../../domain/entity/account-name.js';
import type { travelBooking } from './contract.js';

export type Booking = z.output<typeof travelBooking.skills.getBookings.output>['items'][number];
export type Trip = z.output<typeof travelBooking.skills.searchUserTravel.output>['trips'][number];
export type User = z.output<typeof travelBooking.skills.getUsers.output>['items'][number];
type Place = Trip['places'][number];
type TravelQuestion = z.output<typeof travelBooking.skills.searchUserTravel.input>;

export const DAY_SECONDS = 86_400;
const AROUND_SECONDS = 2 * DAY_SECONDS;
/** How long before or after the window a trip may begin that overlaps it. */
const REACH_SECONDS = 60 * DAY_SECONDS;
/** A local date begins up to 14 hours before and ends up to 12 hours after the same date in UTC. */
const EARLIEST_ZONE_SECONDS = 14 * 3600;
const LATEST_ZONE_SECONDS = 12 * 3600;
/** Without a time: the trips that an alert of today can concern. */
const RECENT_SECONDS = 90 * DAY_SECONDS;
const AHEAD_SECONDS = 365 * DAY_SECONDS;

/** The searched period, and the starts of the bookings that can overlap it. */
export function chooseWindow({ around, from, to }: TravelQuestion, now: number) {
  const begin = from ?? (around === undefined ? now - RECENT_SECONDS : Math.max(0, around - AROUND_SECONDS));
  const end = to ?? (around === undefined ? now + AHEAD_SECONDS : around + AROUND_SECONDS);
  // The documentation is unclear whether startDateTo is the start or the end of a trip: the window covers both.
  return { from: begin, to: end, around: around ?? null, startFrom: Math.max(0, begin - REACH_SECONDS), startTo: end + REACH_SECONDS };
}

/** The trips of these bookings that are under way in the period, sorted by their start. */
export function listTrips(
  bookings: readonly Booking[],
  { from, to, around }: { readonly from: number; readonly to: number; readonly around: number | null },
): Trip[] {
  const trips = groupByTrip(bookings, around).filter((trip) => isUnderWay(trip, from, to));
  return trips.sort((a, b) => a.start_date.localeCompare(b.start_date));
}

/** The names of a question that bookings can have. */
export function listNames({ email, user_id, traveller }: TravelQuestion): string[] {
  return present([email ?? null, user_id ?? null, traveller?.includes('@') ? traveller : null]);
}

/** The names of a user that bookings can have. */
export function listNamesOf(user: User | null): string[] {
  return user === null ? [] : present([user.email, user.user_name, user.user_id]);
}

/** Whether the person travels. Without travellers, the booker does. */
export function isForUser({ travellers, booker }: Booking, names: readonly string[]): boolean {
  const people = travellers.length > 0 ? travellers : present([booker]);
  return people.some((person) => names.some((name) => isSame(person.email, name) || isSame(person.user_id, name)));
}

/** Whether the address is that of the user. */
export function isUser({ email, user_name }: User, wanted: string): boolean {
  return isSame(email, wanted) || isSame(user_name, wanted);
}

/** The only user with a name. */
export function chooseUser(named: readonly User[]): { user: User | null; cut: string | null } {
  const [user = null] = named;
  return named.length > 1 ? { user: null, cut: 'Several users of the platform have this name.' } : { user, cut: null };
}

/** Whether the user has this address, account with or without its domain, id or employee number. */
export function isNamed(user: User, name: string): boolean {
  if ([user.email, user.user_name, user.user_id, user.external_id].some((each) => isSame(each, name))) return true;
  const account = toAccountName(name);
  // Two directories of a company write the same account with their own domains. An address belongs to one of them.
  const names = name.includes('@') ? [user.user_name].filter((each) => each?.includes('@') === false) : [user.user_name, user.email];
  return names.some((each) => each !== null && toAccountName(each) === account);
}

export function isSame(one: string | null, other: string | undefined): boolean {
  return one !== null && one.toLowerCase() === other?.trim().toLowerCase();
}

function groupByTrip(bookings: readonly Booking[], around: number | null): Trip[] {
  const groups = new Map<string, { tripId: string | null; bookings: Booking[] }>();
  for (const [index, booking] of bookings.entries()) {
    for (const tripId of booking.trip_ids.length > 0 ? booking.trip_ids : [null]) {
      const key = tripId ?? `booking ${index}`;
      const group = groups.get(key) ?? { tripId, bookings: [] };
      group.bookings.push(booking);
      groups.set(key, group);
    }
  }
  return [...groups.values()].flatMap((group) => toTrips(group.tripId, group.bookings, around));
}

/** Null if no booking has a date. */
function toTrips(tripId: string | null, bookings: Booking[], around: number | null): Trip[] {
  const active = bookings.filter(({ cancelled }) => !cancelled);
  const counted = active.length > 0 ? active : bookings;
  const dates = present(counted.flatMap(({ start_date, end_date }) => [start_date, end_date])).sort();
  const [first] = dates;
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return [];
  const places = counted.flatMap(({ origin, destination, segments }) => [
    origin,
    ...segments.flatMap(({ departure, arrival }) => [departure, arrival]),
    destination,
  ]);
  return [
    {
      trip_id: tripId,
      name: bookings.find(({ trip_name }) => trip_name !== null)?.trip_name ?? null,
      start_date: first,
      end_date: last,
      cancelled: active.length === 0,
      places: distinctPlaces(present(places)),
      destinations: active.length === 0 ? [] : distinctPlaces(listDestinations(active, around)),
      bookings,
    },
  ];
}

function distinctPlaces(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

interface Leg {
  readonly to: Place;
  /** Epoch seconds. */
  readonly from: number;
  readonly until: number;
}

/** Where the legs of a trip lead to around the time: the traveller is there until the next leg begins, and not yet a day before. */
function listDestinations(bookings: readonly Booking[], around: number | null): Place[] {
  const legs = bookings.flatMap(listLegs).sort((one, other) => one.from - other.from);
  if (around === null) return legs.map(({ to }) => to);
  const last = Math.max(...legs.map(({ until }) => until));
  return legs.flatMap(({ to, from }) => {
    const next = legs.find((leg) => leg.from > from && leg.to.city !== to.city);
    return from - DAY_SECONDS <= around && around <= (next?.from ?? last) + DAY_SECONDS ? [to] : [];
  });
}

function listLegs({ start_date, end_date, destination, segments }: Booking): Leg[] {
  const from = readDate(start_date) ?? readDate(end_date) ?? 0;
  const until = (readDate(end_date) ?? from) + DAY_SECONDS;
  const arrivals = segments.flatMap(({ arrival, starts_at }) =>
    arrival === null ? [] : [{ to: arrival, from: starts_at ?? from, until }],
  );
  return arrivals.length > 0 || destination === null ? arrivals : [{ to: destination, from, until }];
}

function readDate(date: string | null): number | null {
  const ms = Date.parse(date ?? '');
  return Number.isNaN(ms) ? null : ms / 1000;
}

function isUnderWay({ start_date, end_date }: Trip, from: number, to: number): boolean {
  const beginsAt = Date.parse(start_date) / 1000 - EARLIEST_ZONE_SECONDS;
  const endsAt = Date.parse(end_date) / 1000 + DAY_SECONDS + LATEST_ZONE_SECONDS;
  return beginsAt <= to && endsAt >= from;
}

export function present<Value>(values: readonly (Value | null)[]): Value[] {
  return values.filter((value) => value !== null);
}
