import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NamedChatAccount } from '../../domain/identity/chat-identity.js';
import { findChatPrincipal } from '../../services/chat-identities/find-principal.js';
import { linkChatAccount } from '../../services/chat-identities/link.js';
import type { ChatIdentity, ChatLinkCode } from '../../services/chat-identities/wire.js';
import { asService } from '../../services/context.js';
import { ago, changeOrganizations, changeUserSessions, storeChatIdentity } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { inviteAndJoin } from '../support/users.js';
import type { List } from './support/http.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const PATH = '/platformapi/session/chat-identities';

it('lists and unlinks the accounts of the signed-in user only, and a key has none', async () => {
  const [person, other] = [await inviteAndJoin(service), await inviteAndJoin(service)];
  const { status, body } = await service.request<ChatLinkCode>('POST', `${PATH}/code`, { key: person.session });
  expect(status).toBe(201);
  const names = { workspaceName: 'harbour', chatUserName: 'ada' };
  const account: NamedChatAccount = { kind: 'slack', workspace: 'slack.example/T1', appId: 'A1', chatUserId: 'U1', ...names };
  const { organization_uuid: organizationUuid } = await service.sendAlert();
  await linkChatAccount(asService(service.database.db), account, body.code, organizationUuid);
  const list = async (key: string) => (await service.request<List<ChatIdentity>>('GET', PATH, { key })).body.items;
  const [linked] = await list(person.session);
  expect(linked).toMatchObject({ workspace: 'slack.example/T1', workspace_name: 'harbour', app_id: 'A1', chat_user_id: 'U1' });
  // Until the person confirms workspace, app and account, the account is nobody's.
  const { db } = service.database;
  const find = (found: NamedChatAccount) => findChatPrincipal(db, found, organizationUuid, {});
  expect(linked?.confirmed_at).toBeNull();
  expect(await find(account)).toBe('unconfirmed');
  const confirm = async (key: string) => (await service.request('POST', `${PATH}/${linked?.identity_id}/confirm`, { key })).status;
  expect([await confirm(other.session), await confirm(service.adminKey)]).toEqual([404, 409]);
  expect([await confirm(person.session), await confirm(person.session)]).toEqual([204, 404]);
  expect(await find(account)).toMatchObject({ userUuid: person.userUuid });
  // The account decides nothing while its user could not sign in.
  expect(await findChatPrincipal(db, account, organizationUuid, { allowsLocalUsers: false })).toBe('local-user');
  expect(await findChatPrincipal(db, account, organizationUuid, { requiresTwoFactor: true })).toBe('needs-two-factor');
  await changeOrganizations(service, { organizationUuid }, { requiresTwoFactor: true });
  expect(await find(account)).toBe('needs-two-factor');
  await changeOrganizations(service, { organizationUuid }, { requiresTwoFactor: false });
  expect(await find({ ...account, appId: 'A2' })).toBe('unlinked');
  expect(await find({ ...account, workspace: 'slack.example/T2' })).toBe('unlinked');
  expect(await list(other.session)).toEqual([]);
  const unlink = async (key: string) => (await service.request('DELETE', `${PATH}/${linked?.identity_id}`, { key })).status;
  expect([await unlink(other.session), await unlink(person.session)]).toEqual([404, 204]);
  expect(await list(person.session)).toEqual([]);
  expect(await service.request('POST', `${PATH}/code`)).toMatchObject({ status: 409 });
  expect(await list(service.adminKey)).toEqual([]);
});

it('is linked only after a sign-in of the last hour: the account decides also after the session', async () => {
  const { session, userUuid } = await inviteAndJoin(service);
  const call = async (path: string) => (await service.request('POST', `${PATH}/${path}`, { key: session })).status;
  const identityUuid = await storeChatIdentity(service, { userUuid, appId: 'A1' });
  await changeUserSessions(service, { userUuid }, { createdAt: ago({ minutes: 61 }) });
  expect([await call('code'), await call(`${identityUuid}/confirm`)]).toEqual([403, 403]);
  await changeUserSessions(service, { userUuid }, { createdAt: ago({ minutes: 59 }) });
  expect([await call('code'), await call(`${identityUuid}/confirm`)]).toEqual([201, 204]);
});
