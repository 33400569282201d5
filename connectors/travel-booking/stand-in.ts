import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { COMPANY, PEOPLE, type Person } from '../kit/stand-in/company.js';
import type { StandInDefinition } from '../kit/stand-in/stand-in.js';

export interface Place {
  readonly country: string;
  readonly state: string;
  readonly city: string;
  readonly airportCode: string;
}

export interface StandInBooking {
  readonly uuid: string;
  readonly bookingType: string;
  readonly bookingStatus: string;
  readonly created: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly [field: string]: unknown;
}

export interface TravelBookingStandInState {
  clientId: string;
  clientSecret: string;
  tokenLifetimeSeconds: number;
  /** Empty: the credential has no permission. */
  scope: string;
  /** If true, the API answers 500 with an empty body to requests without the region header. */
  isHostedInEurope: boolean;
  /** Whether the caller's address is on the credential's list. */
  isAddressAllowed: boolean;
  /** The issued tokens and their expiry times. */
  readonly tokens: Map<string, number>;
  readonly users: Record<string, unknown>[];
  readonly bookings: StandInBooking[];
}

const DAY_MS = 24 * 3600 * 1000;
const LISBON: Place = { country: 'Portugal', state: '', city: 'Lisbon', airportCode: 'LIS' };
const ROTTERDAM: Place = { country: 'Netherlands', state: '', city: 'Rotterdam', airportCode: 'RTM' };
const FRANKFURT: Place = { country: 'Germany', state: 'Hesse', city: 'Frankfurt', airportCode: 'FRA' };
const SINGAPORE: Place = { country: 'Singapore', state: '', city: 'Singapore', airportCode: 'SIN' };
const [DANA, RUI, INES, JOOST, MILA] = PEOPLE;

export const standIn: StandInDefinition<TravelBookingStandInState> = {
  define: defineTravelBookingStandIn,
  connection: (url, state) => ({
    settings: { base_url: url },
    credentials: { client_id: state.clientId, client_secret: state.clientSecret },
  }),
};

declare module '../kit/stand-in/stand-in.js' {
  interface StandInStates {
    travelBooking: TravelBookingStandInState;
  }
}

/** Routes of the travel booking platform. Rui is in Singapore this week. Dana's trip to Singapore was cancelled. */
export function defineTravelBookingStandIn(app: FastifyInstance): TravelBookingStandInState {
  const state: TravelBookingStandInState = {
    clientId: 'harbour-reed-travel',
    clientSecret: 'travel-secret',
    tokenLifetimeSeconds: 43_199,
    scope: 'bookings:read users:read',
    isHostedInEurope: false,
    isAddressAllowed: true,
    tokens: new Map(),
    users: PEOPLE.map(toUser),
    bookings: [...story(Date.now()), ...commutes(Date.now())],
  };

  app.post('/ta-auth/oauth/token', async (request, reply) => {
    if (!sendsRegion(state, request)) return reply.code(500).send('');
    if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
      return refuse(reply, 400, 'invalid_request', 'The token request must be form-encoded');
    const form = z.record(z.string(), z.string()).parse(request.body);
    if (form['grant_type'] !== 'client_credentials') return refuse(reply, 400, 'unsupported_grant_type', 'Missing grant type');
    if (form['client_id'] !== state.clientId || form['client_secret'] !== state.clientSecret)
      return refuse(reply, 401, 'invalid_client', 'Bad client credentials');
    if (!state.isAddressAllowed) return refuse(reply, 403, 'access_denied', 'IP address not allowed');
    const token = randomUUID();
    state.tokens.set(token, Date.now() + state.tokenLifetimeSeconds * 1000);
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: state.tokenLifetimeSeconds,
      scope: state.scope,
      company_uuid: COMPANY.tenantId,
      allowed_ips: null,
    };
  });

  app.get('/v1/bookings', async (request, reply) => {
    if (!mayRead(state, request, reply, 'bookings:read')) return reply;
    const query = z.record(z.string(), z.string()).parse(request.query);
    if (!query['createdFrom'] || !query['createdTo']) return refuse(reply, 400, 'bad_request', 'createdFrom and createdTo are required');
    const found = state.bookings.filter(
      (booking) =>
        isWithin(booking.created, query['createdFrom'], query['createdTo']) &&
        isWithin(booking.startDate, query['startDateFrom'], query['startDateTo']) &&
        (query['bookingStatus'] ?? booking.bookingStatus) === booking.bookingStatus &&
        (query['bookingType'] ?? booking.bookingType) === booking.bookingType,
    );
    return answerPage(reply, found, query);
  });

  app.get('/v1/users', async (request, reply) => {
    if (!mayRead(state, request, reply, 'users:read')) return reply;
    return answerPage(reply, state.users, z.record(z.string(), z.string()).parse(request.query));
  });

  app.get('/scim/v2/Users', async (request, reply) => {
    if (!mayRead(state, request, reply, 'users:read')) return reply;
    const query = z.record(z.string(), z.string()).parse(request.query);
    const named = /^userName eq "([^"]*)" or emails\.value eq "([^"]*)"$/.exec(query['filter'] ?? '');
    const found = named === null ? state.users : state.users.filter((user) => JSON.stringify(user).includes(named[1] ?? ''));
    const start = Number(query['startIndex'] ?? 1) - 1;
    return reply.send({ totalResults: found.length, Resources: found.slice(start, start + Number(query['count'] ?? 100)) });
  });

  return state;
}

function sendsRegion(state: TravelBookingStandInState, request: FastifyRequest): boolean {
  return !state.isHostedInEurope || request.headers['x-ta-region'] === 'EU';
}

function mayRead(state: TravelBookingStandInState, request: FastifyRequest, reply: FastifyReply, scope: string): boolean {
  const token = request.headers.authorization?.replace(/^bearer /i, '') ?? '';
  const endsAtMs = state.tokens.get(token) ?? 0;
  if (!sendsRegion(state, request)) reply.code(500).send('');
  else if (endsAtMs <= Date.now()) refuse(reply, 401, 'invalid_token', 'Invalid access token');
  else if (!state.isAddressAllowed) refuse(reply, 403, 'access_denied', 'IP address not allowed');
  else if (!state.scope.split(' ').includes(scope)) refuse(reply, 403, 'insufficient_scope', `The token lacks ${scope}`);
  else return true;
  return false;
}

function refuse(reply: FastifyReply, status: number, error: string, description: string): FastifyReply {
  return reply.code(status).send({ error, error_description: description });
}

function isWithin(date: string, from: string | undefined, to: string | undefined): boolean {
  const seconds = Date.parse(date) / 1000;
  return seconds >= Number(from ?? 0) && seconds <= Number(to ?? Number.MAX_SAFE_INTEGER);
}

function answerPage(reply: FastifyReply, rows: readonly unknown[], query: Record<string, string>): FastifyReply {
  const page = Number(query['page'] ?? 0);
  const size = Number(query['size'] ?? 10);
  if (!(size >= 1 && size <= 100) || !(page >= 0)) return refuse(reply, 400, 'bad_request', 'size must be between 1 and 100');
  return reply.send({
    data: rows.slice(page * size, (page + 1) * size),
    page: { totalPages: Math.ceil(rows.length / size), currentPage: page, pageSize: size, totalElements: rows.length },
  });
}

function toUser(person: Person) {
  return {
    id: person.id,
    userName: person.account,
    name: { givenName: person.givenName, familyName: person.familyName },
    emails: [{ value: person.email, primary: true }],
    active: true,
    managerEmail: person.email === JOOST.email ? null : JOOST.email,
  };
}

function toTraveller({ id, givenName, familyName, email, office }: Person) {
  return { uuid: id, name: `${givenName} ${familyName}`, email, employeedId: '', department: null, region: office, costCenter: '' };
}

export function buildBooking(
  person: Person,
  booking: {
    readonly type: string;
    readonly status: string;
    readonly from: Place;
    readonly to: Place;
    /** Midnight in UTC. */
    readonly startMs: number;
    readonly days: number;
    readonly trip?: { readonly id: string; readonly name: string };
    readonly via?: readonly Place[];
    readonly vendor?: string;
  },
): StandInBooking {
  const { startMs, days } = booking;
  const stops = [booking.from, ...(booking.via ?? []), booking.to];
  const isMoving = booking.type !== 'HOTEL';
  return {
    uuid: randomUUID(),
    bookingId: randomUUID().slice(0, 6).toUpperCase(),
    bookingType: booking.type,
    bookingStatus: booking.status,
    created: new Date(startMs - 20 * DAY_MS).toISOString(),
    lastModified: new Date(startMs - 19 * DAY_MS).toISOString(),
    cancelledAt: booking.status === 'CANCELED' ? new Date(startMs - 10 * DAY_MS).toISOString() : null,
    startDate: toDate(startMs),
    endDate: toDate(startMs + days * DAY_MS),
    vendor: booking.vendor ?? '',
    tripUuids: booking.trip ? [booking.trip.id] : [],
    tripName: booking.trip?.name ?? '',
    tripDescription: null,
    passengers: [{ travelerType: 'PASSENGER', status: 'ENABLED', person: toTraveller(person) }],
    booker: toTraveller(INES),
    origin: isMoving ? booking.from : null,
    destination: booking.to,
    segments: isMoving
      ? stops.slice(1).map((arrival, index) => ({
          startTimestamp: startMs + (8 + 6 * index) * 3600 * 1000,
          endTimestamp: startMs + (13 + 6 * index) * 3600 * 1000,
          departure: stops[index],
          arrival,
          flightNumber: booking.type === 'FLIGHT' ? `HR${100 + index}` : '',
        }))
      : null,
    paymentMethod: 'MASTERCARD 0000',
    grandTotal: 812.5,
  };
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function story(nowMs: number): StandInBooking[] {
  const today = nowMs - (nowMs % DAY_MS);
  const toSingapore = { id: '7a110000-0000-4000-8000-000000000001', name: 'Port authority of Singapore' };
  const cancelled = { id: '7a110000-0000-4000-8000-000000000002', name: 'Singapore, postponed' };
  const lastSpring = { id: '7a110000-0000-4000-8000-000000000003', name: 'Lisbon office' };
  return [
    buildBooking(RUI, {
      type: 'FLIGHT',
      status: 'TICKETED',
      from: LISBON,
      via: [FRANKFURT],
      to: SINGAPORE,
      startMs: today - 2 * DAY_MS,
      days: 1,
      trip: toSingapore,
      vendor: 'Example Air',
    }),
    buildBooking(RUI, {
      type: 'HOTEL',
      status: 'CONFIRMED',
      from: SINGAPORE,
      to: SINGAPORE,
      startMs: today - DAY_MS,
      days: 4,
      trip: toSingapore,
      vendor: 'Harbourfront Hotel',
    }),
    buildBooking(RUI, {
      type: 'FLIGHT',
      status: 'TICKETED',
      from: SINGAPORE,
      to: LISBON,
      startMs: today + 3 * DAY_MS,
      days: 1,
      trip: toSingapore,
      vendor: 'Example Air',
    }),
    buildBooking(DANA, {
      type: 'FLIGHT',
      status: 'CANCELED',
      from: ROTTERDAM,
      to: SINGAPORE,
      startMs: today - DAY_MS,
      days: 5,
      trip: cancelled,
      vendor: 'Example Air',
    }),
    buildBooking(DANA, {
      type: 'FLIGHT',
      status: 'TICKETED',
      from: ROTTERDAM,
      to: LISBON,
      startMs: today - 200 * DAY_MS,
      days: 3,
      trip: lastSpring,
      vendor: 'Example Air',
    }),
  ];
}

/** Bookings of other people, so that a list has more than one page. */
function commutes(nowMs: number): StandInBooking[] {
  const today = nowMs - (nowMs % DAY_MS);
  return Array.from({ length: 240 }, (_, index) =>
    buildBooking(index % 2 === 0 ? MILA : JOOST, {
      type: 'RAIL',
      status: 'CONFIRMED',
      from: ROTTERDAM,
      to: { country: 'Netherlands', state: '', city: 'Amsterdam', airportCode: '' },
      startMs: today - (index % 50) * DAY_MS,
      days: 0,
    }),
  );
}
