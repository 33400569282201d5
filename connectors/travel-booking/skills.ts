import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { SkillError, ThirdPartyError, UnexpectedReply } from '../../domain/connection/skill-errors.js';
import { toAccountName } from '../../domain/entity/account-name.js';
import { toRefusal } from '../kit/errors.js';
import type { HttpReply, HttpRequest, Implementation, SkillContext } from '../kit/implement.js';
import { requestWithToken, type TokenSource } from '../kit/oauth.js';
import { collectPages, omittedItem, type Page, PageSize } from '../kit/paging.js';
import { travelBooking } from './contract.js';
import { bookingCopy, userCopy } from './copies.js';
import {
  type Booking,
  chooseUser,
  chooseWindow,
  DAY_SECONDS,
  isForUser,
  isNamed,
  isSame,
  isUser,
  listNames,
  listNamesOf,
  listTrips,
  present,
  type User,
} from './trips.js';

type Context = SkillContext<typeof travelBooking>;

const PAGE_SIZE = 100;
const PAUSES_MS = [250, 500, 1000];
/** The platform can filter by time, not by traveller: the skill reads the bookings of the time and keeps the matching ones. */
const SEARCH_BYTES = 64 * 1024 * 1024;
const SEARCH_ITEMS = 1000;

/** Almost every field can be missing, null or empty. */
const maybeText = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => String(value ?? '').trim() || null);
const maybeSeconds = z.coerce
  .number()
  .nullish()
  .catch(null)
  // Times are seconds or milliseconds; a value far in the future is milliseconds.
  .transform((value) => (value ? Math.floor(value > 1e11 ? value / 1000 : value) : null));
const lenientList = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .catch(null)
    .transform((items) => items ?? []);

const PlaceReply = z
  .looseObject({ country: maybeText, state: maybeText, city: maybeText, airportCode: maybeText })
  .nullish()
  .catch(null)
  .transform((place) => {
    if (!place || !(place.country ?? place.state ?? place.city ?? place.airportCode)) return null;
    return { country: place.country, state: place.state, city: place.city, airport_code: place.airportCode };
  });
const Person = z
  .looseObject({ uuid: maybeText, name: maybeText, email: maybeText })
  .nullish()
  .catch(null)
  .transform((person) => (person ? { user_id: person.uuid, name: person.name, email: person.email } : null));
const BookingReply = z
  .looseObject({
    uuid: maybeText,
    bookingId: maybeText,
    bookingType: maybeText,
    bookingStatus: maybeText,
    created: maybeText,
    lastModified: maybeText,
    startDate: maybeText,
    endDate: maybeText,
    tripUuids: lenientList(maybeText),
    tripName: maybeText,
    vendor: maybeText,
    tripDescription: maybeText,
    passengers: lenientList(z.looseObject({ person: Person })),
    booker: Person,
    origin: PlaceReply,
    destination: PlaceReply,
    segments: lenientList(
      z.looseObject({
        startTimestamp: maybeSeconds,
        endTimestamp: maybeSeconds,
        departure: PlaceReply,
        arrival: PlaceReply,
        flightNumber: maybeText,
      }),
    ),
  })
  .transform(
    (booking): Booking => ({
      booking_uuid: booking.uuid,
      booking_id: booking.bookingId,
      type: booking.bookingType,
      status: booking.bookingStatus,
      cancelled: /^(cancel|void)/i.test(booking.bookingStatus ?? ''),
      created: booking.created,
      last_modified: booking.lastModified,
      start_date: booking.startDate,
      end_date: booking.endDate,
      trip_ids: present(booking.tripUuids),
      trip_name: booking.tripName,
      vendor: booking.vendor,
      description: booking.tripDescription,
      travellers: present(booking.passengers.map(({ person }) => person)),
      booker: booking.booker,
      origin: booking.origin,
      destination: booking.destination,
      segments: booking.segments.map((segment) => ({
        starts_at: segment.startTimestamp,
        ends_at: segment.endTimestamp,
        departure: segment.departure,
        arrival: segment.arrival,
        flight_number: segment.flightNumber,
      })),
    }),
  );

const UserReply = z
  .looseObject({
    id: maybeText,
    userName: maybeText,
    externalId: maybeText,
    email: maybeText,
    emails: lenientList(z.looseObject({ value: maybeText, primary: z.boolean().nullish().catch(null) })),
    name: z.looseObject({ givenName: maybeText, familyName: maybeText }).nullish().catch(null),
    active: z.boolean().nullish().catch(null),
    managerEmail: maybeText,
  })
  .transform((user) => ({
    user_id: user.id,
    user_name: user.userName,
    email: (user.emails.find(({ primary }) => primary) ?? user.emails[0])?.value ?? user.email,
    external_id: user.externalId,
    given_name: user.name?.givenName ?? null,
    family_name: user.name?.familyName ?? null,
    active: user.active ?? null,
    manager_email: user.managerEmail,
  }));

const Envelope = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    data: z.array(item),
    page: z.looseObject({ totalPages: z.number().nullish(), totalElements: z.number().nullish() }).nullish().catch(null),
  });
const ScimReply = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({ Resources: lenientList(item), totalResults: z.coerce.number().nullish().catch(null) });
const ErrorReply = z.looseObject({ error: maybeText, error_description: maybeText, message: maybeText });
const TokenReply = z.looseObject({ access_token: z.string().min(1), scope: z.string().nullish().catch(null) });

export const travelBookingImplementation: Implementation<typeof travelBooking> = {
  copies: [bookingCopy, userCopy],
  skills: {
    async getUsers({ email, name, max_items }, context) {
      if (name !== undefined) {
        const { user, cut } = await findUser(context, name);
        const items = user === null || (email !== undefined && !isSame(user.email, email)) ? [] : [user];
        return { items, total: items.length, cut };
      }
      const list = listUsers(context, email);
      return collectPages(0, { maxItems: max_items }, async (offset) => {
        const read = await readPage(context, list, offset);
        if (email === undefined) return read;
        return { ...read, total: null, items: read.items.filter((user) => isUser(user, email)) };
      });
    },

    async searchUserTravel(input, context) {
      const { traveller } = input;
      const window = chooseWindow(input, Math.floor(Date.now() / 1000));
      const query = { ...createdBetween(undefined, undefined), startDateFrom: window.startFrom, startDateTo: window.startTo };
      const search = async (names: readonly string[]) => {
        const list = listBookings(context, query);
        const { items, cut } = await collectPages(0, { maxItems: SEARCH_ITEMS, maxBytes: SEARCH_BYTES }, async (offset) => {
          const read = await readPage(context, list, offset);
          return { ...read, items: read.items.filter((booking) => isForUser(booking, names)) };
        });
        return { from: window.from, to: window.to, trips: listTrips(items, window), cut };
      };
      const named = listNames(input);
      const direct = named.length === 0 ? null : await search(named);
      if (traveller === undefined || (direct && direct.trips.length > 0)) return { traveller: null, ...(direct ?? (await search([]))) };
      const { user, cut } = await findTraveller(context, traveller);
      const names = listNamesOf(user);
      const found = direct && names.every((name) => named.some((each) => isSame(each, name))) ? direct : await search([...named, ...names]);
      return { traveller: user, ...found, cut: found.cut ?? cut };
    },

    async getBookings({ created_from, created_to, start_from, start_to, status, type, max_items }, context) {
      const query = {
        ...createdBetween(created_from, created_to),
        startDateFrom: start_from,
        startDateTo: start_to,
        bookingStatus: status,
        bookingType: type,
      };
      const list = listBookings(context, query);
      return collectPages(0, { maxItems: max_items }, (offset) => readPage(context, list, offset));
    },
  },

  async test(context) {
    const { getUsers, searchUserTravel, getBookings } = travelBooking.skills;
    const describePermissions = (users: boolean | null, bookings: boolean | null) => [
      { skill_id: getUsers.title, permission: null, granted: users },
      { skill_id: searchUserTravel.title, permission: searchUserTravel.permission, granted: bookings },
      { skill_id: getBookings.title, permission: getBookings.permission, granted: bookings },
    ];
    // Without the cache: an old token would hide a rotated secret.
    const { url, form } = tokenSource(context);
    const reply = await context.http.request({ method: 'POST', url, form, headers: regionHeaders(context) });
    const date = reply.headers['date'] ?? null;
    if (reply.status !== 200) {
      const error = refusal(reply);
      if (reply.status !== 401) throw error;
      return {
        credentials: { ok: false, detail: `${error.message}. ${error.resolution}` },
        permissions: describePermissions(null, null),
        date,
      };
    }
    const token = TokenReply.safeParse(reply.json()).data;
    if (!token) throw new UnexpectedReply('The reply of the token endpoint has no access token.');
    if (token.scope === '') {
      const detail = 'The credential has no scope. Ask the platform to enable the booking API for it.';
      return { credentials: { ok: false, detail }, permissions: describePermissions(false, false), date };
    }
    const probe = async ({ path, query, place }: ReadableList<unknown>) => {
      const headers = { ...regionHeaders(context), authorization: `Bearer ${token.access_token}` };
      return context.http.request({ method: 'GET', url: buildUrl(context, path), query: { ...query, ...place(0, 1) }, headers });
    };
    const isGranted = ({ status }: HttpReply) => (status === 200 ? true : status === 403 ? false : null);
    const users = await probe(listUsers(context, undefined));
    const bookings = await probe(listBookings(context, createdBetween(undefined, undefined)));
    if (bookings.status === 404) throw refusal(bookings);
    const detail = [
      'The platform issued a token for this credential.',
      ...(users.status === 404 ? [usersPathMayDiffer(context)] : []),
    ].join(' ');
    return { credentials: { ok: true, detail }, permissions: describePermissions(isGranted(users), isGranted(bookings)), date };
  },
};

/** A list of the platform: its path, its filter and its form of paging. */
interface ReadableList<Item> {
  readonly path: string;
  readonly query: NonNullable<HttpRequest['query']>;
  readonly pageSize: PageSize;
  place(offset: number, size: number): Record<string, number>;
  read(json: unknown): { data: Item[]; totalPages: number | null; total: number | null };
}

function pagedByNumber<Item>(
  { connection }: Context,
  path: string,
  query: ReadableList<Item>['query'],
  item: z.ZodType<Item>,
): ReadableList<Item> {
  return {
    path,
    query,
    pageSize: new PageSize(PAGE_SIZE, 'page', { connection, path }),
    place: (offset, size) => ({ page: Math.floor(offset / size), size }),
    read(json) {
      const { data, page } = Envelope(item).parse(json);
      return { data, totalPages: page?.totalPages ?? null, total: page?.totalElements ?? null };
    },
  };
}

// https://datatracker.ietf.org/doc/html/rfc7644#section-3.4.2.4
function pagedByScim<Item>(
  { connection }: Context,
  path: string,
  query: ReadableList<Item>['query'],
  item: z.ZodType<Item>,
): ReadableList<Item> {
  return {
    path,
    query,
    pageSize: new PageSize(PAGE_SIZE, 'offset', { connection, path }),
    place: (offset, size) => ({ startIndex: offset + 1, count: size }),
    read(json) {
      const { Resources, totalResults } = ScimReply(item).parse(json);
      return { data: Resources, totalPages: null, total: totalResults ?? null };
    },
  };
}

function listBookings(context: Context, query: ReadableList<unknown>['query']): ReadableList<Booking> {
  return pagedByNumber(context, '/v1/bookings', query, BookingReply);
}

function listUsers(context: Context, email: string | undefined): ReadableList<z.output<typeof UserReply>> {
  const { settings } = context.connection;
  if (settings.users_paging === 'page') return pagedByNumber(context, settings.users_path, {}, UserReply);
  const filter = email === undefined ? undefined : `userName eq ${JSON.stringify(email)} or emails.value eq ${JSON.stringify(email)}`;
  return pagedByScim(context, settings.users_path, { filter }, UserReply);
}

function listUsersNamed(context: Context, name: string): ReadableList<User> {
  const { settings } = context.connection;
  if (settings.users_paging === 'page') return listUsers(context, undefined);
  const account = toAccountName(name);
  const exact = ['userName', 'emails.value', 'externalId', 'id'].map((field) => `${field} eq ${JSON.stringify(name)}`);
  const begins = ['userName', 'emails.value'].map((field) => `${field} sw ${JSON.stringify(`${account}@`)}`);
  const filter = [...exact, `userName eq ${JSON.stringify(account)}`, ...begins].join(' or ');
  return pagedByScim(context, settings.users_path, { filter }, UserReply);
}

function usersPathMayDiffer({ connection: { settings } }: Context): string {
  return `${settings.users_path} does not exist: the path of the users may differ for your account. Ask the platform for it and change "Users path" of the connection.`;
}

/** Retries a page that fails or is not JSON: a missing page would look like no trips. */
async function readPage<Item>(context: Context, list: ReadableList<Item>, offset: number): Promise<Page<Item, number>> {
  const page = await list.pageSize.read(offset, (size) => readPageOfSize(context, list, offset, size));
  return page ?? omittedItem(offset + 1);
}

async function readPageOfSize<Item>(context: Context, list: ReadableList<Item>, offset: number, size: number): Promise<Page<Item, number>> {
  for (let tries = 0; ; tries++) {
    try {
      return await readPageOnce(context, list, offset, size);
    } catch (error) {
      const pauseMs = PAUSES_MS[tries];
      if (pauseMs === undefined || !(error instanceof SkillError && error.retryable)) throw error;
      await pause(pauseMs, undefined, { signal: context.signal });
    }
  }
}

async function readPageOnce<Item>(context: Context, list: ReadableList<Item>, offset: number, size: number): Promise<Page<Item, number>> {
  const { path, query, place } = list;
  const reply = await requestWithToken(context, tokenSource(context), {
    method: 'GET',
    url: buildUrl(context, path),
    query: { ...query, ...place(offset, size) },
    headers: regionHeaders(context),
  });
  if (reply.status !== 200) throw refusePage(context, reply, path);
  const { data, totalPages, total } = parsePage(reply, list);
  const end = offset + data.length;
  const isLast = totalPages !== null ? Math.floor(offset / size) + 1 >= totalPages : total !== null ? end >= total : data.length < size;
  return {
    items: data,
    // The last page before a shorter one is full, so the next offset is a multiple of the size.
    next: isLast || data.length === 0 ? null : totalPages === null ? end : offset + size,
    total,
    bytes: Buffer.byteLength(reply.text),
  };
}

function refusePage(context: Context, reply: HttpReply, path: string): ThirdPartyError {
  const error = refusal(reply);
  if (reply.status !== 404 || path !== context.connection.settings.users_path) return error;
  return new ThirdPartyError(error.code, `${error.message}. ${usersPathMayDiffer(context)}`, {
    status: reply.status,
    resolution: travelBooking.errors[404].resolution,
  });
}

function parsePage<Item>(reply: HttpReply, { read }: ReadableList<Item>) {
  try {
    return read(reply.json());
  } catch {
    throw new ThirdPartyError('Unavailable', 'The platform replied with a page that is not valid JSON.', {
      status: reply.status,
      resolution: travelBooking.errors['5xx'].resolution,
    });
  }
}

function tokenSource(context: Context): TokenSource {
  const { client_id, client_secret } = context.connection.credentials;
  return {
    url: buildUrl(context, '/ta-auth/oauth/token'),
    form: { grant_type: 'client_credentials', client_id, client_secret },
    headers: regionHeaders(context),
    refusal: (reply) => refusal(reply),
  };
}

function buildUrl(context: Context, path: string): string {
  return `${context.connection.settings.base_url}${path}`;
}

function regionHeaders({ connection }: Context): Record<string, string> {
  return connection.settings.region === 'EU' ? { 'x-ta-region': 'EU' } : {};
}

function refusal(reply: HttpReply): ThirdPartyError {
  return toRefusal(reply, travelBooking.errors, readErrorMessage(reply));
}

function readErrorMessage(reply: HttpReply): string {
  try {
    const { error_description, message, error } = ErrorReply.parse(reply.json());
    return error_description ?? message ?? error ?? '';
  } catch {
    return '';
  }
}

/** The platform requires both. */
function createdBetween(from: number | undefined, to: number | undefined) {
  return { createdFrom: from ?? 0, createdTo: to ?? Math.floor(Date.now() / 1000) + DAY_SECONDS };
}

/** A credential for bookings alone may not read the directory, and its path differs between accounts. Addresses are then compared as they are. */
async function findTraveller(context: Context, name: string): ReturnType<typeof findUser> {
  try {
    return await findUser(context, name);
  } catch (error) {
    const isWithoutDirectory = error instanceof ThirdPartyError && (error.code === 'NotPermitted' || error.status === 404);
    if (isWithoutDirectory) return { user: null, cut: null };
    throw error;
  }
}

/** The only user of the directory with this name: an address, an account with or without its domain, an id or an employee number. */
async function findUser(context: Context, name: string): Promise<{ user: User | null; cut: string | null }> {
  const { items, cut } = await collectPages(0, { maxItems: SEARCH_ITEMS, maxBytes: SEARCH_BYTES }, async (offset) => {
    const read = await readPage(context, listUsersNamed(context, name), offset);
    return { ...read, total: null, items: read.items.filter((user) => isNamed(user, name)) };
  });
  const found = chooseUser(items);
  return { ...found, cut: found.cut ?? cut };
}
