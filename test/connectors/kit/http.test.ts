import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, deflate, deflateRawSync, deflateSync, gzip, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Egress } from '../../../connectors/kit/egress.js';
import { HttpClient, type HttpOptions } from '../../../connectors/kit/http.js';
import type { Http, HttpRequest } from '../../../connectors/kit/implement.js';
import { createAuthority } from '../../../connectors/kit/stand-in/stand-in.js';
import { SkillError, type ThirdPartyError, UnexpectedReply } from '../../../domain/connection/skill-errors.js';
import { waitFor } from '../../support/wait-for.js';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let server: Server;
let httpClient: HttpClient;
let base: string;
let port: number;
let trusted: string;
/** How the third party handles the next requests. Each test sets it. */
let answer: Answer;
const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
let connections = 0;
let open = 0;

beforeAll(async () => {
  const authority = await createAuthority();
  trusted = authority.caPem;
  const { key, cert } = await authority.issue(['localhost', '*.stand-in.example']);
  server = createServer({ key, cert }, async (request, response) => {
    const chunks = await request.toArray().catch(() => []);
    const body = Buffer.concat(chunks).toString();
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    answer(request, response, body);
  });
  server.on('secureConnection', (socket) => {
    connections += 1;
    open += 1;
    socket
      .on('error', () => {})
      .on('close', () => {
        open -= 1;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : expect.fail('no port');
  base = `https://localhost:${port}`;
  httpClient = new HttpClient(new Egress({ allow: ['127.0.0.1/32'], ca: authority.caPem, resolve: async () => ['127.0.0.1'] }));
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  seen.length = 0;
});

afterAll(async () => {
  await httpClient.close();
  server.closeAllConnections();
  server.close();
});

function http(options: Partial<HttpOptions> = {}): Http {
  return httpClient.forConnection({
    connectionId: randomBytes(4).toString('hex'),
    organization: null,
    requestsPerMinute: 1000,
    signal: new AbortController().signal,
    ...options,
  });
}

function get(path: string, more: Partial<HttpRequest> = {}) {
  return http().request({ method: 'GET', url: `${base}${path}`, ...more });
}

async function failure(work: Promise<unknown>): Promise<ThirdPartyError> {
  const error = await work.then(
    () => expect.fail('it went through'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof SkillError)) throw error;
  return error as ThirdPartyError;
}

const say =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

describe('a request', () => {
  it('encodes its query and appends it to the query of the URL', async () => {
    answer = say('{}');
    await get('/v1/events?$skip=20&x=a+b', {
      query: {
        'event_type[]': ['553648130', '2'],
        $filter: "createdTime gt 2026-01-01T00:00:00Z and name eq 'a+b&c'",
        triggered: '[2026-01-01,2026-02-01]',
        limit: 50,
        nothing: undefined,
        none: [],
        half: '\ud800',
      },
    });
    expect(seen[0]?.url).toBe(
      '/v1/events?$skip=20&x=a+b&event_type%5B%5D=553648130&event_type%5B%5D=2' +
        '&%24filter=createdTime%20gt%202026-01-01T00%3A00%3A00Z%20and%20name%20eq%20%27a%2Bb%26c%27' +
        '&triggered=%5B2026-01-01%2C2026-02-01%5D&limit=50&half=%EF%BF%BD',
    );
  });

  it('has a JSON body, a form body or no body', async () => {
    answer = say('{}');
    await http().request({ method: 'POST', url: `${base}/a`, json: { name: 'ü' } });
    await http().request({ method: 'POST', url: `${base}/b`, form: { scope: 'https://x/.default', secret: 'a+b &=' } });
    await http().request({ method: 'POST', url: `${base}/c`, headers: { 'Content-Type': 'text/plain' }, json: 'x' });
    await get('/d', { headers: { Accept: 'text/csv', 'X-Api-Key': 'k' } });
    expect(seen[0]).toMatchObject({ body: '{"name":"ü"}', headers: { 'content-type': 'application/json' } });
    expect(seen[1]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(seen[1]?.body))).toEqual({ scope: 'https://x/.default', secret: 'a+b &=' });
    expect(seen[2]?.headers['content-type']).toBe('text/plain');
    expect(seen[3]?.headers).toMatchObject({ accept: 'text/csv', 'x-api-key': 'k', 'accept-encoding': 'gzip, deflate, br' });
    expect(seen[3]?.headers['content-type']).toBeUndefined();
  });

  it('reuses the connection of earlier requests', async () => {
    answer = say('{}');
    await get('/');
    const before = connections;
    for (let count = 0; count < 5; count += 1) await get('/');
    expect(connections).toBe(before);
  });

  it('with an invalid header value is not sent, and the error omits the value', async () => {
    const error = await failure(get('/', { headers: { authorization: 'Bearer canary\r\nx: y' } }));
    expect(error).toMatchObject({ code: 'BadRequest', mayHaveHappened: false });
    expect(`${error.message} ${error.resolution}`).not.toContain('canary');
    expect(seen).toEqual([]);
  });
});

describe('a response', () => {
  it.each([200, 204, 304, 400, 401, 404, 429, 500, 503])('with status %d is returned', async (status) => {
    answer = say('', { 'Retry-After': '7', 'X-Two': 'a' }, status);
    const reply = await get('/');
    expect(reply).toMatchObject({ status, text: '', headers: { 'retry-after': '7', 'x-two': 'a' } });
  });

  it('keeps the digits of IDs beyond 2^53', async () => {
    answer = say(
      '{"id":6180352115244794883, "list":[ 9007199254740993 ,-9007199254740993,1],"safe":9007199254740991,"ratio":0.1234567890123456789,' +
        '"text":"id: 6180352115244794883, \\u00fc","nested":{"a":[{"b":12345678901234567890}]},"big":1e400,"__proto__":{"x":1},"a":1,"a":2}',
    );
    const parsed = (await get('/')).json();
    expect(parsed).toMatchObject({
      id: '6180352115244794883',
      list: ['9007199254740993', '-9007199254740993', 1],
      safe: 9007199254740991,
      ratio: 0.12345678901234568,
      text: 'id: 6180352115244794883, ü',
      nested: { a: [{ b: '12345678901234567890' }] },
      a: 2,
    });
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    answer = say('6180352115244794883');
    expect((await get('/')).json()).toBe('6180352115244794883');
  });

  it('is decoded as UTF-8, with or without a byte order mark', async () => {
    answer = say(Buffer.from('\ufeff{"name":"Zoë"}'));
    expect((await get('/')).json()).toEqual({ name: 'Zoë' });
    answer = say(Buffer.from([0x22, 0xff, 0x22]));
    expect((await get('/')).json()).toBe('\ufffd');
  });

  it.each(['<html>canary</html>', '', '{"a":', `${'['.repeat(200_000)}6180352115244794883${']'.repeat(200_000)}`])(
    'without valid JSON is an UnexpectedReply (%#)',
    async (body) => {
      answer = say(body, {}, 200);
      const reply = await get('/');
      expect(() => reply.json()).toThrow(UnexpectedReply);
      expect(() => reply.json()).toThrow('localhost sent a reply that is not JSON (HTTP 200).');
    },
  );

  const text = JSON.stringify({ list: Array.from({ length: 5000 }, (_, index) => ({ index, name: 'Zoë' })) });
  it.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('is decompressed: %s', async (encoding, body) => {
    answer = say(body, { 'content-encoding': encoding });
    expect((await get('/')).text).toBe(text);
  });

  it('without a body is not decompressed', async () => {
    answer = say('', { 'content-encoding': 'gzip' });
    expect((await get('/')).text).toBe('');
  });

  it.each([
    ['gzip', gzipSync(text).subarray(0, 200)],
    ['gzip', Buffer.from('not compressed')],
    ['zstd', Buffer.from('?')],
    ['constructor', Buffer.from('?')],
    ['gzip, gzip', gzipSync(gzipSync(text))],
  ])('that cannot be decompressed is an UnexpectedReply: %s', async (encoding, body) => {
    answer = say(body, { 'content-encoding': encoding });
    expect((await failure(get('/'))).code).toBe('UnexpectedReply');
  });

  it('is limited by its decompressed size', async () => {
    const zeros = Buffer.alloc(9 * 1024 * 1024);
    for (const [encoding, compress] of [
      ['gzip', gzip],
      ['br', brotliCompress],
      ['deflate', deflate],
    ] as const) {
      const bomb = await promisify<Buffer, Buffer>(compress)(zeros);
      expect(bomb.length).toBeLessThan(zeros.length / 500);
      answer = say(bomb, { 'content-encoding': encoding });
      const error = await failure(get('/'));
      expect(error).toMatchObject({ code: 'ReplyTooLarge', message: `localhost sent a reply of more than ${8 * 1024 * 1024} bytes.` });
    }
    answer = say('x'.repeat(1001));
    expect((await failure(get('/', { maxBytes: 1000 }))).code).toBe('ReplyTooLarge');
    answer = say(gzipSync('x'.repeat(1001)), { 'content-encoding': 'gzip' });
    expect((await failure(get('/', { maxBytes: 1000 }))).code).toBe('ReplyTooLarge');
    expect((await get('/', { maxBytes: 1001 })).text).toHaveLength(1001);
  });

  it('that never ends is aborted at the limit', async () => {
    const ended = new Promise<void>((resolve) => {
      answer = (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        };
        response.on('drain', more).on('close', resolve);
        more();
      };
    });
    expect((await failure(get('/'))).code).toBe('ReplyTooLarge');
    await ended;
  });
});

describe('a redirect', () => {
  const redirect =
    (to: string, status = 302): Answer =>
    (request, response) =>
      void (request.url === '/end'
        ? response.end('"there"')
        : response.writeHead(status, { location: to.replace('BASE', base).replace('PORT', String(port)) }).end());

  it.each(['/end', 'end', 'BASE/end', '//localhost:PORT/end', 'https://LOCALHOST:PORT/end#part'])(
    'within the origin is followed: %s',
    async (to) => {
      answer = redirect(to);
      expect((await get('/start', { headers: { authorization: 'Bearer t' } })).json()).toBe('there');
      expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
        ['/start', 'Bearer t'],
        ['/end', 'Bearer t'],
      ]);
    },
  );

  it.each([
    ...['https://other.stand-in.example:PORT/end', '//other.stand-in.example:PORT/end', 'http://localhost:PORT/end'],
    ...['https://localhost:1/end', 'https://localhost/end', 'https://user:pw@localhost:PORT/end', 'https://127.0.0.1:PORT/end'],
    ...['https://[::ffff:127.0.0.1]:PORT/end', 'https://localhost.:PORT/end', 'ftp://localhost/', 'https://', '\\\\127.0.0.1:PORT\\end'],
  ])('to another origin is rejected: %s', async (to) => {
    answer = redirect(to);
    const error = await failure(get('/start', { headers: { authorization: 'Bearer canary' } }));
    expect(error).toMatchObject({ code: 'EgressRefused', status: 302 });
    expect(error.message).not.toContain('canary');
    expect(seen.map(({ url }) => url)).toEqual(['/start']);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('of a %s is rejected', async (method) => {
    answer = redirect('/end', 307);
    expect(await failure(http().request({ method, url: `${base}/start` }))).toMatchObject({
      code: 'EgressRefused',
      mayHaveHappened: false,
    });
    expect(seen).toHaveLength(1);
  });

  it('in a loop ends with an error', async () => {
    answer = redirect('/start');
    expect((await failure(get('/start'))).code).toBe('EgressRefused');
    expect(seen).toHaveLength(4);
  });

  it('without a location is returned as a response', async () => {
    answer = say('', {}, 302);
    expect((await get('/')).status).toBe(302);
  });
});

describe('a request without a response', () => {
  const secrets = { headers: { authorization: 'Bearer canary' }, query: { key: 'canary' }, json: { password: 'canary' } };
  const post = (options: Partial<HttpOptions> = {}) => http(options).request({ method: 'POST', url: `${base}/canary`, ...secrets });

  it.each<[string, Answer]>([
    ['a connection reset before the response', (request) => void request.socket.destroy()],
    [
      'a connection reset during the response',
      (request, response) => void response.writeHead(200, { 'content-length': 100 }).write('half', () => request.socket.destroy()),
    ],
    [
      'a truncated response',
      (request, response) => void response.writeHead(200, { 'content-length': 100 }).write('half', () => request.socket.end()),
    ],
    ['a response that is not HTTP', (request) => void request.socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['headers that exceed the limit', (_, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end()],
  ])('may have had an effect after %s', async (_, does) => {
    answer = does;
    const error = await failure(post());
    expect(error).toMatchObject({ code: 'Unavailable', retryable: true, mayHaveHappened: true });
    expect(`${error.message} ${error.resolution} ${error.stack}`).not.toContain('canary');
    expect(error.message).toMatch(/^The call to localhost failed: [a-zA-Z ]+\.$/);
  });

  it('has no effect without a connection', async () => {
    const attempt = http().request({ method: 'POST', url: 'https://wrong-name.example:443/', ...secrets });
    expect(await failure(attempt)).toMatchObject({ code: 'Unavailable', mayHaveHappened: false });
  });

  it('can be aborted before and after it is sent', async () => {
    const giving = new AbortController();
    const arrived = new Promise<void>((resolve) => {
      answer = () => resolve();
    });
    const waiting = failure(post({ signal: giving.signal }));
    await arrived;
    giving.abort();
    expect(await waiting).toMatchObject({ code: 'Unavailable', mayHaveHappened: true });
    expect(await failure(post({ signal: giving.signal }))).toMatchObject({ code: 'Unavailable', mayHaveHappened: false });
    expect(seen).toHaveLength(1);
  });

  it('is not sent when it is aborted during the connection setup', async () => {
    const giving = new AbortController();
    let found = (_: string[]) => {};
    const resolve = vi.fn(
      () =>
        new Promise<string[]>((resolved) => {
          found = resolved;
        }),
    );
    const own = new HttpClient(new Egress({ allow: ['127.0.0.1/32'], ca: trusted, resolve }));
    const call = failure(
      own
        .forConnection({ connectionId: 'c', organization: null, requestsPerMinute: 10, signal: giving.signal })
        .request({ method: 'POST', url: base }),
    );
    await waitFor('the lookup of the name', async () => resolve.mock.calls.length > 0);
    giving.abort();
    expect(await call).toMatchObject({ code: 'Unavailable', mayHaveHappened: false });
    found(['127.0.0.1']);
    await own.close();
    expect(seen).toEqual([]);
  });

  describe('time limits', () => {
    let hasty: HttpClient;
    const calls = () =>
      hasty.forConnection({ connectionId: 'c', organization: null, requestsPerMinute: 10, signal: new AbortController().signal }).request({
        method: 'POST',
        url: `${base}/canary`,
        ...secrets,
      });
    const start = (limits: { callMs: number; silenceMs: number }) => {
      hasty = new HttpClient(new Egress({ allow: ['127.0.0.1/32'], ca: trusted, resolve: async () => ['127.0.0.1'] }), { limits });
    };
    afterEach(() => hasty.close());

    it('limit the whole call when one byte arrives at a time', async () => {
      start({ callMs: 500, silenceMs: 30_000 });
      answer = (_, response) => {
        response.writeHead(200);
        const dripping = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(dripping));
      };
      const message = 'localhost did not reply in time.';
      expect(await failure(calls())).toMatchObject({ code: 'Unavailable', mayHaveHappened: true, message });
    });

    it('limit silence before and during the response', async () => {
      start({ callMs: 60_000, silenceMs: 300 });
      answer = () => {};
      const before = 'The call to localhost failed: it did not reply in time.';
      expect(await failure(calls())).toMatchObject({ code: 'Unavailable', mayHaveHappened: true, message: before });
      answer = (_, response) => void response.writeHead(200).write('half');
      const middle = 'The call to localhost failed: its reply stopped before the end.';
      expect(await failure(calls())).toMatchObject({ code: 'Unavailable', mayHaveHappened: true, message: middle });
    });
  });
});

describe('the rate limit of a connection', () => {
  it('returns the wait time when the connection exceeds it, and does not affect other connections', async () => {
    answer = say('{}');
    const slow = { connectionId: 'slow', requestsPerMinute: 3 };
    const request: HttpRequest = { method: 'GET', url: `${base}/` };
    await Promise.all([1, 2, 3].map(() => http(slow).request(request)));
    const refused = await failure(http(slow).request(request));
    expect(refused).toMatchObject({ code: 'RateLimited', mayHaveHappened: false });
    expect(refused.retryAfterSeconds).toBeGreaterThan(50);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(seen).toHaveLength(3);
    await http({ connectionId: 'other', requestsPerMinute: 3 }).request(request);
    expect(seen).toHaveLength(4);
  });

  it('counts requests in a sliding minute', async () => {
    answer = say('{}');
    const now = vi.spyOn(performance, 'now');
    const send = (atSeconds: number) => {
      now.mockReturnValue(atSeconds * 1000);
      return http({ connectionId: 'sliding', requestsPerMinute: 2 }).request({ method: 'GET', url: `${base}/` });
    };
    await send(1000);
    await send(1050);
    expect((await failure(send(1052))).retryAfterSeconds).toBe(8);
    await send(1060);
    expect((await failure(send(1062))).retryAfterSeconds).toBe(48);
    await send(1110);
    expect(seen).toHaveLength(4);
  });

  it('delays a request that has a short wait', async () => {
    answer = say('{}');
    const shortly = { connectionId: 'shortly', requestsPerMinute: 1 };
    const start = performance.now();
    const now = vi.spyOn(performance, 'now').mockReturnValue(start - 59_800);
    await http(shortly).request({ method: 'GET', url: `${base}/` });
    now.mockRestore();
    await http(shortly).request({ method: 'GET', url: `${base}/` });
    expect(performance.now() - start).toBeGreaterThanOrEqual(199);
    expect(seen).toHaveLength(2);
  });

  it('allows 100 parallel requests when it is very high', async () => {
    answer = say('{}');
    const many = { connectionId: 'many', requestsPerMinute: Number.MAX_SAFE_INTEGER };
    await Promise.all(Array.from({ length: 100 }, () => http(many).request({ method: 'GET', url: `${base}/` })));
    expect(seen).toHaveLength(100);
  });
});

it('keeps connections open for a limited number of hosts', async () => {
  answer = say('{}');
  for (let count = 0; count < 220; count += 1) {
    await http().request({ method: 'GET', url: `https://h${count}.stand-in.example:${port}/` });
  }
  await waitFor('at most 200 open connections', async () => open <= 200);
  expect(seen).toHaveLength(220);
});
