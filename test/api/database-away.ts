import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type RunningApi, startApi } from '../../api/server.js';
import { connectDatabase } from '../../db/client.js';
import { readSettings, type Settings } from '../../platform/settings.js';
import { createApiKey } from '../../services/api-keys/create.js';
import { asService } from '../../services/context.js';
import { log, waitFor } from '../support/service.js';
import { JSON_TYPE, type ProblemBody, send, type TextReply } from './support/http.js';

const ALERT = { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: 'user=dana from 203.0.113.9' };

/** A bootstrapped database that a test can take away from the API. */
export interface TakenDatabase {
  readonly url: string;
  readonly adminKey: string;
  interrupt(): Promise<void>;
  resume(): Promise<void>;
  /** From then on it accepts connections and does not answer. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  remove(): Promise<void>;
}

export function describeDatabaseAway(name: string, start: () => Promise<TakenDatabase>): void {
  describe(name, () => {
    let database: TakenDatabase;
    let otherKey: string;
    let settings: Settings;
    let api: RunningApi;

    beforeAll(async () => {
      database = await start();
      const { db, close } = connectDatabase(database.url, { poolSize: 1, name: 'test' });
      ({ api_key: otherKey } = await createApiKey(asService(db), { name: 'other', role: 'admin', organization_code: null }));
      await close();
      settings = readSettings({
        PORT: '0',
        DATABASE_URL: database.url,
        TEMPORAL_ADDRESS: inject('temporalAddress'),
        TEMPORAL_NAMESPACE: `test-${randomUUID()}`,
        MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      });
      api = await startApi({ settings, log });
    });
    afterAll(async () => {
      await api.close();
      await database.remove();
    });

    const postAlert = (idempotencyKey = randomUUID()) =>
      send(`${api.url}/platformapi/alerts`, {
        key: database.adminKey,
        body: JSON.stringify(ALERT),
        headers: { ...JSON_TYPE, 'idempotency-key': idempotencyKey },
      });
    const get = (target: string, key = database.adminKey) => send(`${api.url}${target}`, { key });

    it('returns 503 with Retry-After while the database is down, and recovers without a restart', async () => {
      const second = await startApi({ settings, log });
      expect((await postAlert()).status).toBe(201);
      expect((await get('/platformapi/alerts')).status).toBe(200);

      await database.interrupt();
      for (let round = 0; round < 5; round += 1) {
        const replies = await within(
          8_000,
          Promise.all([
            postAlert(),
            get('/platformapi/alerts'),
            get('/platformapi/alerts/DEMO-SIEM-1'),
            get('/platformapi/cases', 'never seen before'),
          ]),
        );
        for (const reply of replies) expectUnavailable(reply);
      }
      expect((await within(8_000, get('/readyz'))).text).toContain('"status":"unavailable","postgres":"away"');
      expect((await get('/readyz')).status).toBe(503);
      expect((await within(1_000, get('/healthz'))).status).toBe(200);
      expect((await within(8_000, get('/metrics'))).status).toBe(200);

      await database.resume();
      const back = await waitFor('the API to accept an alert again', async () => {
        const reply = await postAlert();
        return reply.status === 201 && reply;
      });
      expect(JSON.parse(back.text)).toMatchObject({ alert_id: 'DEMO-SIEM-2' });
      await waitFor('the list to return 200', async () => (await get('/platformapi/alerts')).status === 200);
      await waitFor('/readyz to return ok', async () => (await get('/readyz')).text.includes('"status":"ok"'));

      // Both processes listen for revocations again: the first one refuses a key that the second one revokes.
      await waitFor('the API to accept the other key', async () => (await get('/platformapi/organizations', otherKey)).status === 200);
      const keys = JSON.parse((await get('/platformapi/api-keys')).text) as { items: { key_uuid: string }[] };
      const revoked = await waitFor('the second process to revoke the key', async () => {
        const reply = await send(`${second.url}/platformapi/api-keys/${keys.items.at(-1)?.key_uuid}`, {
          method: 'DELETE',
          key: database.adminKey,
        });
        return reply.status === 204;
      });
      expect(revoked).toBe(true);
      await within(
        10_000,
        waitFor('the first process to refuse the key', async () => (await get('/platformapi/organizations', otherKey)).status === 401),
      );
      await second.close();
    });

    it('returns 503 when the database accepts connections but does not answer', async () => {
      const key = randomUUID();
      expect((await postAlert()).status).toBe(201);
      // Opens every connection of the pool, so that the queries hang instead of being refused.
      await Promise.all(Array.from({ length: 4 * settings.DATABASE_POOL_SIZE }, () => get('/platformapi/alerts')));
      await database.freeze();
      try {
        const [post, stranger, list] = await Promise.all([
          within(20_000, postAlert(key)),
          within(
            20_000,
            send(`${api.url}/platformapi/alerts`, { key: 'never seen before', body: JSON.stringify(ALERT), headers: JSON_TYPE }),
          ),
          within(30_000, get('/platformapi/alerts')),
          // An answer from before the freeze counts for a second.
          waitFor('/readyz to notice', async () => (await within(5_000, get('/readyz'))).status === 503),
        ]);
        expectUnavailable(stranger);
        expectUnavailable(post);
        expect(post.text).toContain('may or may not be stored');
        expectUnavailable(list);
        expect((await get('/healthz')).status).toBe(200);
      } finally {
        await database.thaw();
      }
      const again = await waitFor('the database to answer', async () => {
        const reply = await postAlert(key);
        return reply.status === 201 && reply;
      });
      // The Idempotency-Key prevents a second alert, even if the first request was stored.
      const { alert_id } = JSON.parse(again.text) as { alert_id: string };
      const stored = JSON.parse((await get('/platformapi/alerts?limit=1')).text) as { items: { alert_id: string }[] };
      expect(stored.items.map((alert) => alert.alert_id)).toEqual([alert_id]);
      expect(JSON.parse((await postAlert()).text)).toMatchObject({ alert_id: `DEMO-SIEM-${Number(alert_id.split('-').at(-1)) + 1}` });
    });
  });
}

function expectUnavailable(reply: TextReply): void {
  expect(reply.status).toBe(503);
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect((JSON.parse(reply.text) as ProblemBody).detail).toMatch(/[Tt]ry again|Send it again/);
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const began = Date.now();
  const result = await work;
  expect(Date.now() - began).toBeLessThan(milliseconds);
  return result;
}
