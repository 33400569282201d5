import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../api/server.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { freePort } from '../../local/ports.js';
import type { CreatedApiKey } from '../../services/api-keys/wire.js';
import type { Session } from '../../services/sessions/wire.js';
import type { User } from '../../services/users/wire.js';
import { CookieJar } from '../support/cookie-jar.js';
import { type ProviderUser, startIdentityProvider } from '../support/identity-provider.js';
import { log, startTestService, type TestService } from '../support/service.js';
import { storeConnection } from '../support/stored-connection.js';
import { inviteAndJoin, PASSWORD, signInWithPassword } from '../support/users.js';
import { readAllPages } from './support/http.js';
import { createOrganization, investigate, proposeIsolation } from './support/records.js';

const START = '/platformapi/session/provider';
const CALLBACK = `${START}/callback`;

let service: TestService;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startIdentityProvider(`${publicUrl}${CALLBACK}`);
  service = await startTestService({
    worker: false,
    env: { PORT: String(port), PUBLIC_URL: publicUrl, TRUSTED_PROXIES: '127.0.0.1', ...provider.env },
  });
  await createOrganization(service, 'OTHER');
  await map('groups', 'soc', 'analyst', 'DEMO');
  await map('groups', 'soc-leads', 'admin', 'DEMO');
  await map('groups', 'soc-other', 'analyst', 'OTHER');
});
beforeEach(() => {
  Object.assign(provider.state, { user: null, signsWithOtherKey: false, metadataIssuer: null });
  provider.state.changeClaims = (claims) => claims;
});
afterAll(async () => {
  await service?.stop();
  await provider?.stop();
});

const map = (claim: string, value: string, role: string, organization_code: string | null) =>
  service.request<{ mapping_uuid: string }>('POST', '/platformapi/claim-mappings', { body: { claim, value, role, organization_code } });

let lastSub = 0;
const person = (groups: readonly string[], more: Partial<ProviderUser> = {}): ProviderUser => {
  lastSub += 1;
  return { sub: `subject-${lastSub}`, name: `Person ${lastSub}`, email: `p${lastSub}@corp.example`, groups, ...more };
};

const isBack = (url: string) => url.startsWith(service.url) && !url.includes(START);
/** Signs in as this person. Returns the page that the browser reaches, and its session. */
async function signIn(user: ProviderUser | null, { jar = new CookieJar(), to = '/' }: { jar?: CookieJar; to?: string } = {}) {
  provider.state.user = user;
  const reached = await jar.follow(`${service.url}${START}?to=${encodeURIComponent(to)}`, isBack);
  return { page: reached.slice(service.url.length), session: jar.cookie(service.url, 'Session') ?? null };
}
/** Stops before the browser returns to the service. */
async function stopAtCallback(user: ProviderUser, jar: CookieJar): Promise<string> {
  provider.state.user = user;
  return jar.follow(`${service.url}${START}`, (url) => url.includes(CALLBACK));
}
const read = (key: string | null) => service.request<Session>('GET', '/platformapi/session', { key });
const refused = { page: '/sign-in?failure=refused', session: null };

describe('the sign-in with an identity provider', () => {
  it('creates the account at the first sign-in, with the roles of its groups', async () => {
    const dana = person(['soc', 'soc-leads', 'unrelated', 'soc-other'], { name: 'Dana Corp' });
    const first = await signIn(dana, { to: '/alerts?status=20' });
    expect(first.page).toBe('/alerts?status=20');
    const { body } = await read(first.session);
    expect(body).toMatchObject({ name: 'Dana Corp', key_uuid: null });
    expect(body.memberships.map(({ organization_code, role }) => `${organization_code} ${role}`).sort()).toEqual([
      'DEMO admin',
      'OTHER analyst',
    ]);
    const second = await signIn(dana);
    expect((await read(second.session)).body.user_uuid).toBe(body.user_uuid);
    const users = await readAllPages<User>(service, '/platformapi/users', { limit: 50 });
    expect(users.filter(({ email }) => email === dana.email)).toMatchObject([{ is_local: false, name: 'Dana Corp' }]);
  });

  it('does not take over the account of a local user with the same address or name', async () => {
    const local = await inviteAndJoin(service, 'admin');
    const { session } = await signIn(person(['soc'], { name: local.name, email: local.email }));
    const { body } = await read(session);
    expect(body.user_uuid).not.toBe(local.userUuid);
    expect(body).toMatchObject({ role: 'analyst', name: `${local.name} (${local.email})` });
    expect((await signInWithPassword(service, local.email, PASSWORD)).body).toMatchObject({ user_uuid: local.userUuid });
  });

  it('does not make a second person of somebody who has a local account with the same address', async () => {
    const connectionId = await storeConnection(service.database.db, { name: 'Endpoints', needsSecondPerson: true });
    const alert = await service.sendAlert();
    await investigate(service, alert);
    const proposalId = await proposeIsolation(service, alert.alert_id, connectionId);
    const approve = (key: string | null) =>
      service.request<Proposal>('POST', `/platformapi/proposals/${proposalId}/approve`, { key, body: {} });
    const local = await inviteAndJoin(service);
    const same = await signIn(person(['soc'], { email: local.email.toUpperCase() }));
    expect((await approve(local.session)).body).toMatchObject({ state: 'waiting', approvals_given: 1 });
    expect((await approve(same.session)).body).toMatchObject({
      state: 'waiting',
      approvals_given: 1,
      decisions: [{}, { not_counted: expect.stringContaining('same email address') }],
    });
    const another = await signIn(person(['soc']));
    expect((await approve(another.session)).body).toMatchObject({ state: 'approved' });
  });

  it('refuses people without a role, and people who were deactivated', async () => {
    expect(await signIn(person(['unrelated']))).toEqual({ page: '/sign-in?failure=no-role', session: null });
    const robin = person(['soc']);
    const { session } = await signIn(robin);
    await service.request('POST', `/platformapi/users/${(await read(session)).body.user_uuid}/deactivate`);
    expect(await signIn(robin)).toEqual({ page: '/sign-in?failure=deactivated', session: null });
  });

  it('takes the role away with the group, from open sessions and keys too', async () => {
    const nia = person(['soc-leads']);
    const { session } = await signIn(nia);
    const body = { name: 'laptop of nia', role: 'admin', organization_code: 'DEMO' };
    const { api_key: key } = (await service.request<CreatedApiKey>('POST', '/platformapi/api-keys', { key: session, body })).body;
    const list = async (credential: string | null) => (await service.request('GET', '/platformapi/api-keys', { key: credential })).status;
    expect([await list(session), await list(key)]).toEqual([200, 200]);
    await signIn({ ...nia, groups: ['soc'] });
    expect([await list(session), await list(key)]).toEqual([403, 403]);
    expect((await signIn({ ...nia, groups: [] })).page).toBe('/sign-in?failure=no-role');
    expect([await list(session), await list(key)]).toEqual([401, 401]);
    const audited = await service.database.pg<{ details: object }[]>`
      select details from audit_log where action = 'user.role-by-claims' and principal_name = ${nia.name ?? ''} order by entry_no`;
    expect(audited.map(({ details }) => details)).toEqual([
      { role_before: null, role: 'admin' },
      { role_before: 'admin', role: 'analyst' },
      { role_before: 'analyst', role: null },
    ]);
  });

  it('is the only one if the operator turned off local accounts', async () => {
    const local = await inviteAndJoin(service);
    const other = await startApi({ settings: { ...service.settings, PORT: 0, LOCAL_SIGN_IN: false }, log });
    onTestFinished(() => other.close());
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${other.url}/platformapi/session/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    expect(await (await fetch(`${other.url}/platformapi/session/options`)).json()).toEqual({ provider: true, password: false });
    expect(await post('password', { email: local.email, password: PASSWORD })).toBe(403);
    expect(await post('join', { token: 'in_x', name: 'Somebody', password: PASSWORD })).toBe(403);
    const readOther = async (key: string | null) =>
      (await fetch(`${other.url}/platformapi/session`, { headers: { cookie: `Session=${key}` } })).status;
    const { session } = await signIn(person(['soc']));
    expect([await readOther(local.session), await readOther(session), await readOther(service.adminKey)]).toEqual([401, 200, 200]);
  });

  it('starts a new session, and ends the one before', async () => {
    const jar = new CookieJar();
    jar.set(service.url, 'Session', `us_${'x'.repeat(43)}`);
    const user = person(['soc']);
    const first = await signIn(user, { jar });
    expect(first.session).not.toBe(`us_${'x'.repeat(43)}`);
    const second = await signIn(user, { jar });
    expect(second.session).not.toBe(first.session);
    expect([(await read(first.session)).status, (await read(second.session)).status]).toEqual([401, 200]);
  });

  it('never redirects to another site', async () => {
    for (const to of [
      '//elsewhere.example/',
      'https://elsewhere.example/',
      '/\\elsewhere.example',
      '/\t/elsewhere.example',
      '/alerts\r\nx: y',
    ])
      expect((await signIn(person(['soc']), { to })).page).toBe('/');
  });
});

describe('a reply of the provider', () => {
  it('counts once, and only in the browser that began the sign-in', async () => {
    const jar = new CookieJar();
    const callback = await stopAtCallback(person(['soc']), jar);
    const stranger = new CookieJar();
    expect(await stranger.follow(callback, isBack)).toContain('failure=expired');
    const state = jar.cookie(service.url, 'SignIn') ?? '';
    expect(await jar.follow(callback, isBack)).toBe(`${service.url}/`);
    jar.set(service.url, 'SignIn', state);
    const requests = provider.state.tokenRequests;
    expect(await jar.follow(callback, isBack)).toContain('failure=expired');
    expect(provider.state.tokenRequests).toBe(requests);
  });

  it('is refused for a code of another sign-in', async () => {
    const [used, jar] = [new CookieJar(), new CookieJar()];
    const first = new URL(await stopAtCallback(person(['soc']), used));
    await used.follow(first.href, isBack);
    const second = new URL(await stopAtCallback(person(['soc']), jar));
    second.searchParams.set('code', first.searchParams.get('code') ?? '');
    expect(await jar.follow(second.href, isBack)).toContain('failure=refused');
    expect(jar.cookie(service.url, 'Session')).toBeUndefined();
  });

  it('is refused from another issuer (mix-up) and without the issuer', async () => {
    for (const change of [
      (url: URL) => url.searchParams.set('iss', 'https://attacker.example'),
      (url: URL) => url.searchParams.delete('iss'),
    ]) {
      const jar = new CookieJar();
      const callback = new URL(await stopAtCallback(person(['soc']), jar));
      change(callback);
      expect(await jar.follow(callback.href, isBack)).toContain('failure=refused');
      expect(jar.cookie(service.url, 'Session')).toBeUndefined();
    }
  });

  it('is refused if the person refuses at the provider', async () => {
    expect(await signIn(null)).toEqual(refused);
  });
});

describe('an ID token', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const cases: [string, (claims: Record<string, unknown>) => Record<string, unknown>][] = [
    ['a wrong nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['a wrong issuer', (claims) => ({ ...claims, iss: 'https://attacker.example' })],
    ['a wrong audience', (claims) => ({ ...claims, aud: 'another client' })],
    ['an end in the past', (claims) => ({ ...claims, exp: now() - 120 })],
    ['an issue in the future', (claims) => ({ ...claims, iat: now() + 600 })],
    ['a beginning in the future', (claims) => ({ ...claims, nbf: now() + 600 })],
  ];
  it.each(cases)('with %s is refused', async (_, change) => {
    provider.state.changeClaims = change;
    expect(await signIn(person(['soc']))).toEqual(refused);
  });

  it('with the signature of another key is refused', async () => {
    provider.state.signsWithOtherKey = true;
    expect(await signIn(person(['soc']))).toEqual(refused);
  });

  it('is accepted if the clocks differ by less than a minute', async () => {
    provider.state.changeClaims = (claims) => ({ ...claims, iat: now() + 30, nbf: now() + 30 });
    expect((await signIn(person(['soc']))).page).toBe('/');
    provider.state.changeClaims = (claims) => ({ ...claims, iat: now() - 90, exp: now() - 30 });
    expect((await signIn(person(['soc']))).page).toBe('/');
  });
});

describe('a provider that is not usable', () => {
  it('leads back to the sign-in page, where local users can still sign in, and is asked again later', async () => {
    const broken = await startIdentityProvider('http://127.0.0.1:1/unused');
    broken.state.metadataIssuer = 'https://attacker.example';
    const other = await startTestService({ worker: false, env: { PUBLIC_URL: 'http://127.0.0.1:1', ...broken.env } });
    try {
      const location = async () => (await fetch(`${other.url}${START}`, { redirect: 'manual' })).headers.get('location') ?? '';
      expect(await location()).toBe('/sign-in?failure=unavailable');
      broken.state.metadataIssuer = null;
      expect(await location()).toMatch(new RegExp(`^${broken.issuer}/auth\\?.*code_challenge_method=S256`));
      await broken.stop();
      await other.restartApi();
      expect(await location()).toBe('/sign-in?failure=unavailable');
      const local = await inviteAndJoin(other);
      expect((await signInWithPassword(other, local.email)).status).toBe(200);
    } finally {
      await other.stop();
    }
  });
});

it('takes roles from a nested claim', async () => {
  const made = await map('realm_access.roles', 'boss', 'admin', null);
  provider.state.changeClaims = (claims) => ({ ...claims, realm_access: { roles: ['boss'] } });
  const { session } = await signIn(person([]));
  expect((await read(session)).body).toMatchObject({ role: 'admin', organization_code: null });
  await service.request('DELETE', `/platformapi/claim-mappings/${made.body.mapping_uuid}`);
});

it.each([
  ['address', () => '192.0.2.7'],
  ['IPv6 /64', (count: number) => `2001:db8:1:2::${(count + 1).toString(16)}`],
])('refuses many sign-ins from one %s before it writes anything', async (_, addressOf) => {
  const start = (count: number) =>
    fetch(`${service.url}${START}`, { redirect: 'manual', headers: { 'x-forwarded-for': addressOf(count) } });
  const locations: string[] = [];
  for (let count = 0; count < 65; count += 1) locations.push((await start(count)).headers.get('location') ?? '');
  expect(locations.at(-1)).toBe('/sign-in?failure=too-many');
  const [written] = await service.database.pg<{ count: number }[]>`select count(*)::int as count from provider_sign_ins`;
  await start(65);
  expect(await service.database.pg`select count(*)::int as count from provider_sign_ins`).toEqual([written]);
});
