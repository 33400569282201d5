import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi } from '../../api/server.js';
import { freePort } from '../../local/ports.js';
import type { CreatedApiKey } from '../../services/api-keys/wire.js';
import { findChatPrincipal } from '../../services/chat-identities/find-principal.js';
import type { Session } from '../../services/sessions/wire.js';
import { CookieJar } from '../support/cookie-jar.js';
import { type ProviderUser, startIdentityProvider } from '../support/identity-provider.js';
import { ago, changeProviderTokens, changeUsers, storeChatIdentity } from '../support/rows.js';
import { log, startTestService, type TestService, waitFor } from '../support/service.js';
import { createBelongings, EVERYTHING } from './support/belongings.js';
import type { ProblemBody } from './support/http.js';

const START = '/platformapi/session/provider';

let service: TestService;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startIdentityProvider(`${publicUrl}${START}/callback`);
  provider.state.supportsOfflineAccess = true;
  service = await startTestService({ worker: false, env: { PORT: String(port), PUBLIC_URL: publicUrl, ...provider.env } });
  for (const [value, role] of [
    ['soc', 'analyst'],
    ['soc-leads', 'admin'],
  ]) {
    const body = { claim: 'groups', value, role, organization_code: 'DEMO' };
    await service.request('POST', '/platformapi/claim-mappings', { body });
  }
});
beforeEach(() => {
  provider.state.refresh = 'answer';
});
afterAll(async () => {
  await service?.stop();
  await provider?.stop();
});

let lastSub = 0;
async function signIn(groups: readonly string[] = ['soc-leads'], known?: ProviderUser) {
  lastSub += 1;
  const user: ProviderUser = known ?? { sub: `checked-${lastSub}`, name: `Checked ${lastSub}`, email: `c${lastSub}@corp.example`, groups };
  provider.state.user = { ...user, groups };
  const jar = new CookieJar();
  await jar.follow(`${service.url}${START}`, (url) => url.startsWith(service.url) && !url.includes(START));
  const session = jar.cookie(service.url, 'Session') ?? '';
  const { user_uuid } = (await service.request<Session>('GET', '/platformapi/session', { key: session })).body;
  return { user, session, userUuid: user_uuid ?? '' };
}
const read = (key: string) => service.request<Session & ProblemBody>('GET', '/platformapi/session', { key });
const readToken = async (userUuid: string) => {
  const [row] = await service.database.pg<{ token: { ciphertext: string }; version: number; uncertain: boolean; due: number }[]>`
    select token, version, is_uncertain as uncertain, extract(epoch from due_at - now())::int as due
    from provider_tokens where user_uuid = ${userUuid}`;
  return row ?? null;
};
/** Makes the check due and waits for its end. */
async function check(userUuid: string) {
  const { refreshes } = provider.state;
  await changeProviderTokens(service, { userUuid }, { dueAt: ago({}) });
  await waitFor('the end of the check', async () => {
    const token = await readToken(userUuid);
    return provider.state.refreshes > refreshes && (token === null || token.due > 200);
  });
}
const startOther = () => startApi({ settings: { ...service.settings, PORT: 0 }, log });
const audited = (userUuid: string, action: string) =>
  service.database.pg<{ name: string; details: object }[]>`
    select principal_name as name, details from audit_log where action = ${action} and target = ${userUuid} order by entry_no`;

describe('the check of a user of the identity provider', () => {
  it('uses each refresh token once and keeps it sealed', async () => {
    const { session, userUuid } = await signIn();
    const first = await readToken(userUuid);
    expect(first?.due).toBeLessThanOrEqual(3_600);
    await check(userUuid);
    const second = await readToken(userUuid);
    expect(second?.token.ciphertext).not.toBe(first?.token.ciphertext);
    await check(userUuid);
    expect((await read(session)).status).toBe(200);
    expect(await readToken(userUuid)).toMatchObject({ uncertain: false });
  });

  it('changes the role, and ends what needed the role before', async () => {
    const { user, session, userUuid } = await signIn();
    const left = await createBelongings(service, session, userUuid);
    provider.state.user = { ...user, groups: ['soc'] };
    await check(userUuid);
    expect((await read(session)).body).toMatchObject({ role: 'analyst' });
    // The analyst knows the values of these keys, but they give no more than the role does.
    expect(await left.listWorking()).toEqual(['session', 'own key', 'forwarder', 'key of script', 'link code', 'chat account']);
    expect(await audited(userUuid, 'user.role-by-claims')).toMatchObject([
      {},
      { name: 'service', details: { role_before: 'admin', role: 'analyst' } },
    ]);
  });

  it.each([
    ['the groups are gone', () => undefined],
    ['the provider refuses the token', () => Object.assign(provider.state, { refresh: 'refuse' })],
  ])('ends all access when %s', async (_, change) => {
    const { user, session, userUuid } = await signIn();
    const left = await createBelongings(service, session, userUuid);
    expect(await left.listWorking()).toEqual(EVERYTHING);
    provider.state.user = { ...user, groups: [] };
    change();
    await check(userUuid);
    expect(await left.listWorking()).toEqual([]);
    expect(await readToken(userUuid)).toBeNull();
  });

  it('leaves access as it is while the provider fails, and asks again', async () => {
    const { session, userUuid } = await signIn();
    provider.state.refresh = 'fail';
    await check(userUuid);
    expect((await read(session)).status).toBe(200);
    expect(await readToken(userUuid)).toMatchObject({ uncertain: false });
    provider.state.refresh = 'answer';
    await check(userUuid);
    expect((await readToken(userUuid))?.due).toBeGreaterThan(2_000);
  });

  it('only asks for a new sign-in if the reply with the next token was lost', async () => {
    const { user, session, userUuid } = await signIn();
    const left = await createBelongings(service, session, userUuid);
    provider.state.refresh = 'cut';
    await check(userUuid);
    expect(await readToken(userUuid)).toMatchObject({ uncertain: true });
    provider.state.refresh = 'answer';
    await check(userUuid);
    const reply = await read(session);
    expect(reply).toMatchObject({ status: 401, body: { detail: expect.stringContaining('Sign in to the dashboard') } });
    expect(await audited(userUuid, 'user.sign-in-required')).toMatchObject([{ details: { reason: 'lost-reply' } }]);
    await signIn(['soc-leads'], user);
    expect(await left.listWorking()).toEqual(EVERYTHING);
  });

  it('is made by one process at a time', async () => {
    const { userUuid } = await signIn();
    const { refreshes } = provider.state;
    const others = await Promise.all([startOther(), startOther()]);
    await check(userUuid);
    expect(provider.state.refreshes).toBe(refreshes + 1);
    for (const other of others) await other.close();
  });
});

describe('without a confirmation of the provider', () => {
  it('sessions, own keys and clicks in Slack stop with a clear reply, and service keys go on', async () => {
    const { user, session, userUuid } = await signIn();
    const post = async (body: object) =>
      (await service.request<CreatedApiKey>('POST', '/platformapi/api-keys', { key: session, body })).body.api_key;
    const own = await post({ name: 'own key', role: 'analyst', organization_code: 'DEMO' });
    const ofService = await post({ name: 'forwarder', role: 'analyst', organization_code: 'DEMO', service: 'forwarder' });
    const [workspace, chatUserId] = ['slack.com/T9', 'U9'];
    await storeChatIdentity(service, { userUuid, appId: 'A1', workspace, chatUserId, confirmedAt: ago({ minutes: 1 }) });
    const { organization_uuid: organizationUuid } = await service.sendAlert();
    const account = { kind: 'slack', appId: 'A1', workspace, chatUserId } as const;
    const click = () => findChatPrincipal(service.database.db, account, organizationUuid, {});
    expect(await click()).toMatchObject({ userUuid });
    const [{ hours } = { hours: 0 }] = await service.database.pg<{ hours: number }[]>`
      select round(extract(epoch from access_until - now()) / 3600)::int as hours from users where user_uuid = ${userUuid}`;
    expect(hours).toBe(24);

    await changeUsers(service, { userUuid }, { accessUntil: ago({ minutes: 1 }) });
    await service.restartApi();
    for (const key of [session, own])
      expect(await read(key)).toMatchObject({ status: 401, body: { detail: expect.stringContaining('Sign in to the dashboard') } });
    expect(await click()).toBe('signed-out');
    expect((await read(ofService)).status).toBe(200);

    await signIn(['soc-leads'], user);
    expect([(await read(session)).status, (await read(own)).status]).toEqual([200, 200]);
  });
});
