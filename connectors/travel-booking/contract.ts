import { z } from 'zod';
import type { QuestionProof, SkillQuestion } from '../../domain/playbook/planner.js';
import { defineConnector, defineSkill, listOutput, maxItems, plain, secret } from '../kit/define.js';
import { travelCards } from './card.js';

const baseUrl = z
  .string()
  .max(500)
  .refine((value) => value.startsWith('https://'), { error: 'must begin with https://', abort: true })
  .refine((value) => !value.endsWith('/'), { error: 'must not end with a slash', abort: true })
  .refine((value) => URL.canParse(value) && !/[?#@\\\s]/.test(value), {
    error: 'must contain a host, without user, query, fragment or space',
  })
  .meta({
    title: 'Base URL',
    description: 'The URL that the platform shows for the environment of the credential.',
  });

/** Forms show it as date and time. */
const epochSeconds = z.int().min(0).max(4_102_444_800).meta({ format: 'epoch-seconds' });
const email = z.string().min(3).max(320);

const Place = z.object({
  country: z.string().nullable(),
  state: z.string().nullable(),
  city: z.string().nullable(),
  airport_code: z.string().nullable(),
});

const Traveller = z.object({ user_id: z.string().nullable(), name: z.string().nullable(), email: z.string().nullable() });

/** Without payment data, which no investigation needs. */
const Booking = z.object({
  booking_uuid: z.string().nullable(),
  booking_id: z.string().nullable(),
  type: z.string().nullable(),
  status: z.string().nullable(),
  cancelled: z.boolean().describe('Cancelled or voided: it does not explain a sign-in.'),
  created: z.string().nullable(),
  last_modified: z.string().nullable(),
  start_date: z.string().nullable().describe('A local date.'),
  end_date: z.string().nullable().describe('A local date.'),
  trip_ids: z.array(z.string()),
  trip_name: z.string().nullable(),
  vendor: z.string().nullable(),
  description: z.string().nullable(),
  travellers: z.array(Traveller),
  booker: Traveller.nullable(),
  origin: Place.nullable(),
  destination: Place.nullable(),
  segments: z.array(
    z.object({
      starts_at: z.number().nullable().describe('Epoch seconds.'),
      ends_at: z.number().nullable().describe('Epoch seconds.'),
      departure: Place.nullable(),
      arrival: Place.nullable(),
      flight_number: z.string().nullable(),
    }),
  ),
});

const Trip = z.object({
  trip_id: z.string().nullable().describe('Null for a booking without a trip.'),
  name: z.string().nullable(),
  start_date: z.string().describe('The first local date of its bookings.'),
  end_date: z.string().describe('The last local date of its bookings.'),
  cancelled: z.boolean().describe('True if all its bookings are cancelled.'),
  places: z.array(Place).describe('Each place where an active booking begins, stops or ends.'),
  destinations: z
    .array(Place)
    .default([])
    .describe('The places that the active bookings lead to around the asked time, within a day. Without a time, all of them.'),
  bookings: z.array(Booking),
});

const User = z.object({
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
  email: z.string().nullable(),
  external_id: z.string().nullable().default(null).describe('The number of the employee in the directory of the company.'),
  given_name: z.string().nullable(),
  family_name: z.string().nullable(),
  active: z.boolean().nullable(),
  manager_email: z.string().nullable(),
});

/** What a user of the directory tells about an account. */
const ACCOUNTS = {
  categories: ['leaked-credential', 'insider', 'data-loss', 'cloud', 'sign-in', 'phishing'],
  identifies: { asset: 'account', path: 'items[].user_name' },
  // The records of other third parties can have any name of the person.
  leadsTo: [
    { kind: 'email', path: 'items[].email' },
    { kind: 'user', path: 'items[].user_name' },
  ],
  followsHops: false,
  proves: [
    {
      when: [{ path: 'items[].active', is: 'equals', value: 'false' }],
      points: 15,
      says: 'Account of an inactive user',
      techniques: ['T1078'],
    },
  ],
  shows: ['items[].user_name', 'items[].email', 'items[].active', 'items[].manager_email'],
  why: 'Shows whether the account belongs to an active user, the other names of the person, and who the manager is.',
} as const satisfies Omit<SkillQuestion, 'about' | 'input'>;

const explainingTrip = {
  inOne: 'trips[]',
  when: [
    { path: 'cancelled', is: 'equals', value: 'false' },
    { path: 'destinations[]', is: 'alert-place' },
    { path: 'places[]', is: 'every-alert-place' },
  ],
  fact: 'trip-explains',
} as const satisfies QuestionProof;

const missingTrip = {
  when: [
    { path: 'cut', is: 'absent' },
    { path: 'trips', is: 'alert-has-place' },
  ],
  categories: ['sign-in'],
  fact: 'no-trip',
  techniques: ['T1078'],
} as const satisfies QuestionProof;

const TRIPS = {
  categories: ['sign-in', 'insider'],
  followsHops: false,
  input: { traveller: { take: 'item' }, around: { take: 'alert-time', as: 'seconds' } },
  shows: ['trips[].name', 'trips[].start_date', 'trips[].end_date', 'trips[].places[].city'],
  why: 'A booked trip may explain a sign-in from another place.',
} as const satisfies Omit<SkillQuestion, 'about' | 'proves'>;

export const travelBooking = defineConnector({
  kind: 'travel-booking',
  title: 'Travel booking platform',
  products: ['Navan', 'TripActions'],
  icon: 'travel',
  purpose: 'Booked trips of users, to check whether a trip explains a sign-in from another place.',
  setup: [
    'Create an API credential on the admin page of the platform. Copy the client ID and the secret, which is displayed once.',
    'Ask the platform to enable the booking API and the user API for the credential.',
    'If the credential is restricted to addresses, allow the public egress addresses of this service.',
    "Copy the base URL of the credential's environment.",
  ],
  mandatoryPermissions: ['bookings:read'],
  credentials: z.object({
    client_id: plain('Client ID', 'On the API credentials page of the platform.'),
    client_secret: secret('Client Secret', 'The platform calls it Secret Key and displays it once.'),
  }),
  settings: z.object({
    base_url: baseUrl,
    region: z
      .string()
      .max(10)
      .toUpperCase()
      .pipe(z.enum(['US', 'EU']))
      .optional()
      .meta({ title: 'Region', description: 'EU if the platform hosts your company in Europe. Otherwise leave it blank.' }),
    users_path: z
      .string()
      .max(200)
      .regex(/^\/[\w./-]*$/, 'must begin with / and have no query')
      .default('/v1/users')
      .meta({ title: 'Users path', description: 'The path of the user list. It differs between accounts: ask the platform.' }),
    users_paging: z
      .enum(['page', 'scim'])
      .default('page')
      .meta({ title: 'Users paging', description: 'page: parameters page and size. scim: parameters startIndex and count.' }),
  }),
  presets: [
    { title: 'Navan', settings: { base_url: 'https://api.navan.com', users_path: '/v1/users', users_paging: 'page' } },
    {
      title: 'Navan, users over SCIM',
      settings: { base_url: 'https://api.navan.com', users_path: '/scim/v2/Users', users_paging: 'scim' },
    },
  ],
  rotation: { days: 90, advice: 'Replace the secret every 90 days.' },
  routable: false,
  requestsPerMinute: 300,
  errors: {
    400: {
      cause: 'Missing parameter, malformed request or wrong content type',
      resolution: 'Check the request. A token request must be form-encoded.',
    },
    401: {
      cause: 'Wrong credentials, rotated secret or expired token',
      resolution: 'Request a new token. The service does this. If it persists, reconnect with the current Client ID and Client Secret.',
    },
    403: {
      cause: 'API not enabled, insufficient permission, or IP allowlist mismatch',
      resolution: 'Ask the platform to enable the API product for this credential and to allow our public egress addresses.',
    },
    404: {
      cause: 'Wrong base URL or endpoint',
      resolution: 'Take the base URL from the platform, for the environment of this credential.',
    },
    429: {
      cause: 'Request limit exceeded',
      resolution: 'Honor the Retry-After header and use bounded exponential backoff. The service does this.',
    },
    '5xx': {
      cause: 'Temporary platform issue',
      resolution: 'Retry with bounded backoff. The service does this. If it persists, check the region: EU hosts fail without it.',
    },
  },
  hosts: (settings) => [{ purpose: 'API and token', url: settings.base_url }],
  cards: travelCards,
  ownNames: { people: ['lax $.items[*].email'] },
  skills: {
    getUsers: defineSkill({
      title: 'Get Users',
      purpose: 'Lists the users of the company, to identify travellers and bookers.',
      effect: 'read',
      call: 'GET /v1/users',
      timeoutSeconds: 90,
      reuseSeconds: 900,
      answers: [
        {
          about: 'email',
          ...ACCOUNTS,
          input: { email: { take: 'item' }, max_items: { take: 'value', value: 5 } },
        },
        {
          about: 'user',
          only: 'account',
          ...ACCOUNTS,
          input: { name: { take: 'item' }, max_items: { take: 'value', value: 5 } },
        },
      ],
      input: z.object({
        email: email.optional().describe('Only the user with this email address.'),
        name: z
          .string()
          .min(1)
          .max(320)
          .optional()
          .describe('Only the user with this account name, address, id or employee number. No user if several have it.'),
        max_items: maxItems,
      }),
      output: listOutput(User),
    }),
    searchUserTravel: defineSkill({
      title: 'Search User Travel',
      purpose: "Lists a traveller's bookings around a time, grouped by trip.",
      effect: 'read',
      call: 'GET /v1/bookings',
      permission: 'bookings:read',
      timeoutSeconds: 120,
      answers: [
        { about: 'email', only: 'person', ...TRIPS, proves: [explainingTrip, missingTrip] },
        {
          about: 'user',
          only: 'account',
          ...TRIPS,
          // A name that the directory does not have proves no absence of a trip.
          proves: [explainingTrip, { ...missingTrip, when: [...missingTrip.when, { path: 'traveller', is: 'present' }] }],
        },
      ],
      input: z
        .object({
          email: email.optional().describe('The email address of the traveller.'),
          user_id: z
            .string()
            .min(1)
            .max(200)
            .optional()
            .describe('The id of the traveller. With an email address, a match of either is enough.'),
          traveller: z
            .string()
            .min(1)
            .max(320)
            .optional()
            .describe(
              'Any name of the traveller: an address, an account, an id or an employee number. The directory of the platform has the others.',
            ),
          around: epochSeconds
            .optional()
            .describe('Trips within two days of this time. Without any time: from 90 days ago to a year from now.'),
          from: epochSeconds.optional().describe('Trips that end at this time or later.'),
          to: epochSeconds.optional().describe('Trips that begin at this time or earlier.'),
        })
        .refine(({ email, user_id, traveller }) => [email, user_id, traveller].some((name) => name !== undefined), {
          error: 'enter email, user_id or traveller',
        })
        .refine(({ from, to }) => (from === undefined) === (to === undefined) && (from ?? 0) <= (to ?? 0), {
          error: 'enter both from and to, with from before to',
        })
        .refine(({ around, from }) => around === undefined || from === undefined, { error: 'enter either around, or from and to' }),
      output: z.object({
        from: z.number().describe('The start of the searched period, in epoch seconds.'),
        to: z.number(),
        traveller: User.nullable()
          .default(null)
          .describe('The user whom the directory has under the name; null if it has none or several, or if it was not asked.'),
        trips: z.array(Trip).describe('Sorted by start date.'),
        cut: z.string().nullable().describe('Why the list may be incomplete; null if it is complete.'),
      }),
    }),
    getBookings: defineSkill({
      title: 'Get Bookings',
      purpose: 'Lists bookings for verification, reconciliation and reporting.',
      effect: 'read',
      call: 'GET /v1/bookings',
      permission: 'bookings:read',
      timeoutSeconds: 90,
      input: z
        .object({
          created_from: epochSeconds.optional().describe('Booked at this time or later.'),
          created_to: epochSeconds.optional().describe('Booked at this time or earlier.'),
          start_from: epochSeconds.optional().describe('Travel begins at this time or later.'),
          start_to: epochSeconds.optional().describe('Travel begins at this time or earlier.'),
          status: z.string().min(1).max(50).optional().describe('CONFIRMED, TICKETED, ACCEPTED, CANCELED or VOIDED.'),
          type: z.string().min(1).max(50).optional().describe('HOTEL, FLIGHT, CAR, RAIL, TRANSPORTATION or BLACK_CAR.'),
          max_items: maxItems,
        })
        .refine(({ created_from, created_to }) => (created_from === undefined) === (created_to === undefined), {
          error: 'enter both created_from and created_to',
        }),
      output: listOutput(Booking),
    }),
  },
});
