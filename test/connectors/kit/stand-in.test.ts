import { request as httpsRequest } from 'node:https';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, createAuthority, type StandIn, startStandIn } from '../../../connectors/kit/stand-in/stand-in.js';

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

let authority: Authority;
let standIn: StandIn<{ performed: number }>;

beforeAll(async () => {
  authority = await createAuthority();
  standIn = await startStandIn({
    authority,
    define(app) {
      const state = { performed: 0 };
      app.get('/things', async () => ({ value: ['one', 'two'] }));
      app.post('/things', async (request) => {
        state.performed += 1;
        return { received: request.body };
      });
      return state;
    },
  });
});

afterEach(() => {
  standIn.faults.clear();
  standIn.requests.length = 0;
  standIn.state.performed = 0;
});

afterAll(() => standIn.stop());

interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly ca?: string;
  readonly servername?: string;
  readonly untilBytes?: number;
}

function call(path: string, given: Call = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body, ca = authority.caPem, servername, untilBytes } = given;
  return new Promise((resolve, reject) => {
    const options = { method, headers, ca, agent: false, ...(servername === undefined ? {} : { servername }) };
    const outgoing = httpsRequest(`${standIn.url}${path}`, options, (incoming) => {
      let text = '';
      const end = () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      incoming.setEncoding('utf8');
      incoming.on('error', reject);
      incoming.on('end', end);
      incoming.on('data', (chunk: string) => {
        text += chunk;
        if (untilBytes === undefined || text.length < untilBytes) return;
        end();
        outgoing.destroy();
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

describe('the certificate authority', () => {
  it('is the only authority that validates the certificate of its stand-in', async () => {
    expect(await call('/things')).toMatchObject({ status: 200 });
    const stranger = await createAuthority();
    await expect(call('/things', { ca: stranger.caPem })).rejects.toThrow(/certificate|signature/);
  });

  it('issues certificates for the given hosts', async () => {
    await expect(call('/things', { servername: 'elsewhere.example' })).rejects.toThrow(/altnames/);
  });
});

describe('a stand-in', () => {
  it('responds on its routes and records every request', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await call('/things?$top=1');
    expect(JSON.parse((await call('/things', { method: 'POST', headers: form, body: 'a=1&b=x%20y' })).text)).toEqual({
      received: { a: '1', b: 'x y' },
    });
    expect((await call('/nothing')).status).toBe(404);
    expect(standIn.requests.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
      { method: 'GET', url: '/things?$top=1', body: undefined },
      { method: 'POST', url: '/things', body: { a: '1', b: 'x y' } },
      { method: 'GET', url: '/nothing', body: undefined },
    ]);
  });
});

describe('faults', () => {
  it('apply to the next matching requests, the given number of times', async () => {
    standIn.faults.next({
      match: ({ method }) => method === 'GET',
      times: 2,
      status: 429,
      headers: { 'retry-after': '7' },
      body: { no: 1 },
    });
    expect((await call('/things', { method: 'POST' })).status).toBe(200);
    for (const _ of [1, 2]) {
      expect(await call('/things')).toMatchObject({ status: 429, text: '{"no":1}', headers: { 'retry-after': '7' } });
    }
    expect((await call('/things')).status).toBe(200);
  });

  it('return an empty body, a body that is not JSON and a redirect', async () => {
    standIn.faults.next({ status: 503 });
    standIn.faults.next({ status: 500, body: '<html>', headers: { 'content-type': 'text/html' } });
    standIn.faults.next({ redirectTo: 'https://elsewhere.example/' });
    expect(await call('/things')).toMatchObject({ status: 503, text: '' });
    expect(await call('/things')).toMatchObject({ status: 500, text: '<html>', headers: { 'content-type': 'text/html' } });
    expect(await call('/things')).toMatchObject({ status: 302, headers: { location: 'https://elsewhere.example/' } });
  });

  it('reset the connection before and after the request has an effect', async () => {
    standIn.faults.next({ reset: true });
    await expect(call('/things', { method: 'POST' })).rejects.toThrow(/hang up|ECONNRESET/);
    expect(standIn.state.performed).toBe(0);
    standIn.faults.next({ reset: true, performed: true });
    await expect(call('/things', { method: 'POST' })).rejects.toThrow(/hang up|ECONNRESET/);
    expect(standIn.state.performed).toBe(1);
  });

  it('return a truncated, huge, late or slow response', async () => {
    standIn.faults.next({ truncate: true });
    await expect(call('/things')).rejects.toThrow(/aborted|ECONNRESET/);
    standIn.faults.next({ hugeBytes: 3_000_000 });
    expect((await call('/things')).text.length).toBe(3_000_000);
    standIn.faults.next({ latencyMs: 30 });
    const before = Date.now();
    expect((await call('/things')).status).toBe(200);
    expect(Date.now() - before).toBeGreaterThanOrEqual(29);
    standIn.faults.next({ drip: true });
    expect((await call('/things', { untilBytes: 3 })).text).toBe('{"v');
  });
});
