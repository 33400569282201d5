import type { catalogue } from '../../activities/connectors/catalogue.js';
import type { SkillOutput } from '../../activities/connectors/kit/define.js';
import { hasBegun, placesIn } from '../../domain/playbook/place.js';
import {
  alertTime,
  enrich,
  findMachines,
  isPublicAddress,
  limitItems,
  listValues,
  machineName,
  toAccountName,
  toIsoString,
  weighReputation,
} from '../lib/playbook-helpers.js';
import { playbook } from '../playbook.js';

type Trip = SkillOutput<typeof catalogue.travelBooking.skills.searchUserTravel>['trips'][number];

const DAY_SECONDS = 86_400;

/** A person signed in from places that are too far apart. Checks whether a booked trip explains the sign-in. */
export const impossibleTravel = playbook(
  {
    alertTypes: [
      'Impossible travel',
      'Impossible travel activity',
      'Impossible travel to atypical locations',
      'Impossible traveler',
      'Atypical travel',
      'Unusual travel',
      'Improbable travel',
      'Geographically improbable access',
      'Anomalous sign-in',
      'Anomalous sign-in location',
      'Unfamiliar sign-in properties',
      'Sign-in from an unusual location',
      'Sign-in from a new country',
    ],
    severity: 'medium',
  },
  async (context) => {
    const { alert, entities, skills, evidence } = context;
    const at = alertTime(alert);
    const users = listValues(entities, 'user');
    const mails = users.filter((user) => /^[^\s@]+@[^\s@]+$/.test(user));
    const people = limitItems(evidence, 'person', mails.length > 0 ? mails : listValues(entities, 'email'));
    const places = placesIn(alert.content);
    if (people.length === 0) evidence.gap('Travel: not asked', 'The alert names no email address of the person who signed in.');

    const [machines, aboutAddresses, ...journeys] = await Promise.all([
      findMachines(context),
      enrich({ skills }, 'ip', limitItems(evidence, 'IP address', listValues(entities, 'ip').filter(isPublicAddress))),
      ...people.map((email) => skills.travelBooking.searchUserTravel({ email, around: at })),
    ]);
    const repute = weighReputation(evidence, aboutAddresses, {
      what: 'IP address',
      bad: 50,
      doubtful: 20,
      good: -10,
      techniques: ['T1078', 'T1090'],
    });

    const where = places.length > 0 ? places.join(' and ') : 'an unknown place';
    const explained: string[] = [];
    for (const [index, journey] of journeys.entries()) {
      const who = people[index] ?? '';
      const trip = journey?.trips.find((each) => explains(each, places, at));
      const cancelled = journey?.trips.find((each) => each.cancelled);
      if (trip) explained.push(`${who} has the trip "${trip.name}" from ${trip.start_date} to ${trip.end_date} through ${where}.`);
      else if (journey && journey.cut !== null) evidence.gap('Not every booking was checked', `${who}: ${journey.cut}`, { from: journey });
      else if (journey && places.length === 0 && journey.trips.some((each) => !each.cancelled))
        evidence.gap('The place of the sign-in is unknown', `${who} travels, but the alert does not name the place of the sign-in.`);
      else if (journey) {
        const instead = cancelled ? `. The trip "${cancelled.name}" was cancelled` : '';
        const reason = `${who} has no booking to ${where} around ${toIsoString(at)}${instead}.`;
        const step = 'no-booked-journey';
        evidence.finding(40, 'No booked trip explains the sign-in', reason, { step, from: journey, techniques: ['T1078'] });
      }
    }
    if (people.length > 0 && explained.length === people.length) {
      // A trip explains the place, but not a known malicious IP address.
      const points = repute === 'bad' ? -10 : -60;
      evidence.finding(points, 'A booked trip explains the sign-in', explained.join(' '), { from: journeys[0] ?? null });
    }

    const accounts = new Set([...users, ...people].map(toAccountName));
    const logons = await Promise.all(
      machines.map(({ machine }) => skills.endpointDetection.listMachineLogonUsers({ machine_id: machine.id, max_items: 100 })),
    );
    const knownLogon = logons.find((logon) => logon?.items.some(({ accountName }) => accounts.has(toAccountName(accountName ?? ''))));
    const names = machines.map(({ machine }) => machineName(machine)).join(', ');
    if (knownLogon) evidence.finding(-15, 'The user knows the device', `The user signed in to ${names} earlier.`, { from: knownLogon });
    else if (logons.length > 0 && logons.every((logon) => logon?.cut === null))
      evidence.finding(20, 'The device is new for the user', `The user has no earlier sign-in on ${names}.`, {
        from: logons[0] ?? null,
        techniques: ['T1078'],
      });
  },
);

/** True if a traveller on this trip can have been at every place of the alert by now, and arrived at one of them. */
function explains(trip: Trip, places: readonly string[], at: number): boolean {
  const isOngoing = hasBegun(trip.start_date, at) && at <= toEpochSeconds(trip.end_date) + 2 * DAY_SECONDS;
  const begun = trip.bookings.filter((booking) => !booking.cancelled && hasBegun(booking.start_date ?? trip.start_date, at));
  const arrivals = begun.flatMap((booking) => [booking.destination, ...booking.segments.map(({ arrival }) => arrival)]);
  const departures = begun.flatMap((booking) => [booking.origin, ...booking.segments.map(({ departure }) => departure)]);
  const reached = placeNames(arrivals);
  const passed = new Set([...reached, ...placeNames(departures)]);
  return !trip.cancelled && isOngoing && places.some((place) => reached.has(place)) && places.every((place) => passed.has(place));
}

function placeNames(places: readonly (Trip['places'][number] | null)[]): Set<string> {
  const names = places.flatMap((place) => (place ? [place.country, place.state, place.city, place.airport_code] : []));
  return new Set(names.flatMap((name) => (name ? [name.toLowerCase()] : [])));
}

/** Returns NaN for an invalid date, and every comparison with NaN is false. */
function toEpochSeconds(localDate: string): number {
  return Date.parse(localDate) / 1000;
}
