import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Alert, type AlertListItem } from '../../../domain/alert/alert.js';
import { startTestService, type TestService, waitFor } from '../../support/service.js';
import { JSON_TYPE, type List, type ProblemBody, send, startSecondApi } from '../support/http.js';
import { createOrganization } from '../support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const ALERT = { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: 'user=dana from 203.0.113.9' };

const post = (body: unknown, key = service.adminKey) => service.request<AlertListItem>('POST', '/platformapi/alerts', { body, key });
const postText = (body: string) => send(`${service.url}/platformapi/alerts`, { key: service.adminKey, body, headers: JSON_TYPE });
const refusal = async (reply: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await reply;
  return { status, body: body as ProblemBody };
};

describe('an accepted alert', () => {
  it('returns 201 with its Location and exactly thirteen fields', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { status, headers, body } = await post(ALERT);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/platformapi/alerts/${body.alert_id}`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    z.strictObject(Alert.shape).parse(body);
    expect(body).toMatchObject({ ...ALERT, created_at_source: null, investigation_retry_count: 0, investigation_status: 0 });
    expect(body.created_at).toBeGreaterThanOrEqual(before);
    expect(body.created_at).toBeLessThanOrEqual(Date.now() / 1000);
    expect(body.modified_at).toBe(body.created_at);

    const read = await service.request<AlertListItem>('GET', headers.get('location') ?? '');
    expect(read.status).toBe(200);
    const { investigation_status: _, modified_at: __, ...unchanging } = body;
    expect(read.body).toMatchObject(unchanging);
  });

  it.each([
    '0',
    '1767225600',
    '-1',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
  ])('keeps created_at_source %s exact', async (digits) => {
    const created = await postText(`${JSON.stringify(ALERT).slice(0, -1)},"created_at_source":${digits}}`);
    expect(created.status).toBe(201);
    expect(created.text).toContain(`"created_at_source":${digits},`);
    const read = await send(`${service.url}${created.headers.get('location')}`, { key: service.adminKey });
    expect(read.text).toContain(`"created_at_source":${digits},`);
    const listed = await send(`${service.url}/platformapi/alerts?limit=1`, { key: service.adminKey });
    expect(listed.text).toContain(`"created_at_source":${digits},`);
  });

  it('keeps every character of its text', async () => {
    const alert_content = '  two spaces, "quotes" \\ \t\r\n 🙂 \u2028 é ﬀ \u0001 {"json": [1, 2]} \ufeff ';
    const alert_type = ' Größe: ‹odd› ';
    const { body } = await post({ ...ALERT, alert_content, alert_type });
    expect(body).toMatchObject({ alert_content, alert_type });
    expect(await service.readAlert(body.alert_id)).toMatchObject({ alert_content, alert_type });
  });

  it('may have up to 1 MiB', async () => {
    const envelope = Buffer.byteLength(JSON.stringify({ ...ALERT, alert_content: '' }));
    const { status, body } = await post({ ...ALERT, alert_content: 'x'.repeat(1024 * 1024 - envelope) });
    expect(status).toBe(201);
    expect((await service.readAlert(body.alert_id)).alert_content).toHaveLength(1024 * 1024 - envelope);
  });
});

describe('the alert id', () => {
  it('counts from 1 per organization and provider, without gaps, even for concurrent alerts', async () => {
    const providers = { firewall: 'FIREWALL', 'threat-intelligence': 'THREAT_INTELLIGENCE' };
    await createOrganization(service, 'COUNT-1');
    await createOrganization(service, 'COUNT_2');
    const series = ['COUNT-1', 'COUNT_2'].flatMap((code) =>
      Object.entries(providers).map(([provider, segment]) => ({ code, provider, segment })),
    );
    const sent = Array.from({ length: 200 }, (_, index) => series[index % series.length]);
    const refused = [
      { ...ALERT, organization_code: 'NOBODY' },
      { ...ALERT, alert_provider: 'nothing' },
      { ...ALERT, alert_type: '' },
    ];
    const replies = await Promise.all([
      ...sent.map((each) => post({ ...ALERT, organization_code: each?.code, alert_provider: each?.provider })),
      ...Array.from({ length: 30 }, (_, index) => post(refused[index % refused.length])),
    ]);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(30);
    const ids = replies.filter(({ status }) => status === 201).map(({ body }) => body.alert_id);
    const expected = series.flatMap(({ code, segment }) => Array.from({ length: 50 }, (_, index) => `${code}-${segment}-${index + 1}`));
    expect(ids.sort()).toEqual(expected.sort());
  });

  it('contains the segment of the provider, which is unique', async () => {
    const created = await service.request<{ segment: string }>('POST', '/platformapi/providers', { body: { name: 'mail gateway 2' } });
    expect(created.status).toBe(201);
    expect(created.body.segment).toBe('MAIL_GATEWAY_2');
    expect((await post({ ...ALERT, alert_provider: 'mail gateway 2' })).body.alert_id).toBe('DEMO-MAIL_GATEWAY_2-1');
    for (const name of ['Mail-Gateway.2', 'mail gateway 2', 'MAIL_GATEWAY 2']) {
      expect(await service.request('POST', '/platformapi/providers', { body: { name } })).toMatchObject({
        status: 409,
        body: { errors: [{ pointer: '#/name' }] },
      });
    }
    expect(await service.request('POST', '/platformapi/providers', { body: { name: 'Case' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/name' }] },
    });
  });
});

describe('concurrent alerts', () => {
  const committed = async () => {
    const { body } = await service.request<string>('GET', '/metrics');
    return Number(/^intake_batch_size_count (\d+)$/m.exec(body)?.[1]);
  };

  it('share commits, and each has its own response', async () => {
    const before = await committed();
    const bodies = Array.from({ length: 100 }, (_, index) =>
      index % 10 === 0 ? { ...ALERT, alert_provider: 'nothing' } : { ...ALERT, alert_content: `number ${index}` },
    );
    const replies = await Promise.all(bodies.map((body) => post(body)));
    expect(replies.map(({ status }) => status)).toEqual(bodies.map((body) => (body.alert_provider === 'nothing' ? 422 : 201)));
    for (const [index, { status, body }] of replies.entries()) if (status === 201) expect(body.alert_content).toBe(`number ${index}`);
    expect((await committed()) - before).toBeLessThan(60);
  });

  it('do not delay the next alert that arrives alone', async () => {
    await Promise.all(Array.from({ length: 80 }, (_, index) => post({ ...ALERT, alert_content: `together ${index}` })));
    expect((await post({ ...ALERT, alert_content: 'alone' })).status).toBe(201);
    expect((await post({ ...ALERT, alert_content: 'alone again' })).status).toBe(201);
  });

  it('are stored even when the database refuses one of them', async () => {
    const { pg } = service.database;
    await pg`alter table alerts add constraint no_poison check (alert_content <> 'poison') not valid`;
    try {
      const bodies = Array.from({ length: 60 }, (_, index) => ({
        ...ALERT,
        alert_provider: 'identity-provider',
        alert_content: index % 20 === 7 ? 'poison' : 'fine',
      }));
      const replies = await Promise.all(bodies.map((body) => post(body)));
      expect(replies.map(({ status }) => status)).toEqual(bodies.map((body) => (body.alert_content === 'poison' ? 500 : 201)));
      const numbers = replies.filter(({ status }) => status === 201).map(({ body }) => Number(body.alert_id.split('-').at(-1)));
      expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 57 }, (_, index) => index + 1));
    } finally {
      await pg`alter table alerts drop constraint no_poison`;
    }
  });
});

describe('the length limits of Temporal', () => {
  it('accept codes, providers and types of the maximum length, and the id resolves to the alert', async () => {
    const organization_code = `O${'r'.repeat(30)}G`;
    const alert_provider = `p${'r'.repeat(62)}v`;
    await createOrganization(service, organization_code);
    expect((await service.request('POST', '/platformapi/providers', { body: { name: alert_provider } })).status).toBe(201);
    const { status, headers, body } = await post({ ...ALERT, organization_code, alert_provider, alert_type: 't'.repeat(200) });
    expect(status).toBe(201);
    expect(body.alert_id).toBe(`${organization_code}-${alert_provider.toUpperCase()}-1`);
    expect((await service.request('GET', headers.get('location') ?? '')).status).toBe(200);
  });

  it.each([
    ['/platformapi/organizations', { organization_code: 'O'.repeat(33), name: 'Too long' }, '#/organization_code'],
    ['/platformapi/organizations', { organization_code: 'A B', name: 'A blank' }, '#/organization_code'],
    ['/platformapi/organizations', { organization_code: '-A', name: 'A hyphen first' }, '#/organization_code'],
    ['/platformapi/organizations', { organization_code: 'Ä', name: 'Beyond ASCII' }, '#/organization_code'],
    ['/platformapi/providers', { name: 'p'.repeat(65) }, '#/name'],
    ['/platformapi/providers', { name: '_' }, '#/name'],
    ['/platformapi/alerts', { ...ALERT, alert_type: 't'.repeat(201) }, '#/alert_type'],
    ['/platformapi/alerts', { ...ALERT, organization_code: 'O'.repeat(33) }, '#/organization_code'],
    ['/platformapi/alerts', { ...ALERT, alert_provider: 'p'.repeat(65) }, '#/alert_provider'],
  ])('refuse at %s %j', async (path, body, pointer) => {
    expect(await service.request('POST', path, { body })).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });

  it('refuse a second organization whose code differs only in case', async () => {
    expect(
      await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'demo', name: 'Again' } }),
    ).toMatchObject({
      status: 409,
      body: { errors: [{ pointer: '#/organization_code' }] },
    });
  });
});

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
    for (let round = 0; round < 20; round += 1) {
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
