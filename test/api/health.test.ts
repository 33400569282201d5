import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../api/server.js';
import { createLogger } from '../../platform/log.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { JSON_TYPE, send } from './support/http.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

describe('health', () => {
  it('of the process is public', async () => {
    expect(await service.request('GET', '/healthz', { key: null })).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('of the service is ok when Postgres and Temporal respond', async () => {
    expect(await service.request('GET', '/readyz', { key: null })).toMatchObject({
      status: 200,
      body: { status: 'ok', postgres: 'ok', temporal: 'ok' },
    });
  });

  it('is degraded while Temporal is down, and alerts are still accepted', async () => {
    const alone = await startTestService({ worker: false, env: { TEMPORAL_ADDRESS: '127.0.0.1:1' } });
    onTestFinished(() => alone.stop());
    expect(await alone.request('GET', '/readyz', { key: null })).toMatchObject({
      status: 200,
      body: { status: 'degraded', postgres: 'ok', temporal: 'away' },
    });
    const alerts = await Promise.all(Array.from({ length: 20 }, () => alone.sendAlert()));
    expect(alerts.map((alert) => alert.investigation_status)).toEqual(Array.from({ length: 20 }, () => 0));
    const { body } = await alone.request<string>('GET', '/metrics', { key: null });
    expect(body).toMatch(/^outbox_waiting 20$/m);
    expect(body).toMatch(/^investigations_unfinished\{status="Created"\} 20$/m);
  });
});

describe('metrics', () => {
  it('have stable names and count alerts', async () => {
    const read = async (series: string) => {
      const { body } = await service.request<string>('GET', '/metrics', { key: null });
      return Number(new RegExp(`^${series} (\\S+)$`, 'm').exec(body)?.[1] ?? 0);
    };
    const created = await read('intake_requests_total{status="201"}');
    const refused = await read('intake_requests_total{status="422"}');
    const committed = await read('intake_batch_size_sum');
    const alert = await service.sendAlert();
    await service.request('POST', '/platformapi/alerts', { body: {} });
    expect(await read('intake_requests_total{status="201"}')).toBe(created + 1);
    expect(await read('intake_requests_total{status="422"}')).toBe(refused + 1);
    expect(await read('intake_batch_size_sum')).toBe(committed + 1);
    expect(await read('intake_commit_seconds_count')).toBeGreaterThan(0);
    await service.waitForStatus(alert.alert_id, 5);
    await waitFor('the dispatch to be counted', async () => (await read('dispatches_total{outcome="accepted"}')) > 0);
    expect(await read('dispatch_lag_seconds_count')).toBeGreaterThan(0);

    const { headers, body } = await service.request<string>('GET', '/metrics', { key: null });
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const name of [
      'intake_requests_total',
      'dispatch_lag_seconds',
      'outbox_waiting',
      'outbox_oldest_seconds',
      'investigations_total',
      'skill_calls_total',
      'skill_seconds',
      'process_cpu_seconds_total',
    ]) {
      expect(body).toMatch(new RegExp(`^# TYPE ${name} `, 'm'));
    }
  });

  it('contain no alert and no key', async () => {
    const alert = await service.sendAlert();
    const { body } = await service.request<string>('GET', '/metrics', { key: null });
    for (const secret of [alert.alert_id, alert.alert_uuid, service.adminKey, 'DEMO']) expect(body).not.toContain(secret);
  });
});

describe('the log', () => {
  /** The logger of the service, with its lines captured. */
  function capturingLogger(): { log: ReturnType<typeof createLogger>; lines: string[] } {
    const lines: string[] = [];
    const log = createLogger('trace', 'test');
    Object.assign(log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
    return { log, lines };
  }

  it('redacts keys and passwords in all fields that libraries use', () => {
    const { log, lines } = capturingLogger();
    const headers = { cookie: 'Session=hunter2', authorization: 'Bearer hunter2', host: 'here' };
    log.info({ headers }, 'headers');
    log.info({ req: { headers } }, 'request');
    log.info({ request: { headers }, res: { headers: { 'set-cookie': 'Session=hunter2' } } }, 'request and reply');
    log.info({ api_key: 'hunter2', apiKey: 'hunter2', password: 'hunter2', cookie: 'hunter2', authorization: 'hunter2' }, 'fields');
    log.info(
      {
        settings: {
          DATABASE_URL: 'postgres://u:hunter2@h/d',
          MASTER_KEY: 'hunter2',
          ADMIN_API_KEY: 'hunter2',
          TEMPORAL_API_KEY: 'hunter2',
        },
      },
      'settings',
    );
    log
      .child({ module: 'x' })
      .error({ err: Object.assign(new Error('no'), { parameters: ['hunter2'], args: ['hunter2'], query: 'hunter2' }) }, 'error');
    expect(lines).toHaveLength(6);
    expect(lines.join('')).not.toContain('hunter2');
    expect(lines.join('')).toContain('here');
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({
        process: 'test',
        level: expect.any(Number),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
  });

  it('contains no key and no content at the trace level', async () => {
    const { log, lines } = capturingLogger();
    const api = await startApi({ settings: service.settings, log });
    const post = (body: unknown, headers = {}) =>
      send(`${api.url}/platformapi/alerts`, { key: service.adminKey, body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } });
    const alert = { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: 'the-secret-content' };
    expect((await post(alert)).status).toBe(201);
    expect((await post({ ...alert, alert_type: '' })).status).toBe(422);
    await send(`${api.url}/platformapi/alerts`, { key: 'the-secret-guess' });
    // Provokes an unexpected error, which is logged with its details.
    const { pg } = service.database;
    await pg`create function refuse_entries() returns trigger language plpgsql as $$ begin raise exception 'no entry today'; end $$`;
    await pg`create trigger refuse_entries before insert on audit_log for each statement execute function refuse_entries()`;
    try {
      expect((await post(alert)).status).toBe(500);
      const created = await send(`${api.url}/platformapi/api-keys`, {
        key: service.adminKey,
        body: '{"name": "the-secret-name", "role": "sender", "organization_code": null}',
        headers: JSON_TYPE,
      });
      expect(created.status).toBe(500);
      expect(created.text).not.toMatch(/no entry today|audit_log/);
    } finally {
      await pg`drop trigger refuse_entries on audit_log`;
    }
    await api.close();
    const written = lines.join('');
    expect(written).toContain('no entry today');
    expect(written).not.toContain(service.adminKey);
    expect(written).not.toContain('the-secret');
    expect(written).not.toMatch(/Session=/);
  });
});
