import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { createAuthority, type Fault, type RecordedRequest, type StandIn, startStandIn } from '../../connectors/kit/stand-in/stand-in.js';
import { travelBooking } from '../../connectors/travel-booking/contract.js';
import { travelBookingImplementation } from '../../connectors/travel-booking/skills.js';
import { defineTravelBookingStandIn, type TravelBookingStandInState } from '../../connectors/travel-booking/stand-in.js';
import { readRecordedReplies } from '../support/recorded-replies.js';
import { contextFor, perform, refused } from '../support/third-parties.js';
import { waitFor } from '../support/wait-for.js';

const recorded = readRecordedReplies('travel-booking');
const fixture = recorded.json;

const [DANA, RUI] = PEOPLE;
const isToken = ({ url }: RecordedRequest) => url.startsWith('/ta-auth/');
const isApi = ({ url }: RecordedRequest) => url.startsWith('/v1/');
const nowSeconds = () => Math.floor(Date.now() / 1000);
const parseQuery = ({ url }: RecordedRequest) => new URL(url, 'https://stand-in.example').searchParams;

describe('travel booking', () => {
  let standIn: StandIn<TravelBookingStandInState>;
  let pristine: TravelBookingStandInState;

  beforeAll(async () => {
    standIn = await startStandIn({ authority: await createAuthority(), define: defineTravelBookingStandIn });
    pristine = { ...standIn.state };
  });
  afterAll(() => standIn.stop());
  beforeEach(() => {
    standIn.requests.length = 0;
  });
  afterEach(() => {
    Object.assign(standIn.state, pristine);
    standIn.faults.clear();
  });

  type Given = { secret?: string; region?: string; signal?: AbortSignal; users?: { users_path: string; users_paging: 'page' | 'scim' } };
  function context(given: Given = {}) {
    return contextFor(travelBooking, standIn, {
      settings: { base_url: standIn.url, ...(given.region ? { region: given.region } : {}), ...given.users },
      credentials: { client_id: 'harbour-reed-travel', client_secret: given.secret ?? 'travel-secret' },
      ...(given.signal ? { signal: given.signal } : {}),
    });
  }
  const run = <Verb extends keyof typeof travelBooking.skills>(
    verb: Verb,
    input: Parameters<typeof perform<typeof travelBooking, Verb>>[3],
    given?: Parameters<typeof context>[0],
  ) => perform(travelBooking, travelBookingImplementation, verb, input, context(given));

  describe('the base URL', () => {
    it.each([
      ['http://api.travel.example', 'must begin with https://'],
      ['api.travel.example', 'must begin with https://'],
      ['https://api.travel.example/', 'must not end with a slash'],
      ['https://api.travel.example/v1/', 'must not end with a slash'],
      ['https://user@api.travel.example', 'must contain a host, without user, query, fragment or space'],
      ['https://api.travel.example?x=1', 'must contain a host, without user, query, fragment or space'],
      ['https://api travel.example', 'must contain a host, without user, query, fragment or space'],
    ])('%s: %s', (base_url, message) => {
      const parsed = travelBooking.settings.safeParse({ base_url });
      expect(parsed.error?.issues.map((issue) => issue.message)).toEqual([message]);
    });

    it('is accepted in the format that the platform shows', () => {
      expect(travelBooking.settings.parse({ base_url: 'https://eu.travel.example/sandbox', region: 'eu' })).toEqual({
        base_url: 'https://eu.travel.example/sandbox',
        region: 'EU',
        users_path: '/v1/users',
        users_paging: 'page',
      });
      expect(travelBooking.settings.safeParse({ base_url: 'https://travel.example', region: 'mars' }).success).toBe(false);
      expect(travelBooking.hosts(travelBooking.settings.parse({ base_url: 'https://travel.example' }))).toEqual([
        { purpose: 'API and token', url: 'https://travel.example' },
      ]);
    });
  });

  describe('Get Users', () => {
    it('returns the users of the company, or the user with an email address', async () => {
      const { items, total, cut } = await run('getUsers', {});
      expect(items.map(({ email }) => email)).toEqual(PEOPLE.map(({ email }) => email));
      expect(items[1]).toEqual({
        user_id: RUI.id,
        user_name: 'rui.matos',
        email: RUI.email,
        external_id: null,
        given_name: 'Rui',
        family_name: 'Matos',
        active: true,
        manager_email: 'joost.bakker@harbour-reed.example',
      });
      expect({ total, cut }).toEqual({ total: PEOPLE.length, cut: null });
      const one = await run('getUsers', { email: RUI.email.toUpperCase() });
      expect(one.items.map(({ user_id }) => user_id)).toEqual([RUI.id]);
    });

    it('reads the users at another path with SCIM paging, and lets the third party filter', async () => {
      const users = { users_path: '/scim/v2/Users', users_paging: 'scim' } as const;
      const { items, total, cut } = await run('getUsers', {}, { users });
      expect(items.map(({ email }) => email)).toEqual(PEOPLE.map(({ email }) => email));
      expect({ total, cut }).toEqual({ total: PEOPLE.length, cut: null });
      const one = await run('getUsers', { email: RUI.email }, { users });
      expect(one.items.map(({ user_id }) => user_id)).toEqual([RUI.id]);
      const [asked] = standIn.requests.slice(-1);
      expect(asked && parseQuery(asked).get('filter')).toBe(`userName eq "${RUI.email}" or emails.value eq "${RUI.email}"`);
    });

    it.each([
      ['an account', 'rui.matos'],
      ['an account with its domain', 'HARBOUR\\rui.matos'],
      ['an address in another case', RUI.email.toUpperCase()],
      ['an id', RUI.id],
      ['an employee number', '7104037'],
    ])('finds the user with %s', async (_, name) => {
      Object.assign(standIn.state.users.find(({ id }) => id === RUI.id) ?? {}, { externalId: '7104037' });
      for (const users of [undefined, { users_path: '/scim/v2/Users', users_paging: 'scim' } as const]) {
        const { items } = await run('getUsers', { name }, users && { users });
        expect(items.map(({ user_id }) => user_id)).toEqual([RUI.id]);
      }
    });

    it('finds nobody under a name that several users have, and says so', async () => {
      standIn.state.users.push({ id: 'other', userName: 'rui.matos@other.example', emails: [], active: true });
      expect(await run('getUsers', { name: 'rui.matos' })).toMatchObject({
        items: [],
        cut: 'Several users of the platform have this name.',
      });
      standIn.state.users.pop();
    });

    it('says that the path may differ if it does not exist', async () => {
      const users = { users_path: '/v2/people', users_paging: 'page' } as const;
      expect(await refused(run('getUsers', {}, { users }))).toMatchObject({
        code: 'Misconfigured',
        message: expect.stringMatching(/\/v2\/people does not exist: the path of the users may differ.*"Users path"/),
      });
      const { credentials } = await travelBookingImplementation.test(context({ users }));
      expect(credentials).toEqual({ ok: true, detail: expect.stringContaining('the path of the users may differ') });
    });
  });

  it('reads a page that is too large again in smaller pages, and leaves out an item that is too large alone', async () => {
    const whole = await run('getUsers', {});
    // The third user is too large: every page that contains it is.
    const contains = (request: RecordedRequest) => {
      const [page, size] = [Number(parseQuery(request).get('page')), Number(parseQuery(request).get('size'))];
      return request.url.startsWith('/v1/users') && page * size <= 2 && (page + 1) * size > 2;
    };
    standIn.faults.next({ match: contains, hugeBytes: 9 * 1024 * 1024, times: 100 });
    const { items, cut } = await run('getUsers', {});
    expect(items).toEqual(whole.items.filter((_, index) => index !== 2));
    expect(cut).toBe('Left out 1 of the items: each is too large to read.');
  });

  describe('Get Bookings', () => {
    it('reads all pages of a hundred with one token and always sends both creation bounds', async () => {
      const { items, total, cut } = await run('getBookings', {});
      expect({ items: items.length, total, cut }).toEqual({ items: 245, total: 245, cut: null });
      expect(new Set(items.map(({ booking_uuid }) => booking_uuid)).size).toBe(245);
      const pages = standIn.requests.filter(isApi).map((request) => Object.fromEntries(parseQuery(request)));
      expect(pages.map(({ page, size }) => `${page} of ${size}`)).toEqual(['0 of 100', '1 of 100', '2 of 100']);
      for (const { createdFrom, createdTo } of pages) expect([createdFrom, Number(createdTo) > nowSeconds()]).toEqual(['0', true]);
      const [token, ...others] = standIn.requests.filter(isToken);
      expect(others).toEqual([]);
      expect(token?.headers['content-type']).toBe('application/x-www-form-urlencoded');
      expect(token?.body).toEqual({ grant_type: 'client_credentials', client_id: 'harbour-reed-travel', client_secret: 'travel-secret' });
    });

    it('filters by time, status and type, and omits prices', async () => {
      const { items } = await run('getBookings', { start_from: nowSeconds() - 86_400 * 10, type: 'FLIGHT', status: 'CANCELED' });
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({ cancelled: true, destination: { city: 'Singapore' }, travellers: [{ email: DANA.email }] });
      expect(JSON.stringify(items)).not.toMatch(/MASTERCARD|812\.5/);
      const created = await run('getBookings', { created_from: 5, created_to: 6 });
      expect(created.items).toEqual([]);
      expect(parseQuery(standIn.requests.at(-1) as RecordedRequest).get('createdTo')).toBe('6');
    });

    it('reports that the list is truncated', async () => {
      const { items, cut } = await run('getBookings', { max_items: 120 });
      expect(items).toHaveLength(120);
      expect(cut).toContain('120');
    });

    it('rejects one creation bound without the other', () => {
      const parsed = travelBooking.skills.getBookings.input.safeParse({ created_from: 1 });
      expect(parsed.error?.issues[0]?.message).toBe('enter both created_from and created_to');
    });

    it.each<[string, Fault]>([
      ['returns 500', { status: 500, body: '' }],
      ['is not JSON', { status: 200, body: '<html>Just a moment</html>' }],
      ['has no data', { status: 200, body: {} }],
      ['fails with a connection reset', { reset: true }],
    ])('reads a page again that %s', async (_, fault) => {
      standIn.faults.next({ ...fault, match: ({ url }) => url.includes('page=1'), times: 2 });
      const { items } = await run('getBookings', {});
      expect(items).toHaveLength(245);
    });

    it('fails with a retryable error after three more attempts instead of skipping a page', async () => {
      standIn.faults.next({ status: 200, body: 'nothing', match: ({ url }) => url.includes('page=1'), times: 10 });
      const error = await refused(run('getBookings', {}));
      expect(error).toMatchObject({ code: 'Unavailable', retryable: true, resolution: expect.stringContaining('bounded backoff') });
      expect(standIn.requests.filter(({ url }) => url.includes('page=1'))).toHaveLength(4);
    });

    it('stops its attempts when the activity attempt ends', async () => {
      const attempt = new AbortController();
      standIn.faults.next({ status: 500, match: isApi, times: 10 });
      const work = run('getBookings', {}, { signal: attempt.signal });
      await waitFor('the first attempt', async () => standIn.requests.some(isApi));
      attempt.abort();
      await expect(work).rejects.toThrow();
    });
  });

  describe('Search User Travel', () => {
    it('explains the sign-in from Singapore by a trip of three bookings', async () => {
      const { trips, cut } = await run('searchUserTravel', { email: RUI.email.toUpperCase(), around: nowSeconds() });
      expect(cut).toBeNull();
      expect(trips).toHaveLength(1);
      expect(trips[0]).toMatchObject({ name: 'Port authority of Singapore', cancelled: false });
      expect(trips[0]?.bookings.map(({ type }) => type)).toEqual(['FLIGHT', 'HOTEL', 'FLIGHT']);
      expect(trips[0]?.places.map(({ city }) => city)).toEqual(['Lisbon', 'Frankfurt', 'Singapore']);
      const [segment] = trips[0]?.bookings[0]?.segments ?? [];
      expect(Math.abs((segment?.starts_at ?? 0) - nowSeconds())).toBeLessThan(3 * 86_400);
    });

    it.each([
      ['the account', 'HARBOUR\\rui.matos'],
      ['another address of the directory', 'rui.matos@login.example'],
    ])('finds the trip by %s', async (_, traveller) => {
      Object.assign(standIn.state, {
        users: pristine.users.map((user) => (user['id'] === RUI.id ? { ...user, userName: traveller.split('\\').at(-1) } : user)),
      });
      const found = await run('searchUserTravel', { traveller, around: nowSeconds() });
      expect(found.trips.map(({ name }) => name)).toEqual(['Port authority of Singapore']);
      expect(found.traveller?.email).toBe(RUI.email);
    });

    it('finds no traveller under a name that the directory does not have, or that it may not read', async () => {
      expect(await run('searchUserTravel', { traveller: 'nobody', around: nowSeconds() })).toMatchObject({
        traveller: null,
        trips: [],
        cut: null,
      });
      standIn.state.scope = 'bookings:read';
      expect(await run('searchUserTravel', { traveller: 'rui.matos', around: nowSeconds() })).toMatchObject({ traveller: null, trips: [] });
      const users = { users_path: '/v2/people', users_paging: 'page' } as const;
      expect(await run('searchUserTravel', { traveller: 'rui.matos', around: nowSeconds() }, { users })).toMatchObject({ traveller: null });
      expect((await run('searchUserTravel', { traveller: RUI.email, around: nowSeconds() })).trips).toHaveLength(1);
    });

    it('says where the legs of the trip lead at the time', async () => {
      const [to] = standIn.state.bookings.filter(({ tripName }) => tripName === 'Port authority of Singapore');
      const on = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      const leg = (uuid: string, city: string, start: number, end: number) => ({
        ...to,
        uuid,
        origin: null,
        destination: { country: '', state: '', city, airportCode: '' },
        segments: null,
        startDate: on(start),
        endDate: on(end),
      });
      const bookings = [leg('1', 'Lisbon', -9, -5), leg('2', 'Madrid', -5, -1), leg('3', 'Zurich', -1, 3)];
      Object.assign(standIn.state, { bookings });
      const placesAt = async (days: number) => {
        const { trips } = await run('searchUserTravel', { email: RUI.email, around: nowSeconds() + days * 86_400 });
        return trips[0]?.destinations.map(({ city }) => city);
      };
      expect(await placesAt(1)).toEqual(['Zurich']);
      expect(await placesAt(-3)).toEqual(['Madrid']);
      expect(await placesAt(-8)).toEqual(['Lisbon']);
    });

    it('finds a trip between two bookings that are far apart', async () => {
      const fortnight = pristine.bookings.filter(({ tripName }) => tripName === 'Port authority of Singapore');
      const far = fortnight.map((booking, index) => {
        const startDate = new Date(Date.now() + (index * 14 - 14) * 86_400_000).toISOString().slice(0, 10);
        return { ...booking, startDate, endDate: startDate };
      });
      Object.assign(standIn.state, { bookings: [far[0], far[2]] });
      const { trips } = await run('searchUserTravel', { user_id: RUI.id, around: nowSeconds() });
      expect(trips.map(({ bookings }) => bookings.length)).toEqual([2]);
    });

    it('reports a cancelled trip and finds none at another time', async () => {
      const now = await run('searchUserTravel', { user_id: DANA.id, around: nowSeconds() });
      expect(now.trips.map(({ name, cancelled }) => ({ name, cancelled }))).toEqual([{ name: 'Singapore, postponed', cancelled: true }]);
      const past = nowSeconds() - 199 * 86_400;
      const then = await run('searchUserTravel', { email: DANA.email, from: past, to: past });
      expect(then.trips.map(({ name }) => name)).toEqual(['Lisbon office']);
      const never = await run('searchUserTravel', { email: RUI.email, around: nowSeconds() - 30 * 86_400 });
      expect(never.trips).toEqual([]);
    });

    it('returns bookings without a trip separately', async () => {
      const mila = PEOPLE[4];
      const { trips } = await run('searchUserTravel', { email: mila.email, around: nowSeconds() });
      expect(trips.length).toBeGreaterThan(1);
      for (const trip of trips) expect({ id: trip.trip_id, bookings: trip.bookings.length }).toEqual({ id: null, bookings: 1 });
      expect(trips.map(({ start_date }) => start_date)).toEqual(trips.map(({ start_date }) => start_date).sort());
    });

    it('searches from 90 days ago to a year ahead without a time, and filters by time at the third party', async () => {
      const { from, to, trips } = await run('searchUserTravel', { email: DANA.email });
      expect(from).toBeLessThanOrEqual(nowSeconds() - 90 * 86_400);
      expect(to).toBeGreaterThan(nowSeconds() + 364 * 86_400);
      expect(trips.map(({ name }) => name)).toContain('Singapore, postponed');
      expect(trips.map(({ name }) => name)).not.toContain('Lisbon office');
      const [asked] = standIn.requests.filter(({ url }) => url.startsWith('/v1/bookings'));
      expect(asked && Number(parseQuery(asked).get('startDateFrom'))).toBeGreaterThan(nowSeconds() - 160 * 86_400);
    });

    it.each([
      [{ around: 1 }, 'enter email, user_id or traveller'],
      [{ email: 'a@b.example', around: 1, from: 1, to: 2 }, 'enter either around, or from and to'],
      [{ email: 'a@b.example', from: 1 }, 'enter both from and to, with from before to'],
      [{ email: 'a@b.example', from: 2, to: 1 }, 'enter both from and to, with from before to'],
    ])('rejects %o: %s', (input, message) => {
      const parsed = travelBooking.skills.searchUserTravel.input.safeParse(input);
      expect(parsed.error?.issues.map((issue) => issue.message)).toContain(message);
    });
  });

  describe('errors', () => {
    it.each([
      [400, 'BadRequest', 'must be form-encoded'],
      [401, 'CredentialsRejected', 'Request a new token'],
      [403, 'NotPermitted', 'enable the API product'],
      [404, 'Misconfigured', 'Take the base URL from the platform'],
      [429, 'RateLimited', 'Honor the Retry-After header'],
      [500, 'Unavailable', 'Retry with bounded backoff'],
      [502, 'Unavailable', 'Retry with bounded backoff'],
    ])('maps %i to %s with a resolution', async (status, code, resolution) => {
      standIn.faults.next({ status, body: { error: 'x', error_description: 'as it says' }, match: isApi, times: 10 });
      const error = await refused(run('getUsers', {}));
      expect(error).toMatchObject({
        code,
        status,
        resolution: expect.stringContaining(resolution),
        message: expect.stringContaining('as it says'),
      });
      expect(error.retryable).toBe(status >= 500);
    });

    it('reads the retry delay of a 429 and does not retry before', async () => {
      standIn.faults.next({ status: 429, headers: { 'retry-after': '17' }, body: '', match: isApi });
      expect(await refused(run('getUsers', {}))).toMatchObject({ code: 'RateLimited', retryAfterSeconds: 17 });
      expect(standIn.requests.filter(isApi)).toHaveLength(1);
    });

    it('names a wrong secret at the token request and omits it from the message', async () => {
      standIn.faults.next({ status: 401, body: { error: 'invalid_client', error_description: 'not not-my-secret' }, match: isToken });
      const error = await refused(run('getUsers', {}, { secret: 'not-my-secret' }));
      expect(error).toMatchObject({ code: 'CredentialsRejected', status: 401 });
      expect(error.message).not.toContain('not-my-secret');
      expect(standIn.requests.filter(isApi)).toEqual([]);
    });

    it('replaces an expired token once', async () => {
      const same = context();
      await travelBookingImplementation.skills.getUsers({ max_items: 1 }, same);
      standIn.state.tokens.clear();
      await travelBookingImplementation.skills.getUsers({ max_items: 1 }, same);
      expect(standIn.requests.map(({ url }) => url.split('?')[0])).toEqual([
        '/ta-auth/oauth/token',
        '/v1/users',
        '/v1/users',
        '/ta-auth/oauth/token',
        '/v1/users',
      ]);
    });
  });

  describe('a company hosted in Europe', () => {
    beforeEach(() => {
      standIn.state.isHostedInEurope = true;
    });

    it('receives its region with every request', async () => {
      await run('getUsers', {}, { region: 'eu' });
      expect(standIn.requests.map(({ headers }) => headers['x-ta-region'])).toEqual(['EU', 'EU']);
    });

    it('responds with 500 without the region, and the resolution names the setting', async () => {
      const error = await refused(run('getUsers', {}));
      expect(error).toMatchObject({ code: 'Unavailable', status: 500, resolution: expect.stringContaining('check the region') });
    });
  });

  describe('the connection test', () => {
    const test = (given?: Parameters<typeof context>[0]) => travelBookingImplementation.test(context(given));
    const granted = (result: Awaited<ReturnType<typeof test>>) =>
      Object.fromEntries(result.permissions.map((permission) => [permission.skill_id, permission.granted]));

    it('passes with valid credentials and all permissions', async () => {
      const result = await test();
      expect(result.credentials.ok).toBe(true);
      expect(granted(result)).toEqual({ 'Get Users': true, 'Search User Travel': true, 'Get Bookings': true });
      expect(Date.parse(result.date ?? '')).toBeGreaterThan(0);
    });

    it('reports a credential without scopes', async () => {
      standIn.state.scope = '';
      const result = await test();
      expect(result.credentials).toEqual({ ok: false, detail: expect.stringContaining('has no scope') });
      expect(granted(result)).toEqual({ 'Get Users': false, 'Search User Travel': false, 'Get Bookings': false });
    });

    it('reports the skill that lacks a permission', async () => {
      standIn.state.scope = 'bookings:read';
      expect(granted(await test())).toEqual({ 'Get Users': false, 'Search User Travel': true, 'Get Bookings': true });
    });

    it('reports a wrong secret although a cached token is valid', async () => {
      const same = context();
      await travelBookingImplementation.skills.getUsers({ max_items: 1 }, same);
      standIn.state.clientSecret = 'rotated';
      const result = await travelBookingImplementation.test(same);
      expect(result.credentials).toEqual({ ok: false, detail: expect.stringMatching(/rotated secret.*reconnect/) });
    });

    it('fails when our address is not on the allowlist, because a new secret does not help', async () => {
      standIn.state.isAddressAllowed = false;
      expect(await refused(test())).toMatchObject({ code: 'NotPermitted', message: expect.stringContaining('IP allowlist mismatch') });
    });

    it('fails when the base URL does not lead to the bookings', async () => {
      standIn.faults.next({ status: 404, body: '', match: ({ url }) => url.startsWith('/v1/bookings') });
      expect(await refused(test())).toMatchObject({ code: 'Misconfigured', message: expect.stringContaining('Wrong base URL') });
    });

    it('fails when the platform fails', async () => {
      standIn.faults.next({ status: 503, body: '', match: isToken });
      expect(await refused(test())).toMatchObject({ code: 'Unavailable', status: 503 });
    });
  });

  describe.skipIf(recorded.names.length === 0)('responses of the public product', () => {
    it('parses a booking', async () => {
      standIn.faults.next({ body: fixture('token-200.json'), match: isToken });
      standIn.faults.next({ body: fixture('list-bookings-composite.json'), match: isApi });
      standIn.faults.next({ body: { data: [fixture('booking-record-flight.json')] }, match: isApi });
      const { items, total } = await run('getBookings', {});
      expect({ items: items.length, total }).toEqual({ items: 2, total: 2 });
      expect(items[0]).toEqual(items[1]);
      expect(items[0]).toMatchObject({
        booking_id: 'ABCDEF',
        status: 'TICKETED',
        cancelled: false,
        start_date: '2018-09-23',
        trip_ids: ['ecfeb448-5b43-49d0-930c-858b6e1dc156'],
        travellers: [{ email: 'traveler@example.com', name: 'Sample Traveler' }],
        destination: { country: 'Estonia', state: null, city: 'Tallinn', airport_code: null },
        segments: [],
      });
    });

    it('parses a rejected token', async () => {
      standIn.faults.next({ status: 401, body: fixture('token-401.json'), match: isToken });
      expect(await refused(run('getUsers', {}))).toMatchObject({
        code: 'CredentialsRejected',
        message: expect.stringContaining('Bad client'),
      });
    });
  });
});
