import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetOldIdempotencyKeys } from '../../../db/alerts/intake.js';
import { ago, changeAlerts, changeIdempotencyKeys, deleteAlert, fromNow } from '../../support/rows.js';
import { startTestService, type TestService } from '../../support/service.js';
import { JSON_TYPE, type ProblemBody, send, startSecondApi, type TextReply } from '../support/http.js';
import { createOrganization } from '../support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const ALERT = { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: 'user=dana from 203.0.113.9' };

function post(idempotencyKey: string, options: { body?: unknown; text?: string; key?: string; url?: string } = {}): Promise<TextReply> {
  return send(`${options.url ?? service.url}/platformapi/alerts`, {
    key: options.key ?? service.adminKey,
    body: options.text ?? JSON.stringify(options.body ?? ALERT),
    headers: { ...JSON_TYPE, 'idempotency-key': idempotencyKey },
  });
}

const parseAlertId = (reply: TextReply) => (JSON.parse(reply.text) as { alert_id: string }).alert_id;
const parseProblem = (reply: TextReply) => JSON.parse(reply.text) as ProblemBody;

async function countAlerts(): Promise<{ alerts: number; audited: number }> {
  const [row] = await service.database.pg<{ alerts: number; audited: number }[]>`
    select (select count(*)::int from alerts) as alerts, (select count(*)::int from audit_log where action = 'alert.create') as audited`;
  if (!row) throw new Error('count answers one row');
  return row;
}

describe('the same Idempotency-Key', () => {
  it('with the same body returns the first reply, byte for byte', async () => {
    const key = randomUUID();
    const body = { ...ALERT, created_at_source: 1_767_225_600 };
    const first = await post(key, { body });
    const before = await countAlerts();
    const second = await post(key, { body });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(await countAlerts()).toEqual(before);
  });

  it('keeps an int64 exact in the repeated reply', async () => {
    const key = randomUUID();
    const text = `${JSON.stringify(ALERT).slice(0, -1)},"created_at_source":9007199254740993}`;
    const first = await post(key, { text });
    expect((await post(key, { text })).text).toBe(first.text);
    expect(first.text).toContain('9007199254740993');
    expect((await post(key, { text: text.replace('993}', '992}') })).status).toBe(422);
  });

  it('compares the parsed body, not its formatting', async () => {
    const key = randomUUID();
    const first = await post(key, { body: ALERT });
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(ALERT).reverse()), null, 4).replace('dana', '\\u0064ana');
    expect((await post(key, { text: reordered })).text).toBe(first.text);
    expect((await post(key, { body: { ...ALERT, created_at_source: null } })).text).toBe(first.text);
  });

  it('returns the first reply even after the alert has changed', async () => {
    const key = randomUUID();
    const first = await post(key);
    const changed = { investigationStatus: 15, investigationRetryCount: 2, modifiedAt: fromNow({ hours: 1 }) };
    await changeAlerts(service, { alertId: parseAlertId(first) }, changed);
    expect((await post(key)).text).toBe(first.text);
  });

  it.each(['alert_content', 'alert_type', 'alert_provider', 'organization_code', 'created_at_source'] as const)(
    'with another %s is refused',
    async (field) => {
      const other = { alert_content: 'x', alert_type: 'x', alert_provider: 'firewall', organization_code: 'OTHER', created_at_source: 7 };
      if (field === 'organization_code') await createOrganization(service, 'OTHER');
      const key = randomUUID();
      const first = await post(key);
      const before = await countAlerts();
      const second = await post(key, { body: { ...ALERT, [field]: other[field] } });
      expect(second.status).toBe(422);
      expect(parseProblem(second).errors).toEqual([{ parameter: 'Idempotency-Key', detail: expect.stringContaining('another body') }]);
      expect(await countAlerts()).toEqual(before);
      expect((await post(key)).text).toBe(first.text);
    },
  );

  it('of an alert that was deleted says so, and stays refused with another body', async () => {
    const key = randomUUID();
    const first = await post(key);
    await deleteAlert(service, parseAlertId(first));
    const again = await post(key);
    expect(again.status).toBe(410);
    expect(parseProblem(again).detail).toContain('stored and deleted later');
    expect((await post(key, { body: { ...ALERT, alert_content: 'x' } })).status).toBe(422);
  });

  it('creates two alerts for two principals', async () => {
    const key = randomUUID();
    const senders = [await service.createKey('sender'), await service.createKey('sender')];
    const replies = await Promise.all(senders.map(({ api_key }) => post(key, { key: api_key })));
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(replies.map(parseAlertId)).size).toBe(2);
  });

  it('creates one alert, one number and fifty equal replies for fifty concurrent requests', async () => {
    const last = Number(
      parseAlertId(await post(randomUUID()))
        .split('-')
        .at(-1),
    );
    const before = await countAlerts();
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 50 }, () => post(key)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    expect(await countAlerts()).toEqual({ alerts: before.alerts + 1, audited: before.audited + 1 });
    expect(parseAlertId(await post(randomUUID()))).toBe(`DEMO-SIEM-${last + 2}`);
  });

  it('creates one alert for fifty concurrent requests to two processes', async () => {
    const second = await startSecondApi(service);
    const before = await countAlerts();
    for (let round = 1; round <= 5; round += 1) {
      const key = randomUUID();
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, index) => post(key, { url: index % 2 === 0 ? service.url : second.url })),
      );
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(replies[0]?.status).toBe(201);
      expect(await countAlerts()).toEqual({ alerts: before.alerts + round, audited: before.audited + round });
    }
  });

  it('creates one alert per key for many concurrent keys at two processes, without a deadlock', async () => {
    const second = await startSecondApi(service);
    const before = await countAlerts();
    const keys = Array.from({ length: 30 }, () => randomUUID());
    const sent = Array.from({ length: 240 }, (_, index) => ({
      key: keys[(index * 7) % keys.length] ?? '',
      url: index % 2 === 0 ? service.url : second.url,
    }));
    const replies = await Promise.all(sent.map(({ key, url }) => post(key, { url })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(parseAlertId)).size).toBe(keys.length);
    expect((await countAlerts()).alerts).toBe(before.alerts + keys.length);
  });

  it('accepts one of two concurrent bodies and refuses the other', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = randomUUID();
      const replies = await Promise.all([post(key), post(key, { body: { ...ALERT, alert_content: 'another' } })]);
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 422]);
    }
  });
});

describe('an Idempotency-Key', () => {
  it('has at most 255 characters', async () => {
    expect((await post('k'.repeat(255))).status).toBe(201);
    const long = await post('k'.repeat(256));
    expect(long.status).toBe(422);
    expect(parseProblem(long).errors).toEqual([{ parameter: 'idempotency-key', detail: expect.any(String) }]);
    expect((await post('')).status).toBe(422);
  });

  it('is not stored for a refused request', async () => {
    const key = randomUUID();
    expect((await post(key, { body: { ...ALERT, alert_provider: 'nothing' } })).status).toBe(422);
    expect((await post(key)).status).toBe(201);
  });

  it('is kept for at least 24 hours and then deleted', async () => {
    const { pg } = service.database;
    const [young, due, old] = [randomUUID(), randomUUID(), randomUUID()];
    const ages = [
      [23, young],
      [24, due],
      [72, old],
    ] as const;
    const replies = new Map<string, TextReply>();
    for (const [hours, key] of ages) {
      replies.set(key, await post(key));
      await changeIdempotencyKeys(service, { key }, { createdAt: ago({ hours }) });
    }
    expect(await forgetOldIdempotencyKeys(pg)).toBe(1);
    for (const key of [young, due]) expect((await post(key)).text).toBe(replies.get(key)?.text);
    const again = await post(old);
    expect(again.status).toBe(201);
    expect(again.text).not.toBe(replies.get(old)?.text);
  });
});
