import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlertListItem } from '../../domain/alert/alert.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { type List, type ProblemBody, send, startSecondApi } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const ALERT = { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: 'user=dana from 203.0.113.9' };

const post = (body: unknown, key = service.adminKey) => service.request<AlertListItem>('POST', '/platformapi/alerts', { body, key });
const refusal = async (reply: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await reply;
  return { status, body: body as ProblemBody };
};

describe('an API key', () => {
  it('is the principal in created_by', async () => {
    const { api_key, key_uuid } = await service.createKey('sender');
    expect((await post(ALERT, api_key)).body.created_by).toBe(key_uuid);
  });

  it('is random, shown once, and not stored in the database', async () => {
    const created = await service.createKey('analyst');
    const again = await service.createKey('analyst');
    expect(created.api_key).toMatch(/^ai_[\w-]{43}$/);
    expect(again.api_key).not.toBe(created.api_key);
    await post(ALERT, created.api_key);
    await service.request('GET', '/platformapi/cases', { key: created.api_key });
    const { pg } = service.database;
    const tables = await pg<
      { name: string }[]
    >`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`;
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const [found] = await pg.unsafe(
        `select count(*)::int as rows from ${name} as row where position($1 in row::text) > 0 or position($2 in row::text) > 0`,
        [created.api_key, service.adminKey],
      );
      expect(found?.['rows'], name).toBe(0);
    }
    const listed = JSON.stringify((await service.request('GET', '/platformapi/api-keys?limit=200')).body);
    expect(listed).toContain(created.key_uuid);
    expect(listed).not.toContain(created.api_key);
    expect(listed).not.toContain('hash');
  });

  it('returns 401 when it is unknown or missing', async () => {
    for (const key of [null, '', 'ai_unknown', `${service.adminKey}x`, service.adminKey.slice(0, -1), '%', 'a b', '../']) {
      const reply = await service.request<ProblemBody>('GET', '/platformapi/alerts', { key });
      expect(reply.status, String(key)).toBe(401);
      expect(reply.headers.get('www-authenticate')).toContain('Session');
    }
  });

  it('is accepted in the header Authorization too', async () => {
    const ask = async (key: string) =>
      (await service.request('GET', '/platformapi/alerts', { key: null, headers: { authorization: `Bearer ${key}` } })).status;
    expect(await ask(service.adminKey)).toBe(200);
    expect(await ask(`${service.adminKey}x`)).toBe(401);
  });

  it('is refused as soon as it is revoked', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { api_key, key_uuid } = await service.createKey('sender');
      expect((await post(ALERT, api_key)).status).toBe(201);
      expect((await service.request('DELETE', `/platformapi/api-keys/${key_uuid}`)).status).toBe(204);
      expect((await post(ALERT, api_key)).status).toBe(401);
    }
  });

  it('is not cached by a lookup that runs during the revocation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { api_key, key_uuid } = await service.createKey('sender');
      const using = Array.from({ length: 10 }, () => post(ALERT, api_key));
      await service.request('DELETE', `/platformapi/api-keys/${key_uuid}`);
      await Promise.all(using);
      expect((await post(ALERT, api_key)).status).toBe(401);
    }
  });

  it('is refused by every other process soon after its revocation', async () => {
    const second = await startSecondApi(service);
    const { api_key, key_uuid } = await service.createKey('sender');
    const ask = () => send(`${second.url}/platformapi/organizations`, { key: api_key });
    expect((await ask()).status).toBe(200);
    const revokedAt = Date.now();
    await service.request('DELETE', `/platformapi/api-keys/${key_uuid}`);
    await waitFor('the second process to refuse the key', async () => (await ask()).status === 401);
    expect(Date.now() - revokedAt).toBeLessThan(5_000);
    expect((await service.request('GET', '/platformapi/api-keys?limit=200')).body).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ key_uuid, revoked_at: expect.any(Number) })]),
    });
  });

  it('is refused as soon as it expires, without another lookup', async () => {
    const expires_at = Math.floor(Date.now() / 1000) + 2;
    const { api_key } = await service.createKey('sender', 'DEMO', { expires_at });
    expect((await post(ALERT, api_key)).status).toBe(201);
    await waitFor('the key to expire', async () => Date.now() / 1000 >= expires_at);
    expect((await post(ALERT, api_key)).status).toBe(401);
  });

  it.each([
    [{ name: 'x', role: 'owner', organization_code: 'DEMO' }, '#/role'],
    [{ name: ' ', role: 'sender', organization_code: 'DEMO' }, '#/name'],
    [{ name: 'x', role: 'sender' }, '#/organization_code'],
    [{ name: 'x', role: 'sender', organization_code: 'NOBODY' }, '#/organization_code'],
    [{ name: 'x', role: 'sender', organization_code: '\u0000' }, '#/organization_code'],
    [{ name: 'x', role: 'sender', organization_code: 'DEMO', expires_at: 1 }, '#/expires_at'],
    [{ name: 'x', role: 'sender', organization_code: 'DEMO', expires_at: 253_402_300_800 }, '#/expires_at'],
    [{ name: 'x', role: 'sender', organization_code: 'DEMO', expires_at: Number.MAX_SAFE_INTEGER }, '#/expires_at'],
    [{ name: 'x', role: 'sender', organization_code: 'DEMO', expires_at: '2030-01-01' }, '#/expires_at'],
  ])('is not created from %j', async (body, pointer) => {
    expect(await service.request('POST', '/platformapi/api-keys', { body })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer }] },
    });
  });

  it('may be valid until the end of the year 9999', async () => {
    const body = { name: 'for long', role: 'sender', organization_code: null, expires_at: 253_402_300_799 };
    expect(await service.request('POST', '/platformapi/api-keys', { body })).toMatchObject({
      status: 201,
      body: { ...body, revoked_at: null },
    });
  });
});

describe('the scope of a key', () => {
  it('returns the same response for a foreign organization as for an unknown one', async () => {
    await createOrganization(service, 'FOREIGN');
    const { api_key } = await service.createKey('admin', 'DEMO');
    const foreign = await refusal(post({ ...ALERT, organization_code: 'FOREIGN' }, api_key));
    const unknown = await refusal(post({ ...ALERT, organization_code: 'UNKNOWN' }, api_key));
    expect(foreign.status).toBe(422);
    expect(foreign).toEqual(unknown);
    const key = { name: 'x', role: 'sender' };
    const foreignKey = await refusal(
      service.request('POST', '/platformapi/api-keys', { key: api_key, body: { ...key, organization_code: 'FOREIGN' } }),
    );
    const unknownKey = await refusal(
      service.request('POST', '/platformapi/api-keys', { key: api_key, body: { ...key, organization_code: 'UNKNOWN' } }),
    );
    const everywhere = await refusal(
      service.request('POST', '/platformapi/api-keys', { key: api_key, body: { ...key, organization_code: null } }),
    );
    expect(foreignKey.status).toBe(422);
    expect(foreignKey).toEqual(unknownKey);
    expect(everywhere).toEqual(unknownKey);
  });

  it('shows a sender only the alerts of its own key', async () => {
    const [own, other] = [await service.createKey('sender'), await service.createKey('sender')];
    const mine = (await post(ALERT, own.api_key)).body;
    const theirs = (await post(ALERT, other.api_key)).body;
    const read = (id: string) => service.request('GET', `/platformapi/alerts/${id}`, { key: own.api_key });
    expect((await read(mine.alert_id)).status).toBe(200);
    const [foreign, unknown] = [await read(theirs.alert_id), await read('DEMO-SIEM-999999')];
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.body).toEqual(unknown.body);
    const listed = await service.request<List<AlertListItem>>('GET', '/platformapi/alerts', { key: own.api_key });
    expect(listed.body.items.map((alert) => alert.alert_id)).toEqual([mine.alert_id]);
  });

  it('shows a sender its own organization and all providers', async () => {
    const { api_key } = await service.createKey('sender');
    const organizations = await service.request<List<{ organization_code: string }>>('GET', '/platformapi/organizations', { key: api_key });
    expect(organizations.body.items.map((each) => each.organization_code)).toEqual(['DEMO']);
    const providers = await service.request<List<{ name: string }>>('GET', '/platformapi/providers', { key: api_key });
    expect(providers.body.items.map((each) => each.name)).toEqual(expect.arrayContaining(['siem', 'endpoint-detection']));
  });

  it('lets a sender for all organizations send to each of them', async () => {
    await createOrganization(service, 'EVERY');
    const { api_key } = await service.createKey('sender', null);
    for (const organization_code of ['DEMO', 'EVERY']) expect((await post({ ...ALERT, organization_code }, api_key)).status).toBe(201);
  });
});
