import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildApp } from '../../api/app.js';
import { createLogger } from '../../platform/log.js';
import { createMetrics } from '../../platform/metrics.js';
import { log, startTestService, type TestService } from '../support/service.js';
import { JSON_TYPE, send, sendRaw } from './support/http.js';
import { countRows } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const ALERT = { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: 'user=dana from 203.0.113.9' };

describe('the rate limit', () => {
  it('returns 429 for guessed keys, and never for a valid key from the same address', async () => {
    const lines: string[] = [];
    const logged = createLogger('warn', 'test', { to: { write: (line) => void lines.push(line) } });
    const guessed = await startTestService({ worker: false, log: logged });
    onTestFinished(() => guessed.stop());
    const { api_key: unusedSoFar } = await guessed.createKey('sender');
    const { token: agentToken } = (
      await guessed.request<{ token: string }>('POST', '/platformapi/remote-agents', { body: { name: 'a', organization_code: 'DEMO' } })
    ).body;
    const claim = (token: string) =>
      guessed.request('POST', '/agentapi/claim', { key: null, body: {}, headers: { authorization: `Bearer ${token}` } });
    const statuses = { key: new Set<number>(), token: new Set<number>() };
    // The limit is for one minute, and a busy machine can need longer for the requests.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let round = 0; round < 7; round += 1) {
      const guesses = Array.from({ length: 100 }, (_, index) => `${round * 100 + index}`.padStart(43, '0'));
      const ask = (key: string) => send(`${guessed.url}/platformapi/alerts`, { key });
      for (const { status } of await Promise.all(guesses.map(ask))) statuses.key.add(status);
      for (const { status } of await Promise.all(guesses.map((guess) => claim(`agent_${guess}`)))) statuses.token.add(status);
    }
    expect(statuses).toEqual({ key: new Set([401, 429]), token: new Set([401, 429]) });
    expect((await guessed.request('GET', '/platformapi/alerts', { key: unusedSoFar })).status).toBe(200);
    // The body is invalid, so the claim does not wait for a step.
    expect((await claim(agentToken)).status).toBe(422);
    const { body: metrics } = await guessed.request<string>('GET', '/metrics');
    expect(metrics).toMatch(/^refused_keys_total\{use="api-key",throttled="false"\} 600$/m);
    expect(metrics).toMatch(/^refused_keys_total\{use="api-key",throttled="true"\} 100$/m);
    // 1,400 refusals within a minute write one line, or two if a minute ends on the way.
    const refusals = lines.filter((line) => line.includes('refused an unknown'));
    expect(refusals.length).toBeGreaterThanOrEqual(1);
    expect(refusals.length).toBeLessThan(10);
    expect(refusals[0]).toContain('"address":"127.0.0.1"');
  });

  it('counts guessed keys by the client address that a trusted proxy states', async () => {
    const behindProxy = await startTestService({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.0/8, ::1' } });
    onTestFinished(() => behindProxy.stop());
    const guess = async (client: string, key: string) =>
      (
        await send(`${behindProxy.url}/platformapi/session`, {
          body: JSON.stringify({ api_key: key }),
          headers: { ...JSON_TYPE, 'x-forwarded-for': client },
        })
      ).status;
    for (let count = 0; count < 20; count += 1) expect(await guess('198.51.100.1', `${count}-guess`.padStart(12, '0'))).toBe(401);
    expect(await guess('198.51.100.1', 'another-guess')).toBe(429);
    // The client can add entries only to the left.
    expect(await guess('192.0.2.77, 198.51.100.1', 'yet-another-guess')).toBe(429);
    expect(await guess('198.51.100.2', 'first-guess-of-another-client')).toBe(401);
  });

  it('counts guesses that begin alike from many addresses', async () => {
    const behindProxy = await startTestService({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } });
    onTestFinished(() => behindProxy.stop());
    const guess = async (count: number) =>
      (
        await send(`${behindProxy.url}/platformapi/session`, {
          body: JSON.stringify({ api_key: `ai_prefix-${count}` }),
          headers: { ...JSON_TYPE, forwarded: `for=198.51.100.${count}` },
        })
      ).status;
    for (let count = 0; count < 20; count += 1) expect(await guess(count)).toBe(401);
    expect(await guess(21)).toBe(429);
  });
});

describe('an incomplete or malformed request', () => {
  async function startAppWithShortTimeout(): Promise<string> {
    const app = await buildApp({
      database: service.database,
      metrics: createMetrics(),
      log,
      requestsPerMinute: 1_000,
      requestTimeoutMs: 500,
      isTemporalReachable: async () => true,
      keyring: service.keyring,
      runner: service.runner,
      operator: service.settings,
    });
    onTestFinished(() => app.close());
    return await app.listen({ port: 0, host: '127.0.0.1' });
  }

  it('returns 408 and stores nothing when its body arrives too slowly', async () => {
    const url = await startAppWithShortTimeout();
    const before = await countRows(service, 'alerts');
    const text = JSON.stringify(ALERT);
    const answer = await sendRaw(url, (socket) => {
      socket.write(
        `POST /platformapi/alerts HTTP/1.1\r\nhost: localhost\r\ncookie: Session=${service.adminKey}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`,
      );
      let sent = 0;
      const drip = setInterval(() => {
        socket.write(text.charAt(sent));
        sent += 1;
      }, 100);
      socket.once('close', () => clearInterval(drip));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('application/problem+json');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ status: 408 });
    expect(await countRows(service, 'alerts')).toBe(before);
  });

  it('returns 408 when its headers arrive too slowly', async () => {
    const url = await startAppWithShortTimeout();
    const answer = await sendRaw(url, (socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n');
      const drip = setInterval(() => socket.write('x: y\r\n'), 100);
      socket.once('close', () => clearInterval(drip));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});
