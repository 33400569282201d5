import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChatAccount } from '../../domain/identity/chat-identity.js';
import { linkChatAccount } from '../../services/chat-identities/link.js';
import type { ChatIdentity, ChatLinkCode } from '../../services/chat-identities/wire.js';
import { asService } from '../../services/context.js';
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
  const account: ChatAccount = { kind: 'slack', workspace: 'slack.example/T1', chatUserId: 'U1' };
  const { organization_uuid: organizationUuid } = await service.sendAlert();
  await linkChatAccount(asService(service.database.db), account, body.code, organizationUuid);
  const list = async (key: string) => (await service.request<List<ChatIdentity>>('GET', PATH, { key })).body.items;
  const [linked] = await list(person.session);
  expect(linked).toMatchObject({ kind: 'slack', workspace: 'slack.example/T1', chat_user_id: 'U1' });
  expect(await list(other.session)).toEqual([]);
  const unlink = async (key: string) => (await service.request('DELETE', `${PATH}/${linked?.identity_id}`, { key })).status;
  expect([await unlink(other.session), await unlink(person.session)]).toEqual([404, 204]);
  expect(await list(person.session)).toEqual([]);
  expect(await service.request('POST', `${PATH}/code`)).toMatchObject({ status: 409 });
  expect(await list(service.adminKey)).toEqual([]);
});
