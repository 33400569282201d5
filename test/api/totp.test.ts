import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../services/sessions/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import { inviteAndJoin, PASSWORD } from '../support/users.js';
import type { ProblemBody } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const TOTP = '/platformapi/session/totp';
const now = () => Math.floor(Date.now() / 1000);
const STEP_SECONDS = 30;
const codeAt = (secret: string, steps: number) => generate({ secret, epoch: now() + steps * STEP_SECONDS });
const currentStep = () => Math.floor(now() / STEP_SECONDS);
const signIn = (email: string, more: { code?: string; password?: string } = {}) =>
  service.request<Session & ProblemBody>('POST', '/platformapi/session/password', {
    key: null,
    body: { email, password: PASSWORD, ...more },
  });

/** Turns two-factor authentication on with the code of the step before, so that the next codes stay unused. */
async function enrol(session: string): Promise<string> {
  const { body } = await service.request<{ secret: string; uri: string }>('POST', TOTP, { key: session });
  expect(body.uri).toMatch(/^otpauth:\/\/totp\/.*secret=/);
  const confirm = (code: string) => service.request('PUT', TOTP, { key: session, body: { code } });
  expect((await confirm('000000')).status).toBe(422);
  expect((await confirm('12 34')).status).toBe(422);
  for (;;) {
    const step = currentStep();
    const { status } = await confirm(await codeAt(body.secret, -1));
    // The code of the step before is refused if another step began meanwhile.
    if (status !== 204 && step !== currentStep()) continue;
    expect(status).toBe(204);
    return body.secret;
  }
}

describe('two-factor authentication', () => {
  it('asks for a code that is right and was not used before', async () => {
    const { email, session } = await inviteAndJoin(service);
    const secret = await enrol(session);
    const missing = await signIn(email);
    expect(missing).toMatchObject({ status: 401, body: { errors: [{ pointer: '#/code' }] } });
    expect(missing.headers.get('set-cookie')).toBeNull();
    expect((await signIn(email, { password: 'a wrong password' })).body.errors).toBeUndefined();
    expect((await signIn(email, { code: '000000' })).status).toBe(401);
    expect((await signIn(email, { code: await codeAt(secret, -10) })).status).toBe(401);
    const code = await codeAt(secret, 0);
    expect(await signIn(email, { code })).toMatchObject({ status: 200, body: { has_second_step: true } });
    expect((await signIn(email, { code })).status).toBe(401);
    expect((await signIn(email, { code: await codeAt(secret, 1) })).status).toBe(200);
  });

  it('is required of local users where an organization says so', async () => {
    await createOrganization(service, 'STRICT');
    const policy = (requires_two_factor: boolean, key?: string) =>
      service.request('PUT', '/platformapi/organizations/STRICT/sign-in-policy', {
        body: { requires_two_factor },
        ...(key === undefined ? {} : { key }),
      });
    const [member, elsewhere, everywhere] = [
      await inviteAndJoin(service, 'admin', 'STRICT'),
      await inviteAndJoin(service, 'admin'),
      await inviteAndJoin(service, 'admin', null),
    ];
    const read = async (key: string, path = 'cases') => (await service.request('GET', `/platformapi/${path}`, { key })).status;
    expect((await policy(true, elsewhere.session)).status).toBe(404);
    expect(await policy(true, member.session)).toMatchObject({ status: 200, body: { requires_two_factor: true } });
    expect([await read(member.session), await read(everywhere.session), await read(elsewhere.session)]).toEqual([403, 403, 200]);
    expect(await service.request('GET', '/platformapi/session', { key: member.session })).toMatchObject({
      body: { needs_two_factor: true },
    });
    await enrol(member.session);
    expect([await read(member.session), await read(service.adminKey)]).toEqual([200, 200]);
    expect((await policy(false)).status).toBe(200);
    expect(await read(everywhere.session)).toBe(200);
  });

  it('is stored sealed, and turned off with a code', async () => {
    const { email, session, userUuid } = await inviteAndJoin(service);
    const secret = await enrol(session);
    const stored = JSON.stringify([await service.database.pg`select * from users`, await service.database.pg`select * from audit_log`]);
    expect(stored).not.toContain(secret);
    expect((await service.request('POST', TOTP, { key: session })).status).toBe(409);
    const remove = (code: string) => service.request('POST', `${TOTP}/remove`, { key: session, body: { code } });
    expect((await remove('000000')).status).toBe(422);
    expect((await remove(await codeAt(secret, 0))).status).toBe(204);
    expect((await signIn(email)).status).toBe(200);
    const audited = await service.database
      .pg`select action from audit_log where target = ${userUuid} and action like 'user.totp%' order by entry_no`;
    expect(audited.map(({ action }) => action)).toEqual(['user.totp-enable', 'user.totp-disable']);
  });

  it('is for users with a password only', async () => {
    expect((await service.request('POST', TOTP)).status).toBe(409);
    const { api_key: key } = await service.createPerson('analyst');
    expect((await service.request('POST', TOTP, { key })).status).toBe(409);
  });

  it('is refused after too many wrong codes, even with the right one', async () => {
    const { email, session } = await inviteAndJoin(service);
    const secret = await enrol(session);
    for (let count = 0; count < 10; count += 1) await signIn(email, { code: '000000' });
    expect((await signIn(email, { code: await codeAt(secret, 0) })).status).toBe(429);
  });

  it('counts parallel codes before it checks them, and notes them in the audit log', async () => {
    const { session, userUuid } = await inviteAndJoin(service);
    await enrol(session);
    const guess = () => service.request('POST', `${TOTP}/remove`, { key: session, body: { code: '000000' } });
    const statuses = (await Promise.all(Array.from({ length: 80 }, guess))).map(({ status }) => status);
    expect([statuses.filter((status) => status === 422).length, statuses.filter((status) => status === 429).length]).toEqual([10, 70]);
    const audited = await service.database.pg<{ reason: string }[]>`
      select details->>'reason' as reason from audit_log where target = ${userUuid} and action = 'session.refuse'`;
    expect(audited.map(({ reason }) => reason).sort()).toEqual(['code', 'too-many-codes']);
  });
});
