import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asService } from '../../services/context.js';
import { createSetUpLink } from '../../services/invitations/create-set-up-link.js';
import type { CreatedInvitation, Invitation } from '../../services/invitations/wire.js';
import type { Session } from '../../services/sessions/wire.js';
import { vouchForUser } from '../../services/users/vouch.js';
import type { User } from '../../services/users/wire.js';
import { ago, changeInvitations } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { inviteAndJoin, join, PASSWORD, readToken, signInWithPassword } from '../support/users.js';
import { type List, type ProblemBody, readAllPages } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await createOrganization(service, 'OTHER');
});
afterAll(() => service.stop());

const read = async (key: string, path = 'session') => (await service.request('GET', `/platformapi/${path}`, { key })).status;
const invite = (body: object, key?: string) =>
  service.request<CreatedInvitation & ProblemBody>('POST', '/platformapi/invitations', { body, ...(key === undefined ? {} : { key }) });

describe('the set-up link', () => {
  it('creates the first admin once, and each start replaces it until then', async () => {
    const { db } = service.database;
    const [lost, token] = [(await createSetUpLink(asService(db))) ?? '', (await createSetUpLink(asService(db))) ?? ''];
    const given = { name: 'Ada First', email: 'ada@demo.example' };
    expect((await join(service, { token: lost, ...given })).status).toBe(401);
    expect(await join(service, { token, name: 'Ada First' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/email' }] } });
    expect(await join(service, { token, ...given, password: 'short' })).toMatchObject({ status: 422 });
    const joined = await join(service, { token, ...given });
    expect(joined).toMatchObject({ status: 200, body: { name: 'Ada First', role: 'admin', organization_code: null, key_uuid: null } });
    expect((await join(service, { token, name: 'Eve', email: 'eve@demo.example' })).status).toBe(401);
    expect(await createSetUpLink(asService(db))).toBeNull();
    expect(
      (await service.request<Session>('GET', '/platformapi/session', { key: readToken(joined.headers) })).body.approvals_not_counted,
    ).toBeNull();
    expect(await read(readToken(joined.headers), 'api-keys')).toBe(200);
  });
});

describe('an invitation', () => {
  it('makes one person a user with the role in the organization', async () => {
    const invited = await invite({ email: 'Dana@demo.example', role: 'analyst', organization_code: 'DEMO' });
    expect(invited).toMatchObject({ status: 201, body: { role: 'analyst', organization_code: 'DEMO', token: expect.any(String) } });
    const { token, invitation_uuid } = invited.body;
    const listed = await service.request<List<Invitation>>('GET', '/platformapi/invitations');
    expect(listed.body.items.map((each) => each.invitation_uuid)).toContain(invitation_uuid);
    expect(JSON.stringify(listed.body)).not.toContain(token);
    const both = await Promise.all([join(service, { token, name: 'Dana Vries' }), join(service, { token, name: 'Dana Other' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const users = await readAllPages<User>(service, '/platformapi/users', { limit: 50 });
    expect(users.find(({ email }) => email === 'Dana@demo.example')).toMatchObject({
      is_local: true,
      memberships: [{ organization_code: 'DEMO', role: 'analyst' }],
      deactivated_at: null,
    });
    const people = await service.request<List<{ name: string }>>('GET', '/platformapi/organizations/DEMO/people');
    expect(people.body.items.filter(({ name }) => name.startsWith('Dana '))).toHaveLength(1);
  });

  it('is worth nothing after it was revoked or has expired', async () => {
    const [revoked, expired] = [
      await invite({ email: 'a@demo.example', role: 'admin', organization_code: 'DEMO' }),
      await invite({ email: 'b@demo.example', role: 'admin', organization_code: 'DEMO' }),
    ];
    const path = `/platformapi/invitations/${revoked.body.invitation_uuid}`;
    expect((await service.request('DELETE', path)).status).toBe(204);
    expect((await service.request('DELETE', path)).status).toBe(404);
    await changeInvitations(service, { invitationUuid: expired.body.invitation_uuid }, { expiresAt: ago({ minutes: 1 }) });
    for (const { body } of [revoked, expired]) expect((await join(service, { token: body.token, name: 'Late' })).status).toBe(401);
  });

  it('grants no more than the admin has, and refuses a name or an address that the organization has', async () => {
    const { session: admin } = await inviteAndJoin(service, 'admin', 'OTHER');
    expect((await invite({ email: 'c@demo.example', role: 'admin', organization_code: null }, admin)).status).toBe(422);
    expect((await invite({ email: 'c@demo.example', role: 'admin', organization_code: 'DEMO' }, admin)).status).toBe(422);
    expect((await invite({ email: 'c@demo.example', role: 'sender', organization_code: 'OTHER' }, admin)).status).toBe(422);
    expect((await invite({ email: 'nothing', role: 'analyst', organization_code: 'OTHER' }, admin)).status).toBe(422);
    const { name, email } = await inviteAndJoin(service, 'analyst', 'OTHER');
    await service.createKey('analyst', 'OTHER', { name: 'Robot Seven' });
    await service.createKey('analyst', null, { name: 'Robot of all' });
    const { token } = (await invite({ email, role: 'analyst', organization_code: 'OTHER' }, admin)).body;
    const wrong = async (given: string) => (await join(service, { token, name: given })).body;
    expect(await wrong('Somebody New')).toMatchObject({ status: 409, errors: [{ pointer: '#/email' }] });
    const other = (await invite({ email: 'd@demo.example', role: 'analyst', organization_code: 'OTHER' }, admin)).body.token;
    for (const taken of [name.toUpperCase(), 'robot seven', 'robot of all'])
      expect(await join(service, { token: other, name: taken })).toMatchObject({ status: 409, body: { errors: [{ pointer: '#/name' }] } });
    expect((await join(service, { token: other, name: 'Free Name' })).status).toBe(200);
  });

  it('does not reveal the names and addresses of another organization', async () => {
    const victim = await inviteAndJoin(service, 'analyst', 'DEMO');
    await service.createKey('analyst', 'DEMO', { name: 'Robot Eight' });
    const { session: admin } = await inviteAndJoin(service, 'admin', 'OTHER');
    const inviteToOther = async (email: string) => {
      const { status, body } = await invite({ email, role: 'analyst', organization_code: 'OTHER' }, admin);
      expect({ status, keys: Object.keys(body).sort() }).toMatchObject({ status: 201, keys: expect.arrayContaining(['token']) });
      return body.token;
    };
    const password = 'the password of a stranger';
    const unknown = await join(service, { token: await inviteToOther('nobody@demo.example'), name: 'Nobody There', password });
    const known = await join(service, { token: await inviteToOther(victim.email), name: victim.name, password });
    expect(known.status).toBe(unknown.status);
    expect({ ...known.body, name: '', user_uuid: '' }).toEqual({ ...unknown.body, name: '', user_uuid: '' });
    expect((await join(service, { token: await inviteToOther('robot@demo.example'), name: 'Robot Eight' })).status).toBe(200);

    // Each person signs in to the own account, which has no right in the other organization.
    const signedIn = (given: string) => signInWithPassword(service, victim.email, given);
    expect((await signedIn(PASSWORD)).body).toMatchObject({ user_uuid: victim.userUuid, organization_code: 'DEMO' });
    expect((await signedIn(password)).body).toMatchObject({ user_uuid: known.body.user_uuid, organization_code: 'OTHER' });
    expect((await signedIn('a password of nobody')).status).toBe(401);
    await expect(vouchForUser(asService(service.database.db), victim.email)).rejects.toThrow('2 active accounts have the address');
  });
});
