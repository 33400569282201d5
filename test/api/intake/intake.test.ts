import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Alert, type AlertListItem } from '../../../domain/alert/alert.js';
import { startTestService, type TestService } from '../../support/service.js';
import { JSON_TYPE, send } from '../support/http.js';
import { createOrganization } from '../support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const ALERT = { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: 'user=dana from 203.0.113.9' };

const post = (body: unknown, key = service.adminKey) => service.request<AlertListItem>('POST', '/platformapi/alerts', { body, key });
const postText = (body: string) => send(`${service.url}/platformapi/alerts`, { key: service.adminKey, body, headers: JSON_TYPE });

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
    [{ ...ALERT, alert_type: 't'.repeat(201) }, '#/alert_type'],
    [{ ...ALERT, organization_code: 'O'.repeat(33) }, '#/organization_code'],
    [{ ...ALERT, alert_provider: 'p'.repeat(65) }, '#/alert_provider'],
  ])('refuse %j', async (body, pointer) => {
    expect(await post(body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });
});
