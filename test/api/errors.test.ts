import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../api/app.js';
import { ProblemDocument } from '../../api/http/problems.js';
import { createMetrics } from '../../platform/metrics.js';
import { log, startTestService, type TestService } from '../support/service.js';
import { JSON_TYPE, type ProblemBody, send, speak, type TextReply } from './support/http.js';
import { countChanges, countRows, createOrganization, investigate } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const ALERT = { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: 'user=dana from 203.0.113.9' };
const MEBIBYTE = 1024 * 1024;

/** Every refusal has this shape, whatever refused it. */
function parseProblem(reply: TextReply): ProblemBody {
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  const problem = ProblemDocument.parse(JSON.parse(reply.text));
  expect(problem.status).toBe(reply.status);
  expect(problem.title).not.toBe('Error');
  return problem as ProblemBody;
}

async function refused(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE): Promise<ProblemBody> {
  const before = await countRows(service, 'alerts');
  const problem = parseProblem(await send(`${service.url}/platformapi/alerts`, { key: service.adminKey, body, headers }));
  expect(await countRows(service, 'alerts')).toBe(before);
  return problem;
}

/** The alert's JSON with one more or one other field, written as given. */
const withField = (name: string, written: string) => {
  const fields = Object.entries({ ...ALERT }).filter(([field]) => field !== name);
  return `{${[...fields.map(([field, value]) => `"${field}":${JSON.stringify(value)}`), `"${name}":${written}`].join(',')}}`;
};

describe('a body that is not JSON', () => {
  it.each([
    ['cut off', '{"alert_content": "x'],
    ['with a comma too many', '{"alert_content": "x",}'],
    ['in single quotes', "{'alert_content': 'x'}"],
    ['of words', 'alert!'],
    ['of nothing', ''],
    ['with a bare control character', '{"alert_content": "a\tb"}'],
    ['with NaN', '{"created_at_source": NaN}'],
    ['with two values', '{} {}'],
  ])('%s is answered 400', async (_, body) => {
    const problem = await refused(body);
    expect(problem.status).toBe(400);
    expect(problem.detail).toMatch(/JSON/);
  });

  it('is not repeated in the answer', async () => {
    const problem = await refused('{"password": hunter2, "more": "hunter2"}');
    expect(problem.status).toBe(400);
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it.each([
    ['a stray continuation byte', [0x80]],
    ['half a character', [0xc3]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('because it is not UTF-8 (%s) is answered 400', async (_, bytes) => {
    const [before, after] = JSON.stringify({ ...ALERT, alert_content: '@' }).split('@');
    const problem = await refused(new Uint8Array(Buffer.concat([Buffer.from(before ?? ''), Buffer.from(bytes), Buffer.from(after ?? '')])));
    expect(problem).toMatchObject({ status: 400, detail: expect.stringContaining('UTF-8') });
  });

  it.each(['__proto__', 'constructor'])('but an attempt on the prototype (%s) is answered 400', async (name) => {
    expect((await refused(withField(name, '{"prototype": {"isAdmin": true}}'))).status).toBe(400);
    expect((await refused(withField(name, '{"prototype": {"isAdmin": true}}').replace('_', '\\u005f'))).status).toBe(400);
  });
});

describe('nesting', () => {
  const nested = (depth: number) => withField('extra', '['.repeat(depth - 1) + ']'.repeat(depth - 1));

  it('is read up to 64 levels and refused beyond', async () => {
    expect(await refused(nested(64))).toMatchObject({ status: 422, errors: [{ pointer: '#/extra' }] });
    expect(await refused(nested(65))).toMatchObject({ status: 400, detail: expect.stringContaining('64') });
    expect((await refused('['.repeat(500_000))).status).toBe(400);
    expect((await refused('{"a":'.repeat(100_000))).status).toBe(400);
  });

  it('does not count brackets inside strings', async () => {
    const reply = await send(`${service.url}/platformapi/alerts`, {
      key: service.adminKey,
      headers: JSON_TYPE,
      body: JSON.stringify({ ...ALERT, alert_content: `\\"${'[{'.repeat(1_000)}"` }),
    });
    expect(reply.status).toBe(201);
  });
});

describe('size and type of the body', () => {
  it('above one MiB is answered 413', async () => {
    expect((await refused(JSON.stringify({ ...ALERT, alert_content: 'x'.repeat(MEBIBYTE) }))).status).toBe(413);
  });

  it('above one MiB in pieces of unknown number is answered 413 too', async () => {
    const answer = await speak(service.url, (socket) => {
      socket.write(
        `POST /platformapi/alerts HTTP/1.1\r\nhost: x\r\ncookie: Session=${service.adminKey}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`,
      );
      const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      for (let pieces = 0; pieces < 20; pieces += 1) socket.write(piece);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'application/xml',
    'nonsense',
  ])('as %s is answered 415', async (type) => {
    expect((await refused(JSON.stringify(ALERT), { 'content-type': type })).status).toBe(415);
  });

  it('without a content type is answered 415', async () => {
    const text = JSON.stringify(ALERT);
    const answer = await speak(service.url, (socket) =>
      socket.end(
        `POST /platformapi/alerts HTTP/1.1\r\nhost: x\r\ncookie: Session=${service.adminKey}\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
      ),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
    expect(answer).toContain('application/problem+json');
  });

  it.each(['iso-8859-1', 'UTF-16', '"utf-16le"'])('in the charset %s is answered 415', async (charset) => {
    expect((await refused(JSON.stringify(ALERT), { 'content-type': `application/json; charset=${charset}` })).status).toBe(415);
  });

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; profile=x',
  ])('as %s is taken', async (type) => {
    const reply = await send(`${service.url}/platformapi/alerts`, {
      key: service.adminKey,
      body: JSON.stringify(ALERT),
      headers: { 'content-type': type },
    });
    expect(reply.status).toBe(201);
  });
});

describe('a field', () => {
  const fields = ['alert_content', 'alert_provider', 'organization_code', 'alert_type'] as const;
  const wrong = [
    ['of the wrong type (number)', '7'],
    ['of the wrong type (null)', 'null'],
    ['of the wrong type (object)', '{}'],
    ['of the wrong type (array)', '["x"]'],
    ['that is empty', '""'],
    ['that is blank', '" \\t\\n\\u00a0 "'],
    ['with a NUL', '"a\\u0000b"'],
    ['with half a surrogate pair', '"a\\ud800b"'],
    ['with the other half', '"a\\udc00"'],
    ['with a surrogate pair the wrong way round', '"\\udc00\\ud800"'],
  ] as const;

  it.each(fields.flatMap((field) => wrong.map(([what, written]) => [field, what, written] as const)))(
    '%s %s is pointed at',
    async (field, _, written) => {
      const problem = await refused(withField(field, written));
      expect(problem.status).toBe(422);
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual([`#/${field}`]);
    },
  );

  it.each(fields)('%s that is missing is pointed at', async (field) => {
    const { [field]: _, ...rest } = ALERT;
    expect(await refused(JSON.stringify(rest))).toMatchObject({
      status: 422,
      errors: [{ pointer: `#/${field}`, detail: expect.stringContaining('required') }],
    });
  });

  it('that nobody knows is pointed at, in the spelling of JSON pointers', async () => {
    expect((await refused(withField('severity', '"high"'))).errors).toEqual([
      { pointer: '#/severity', detail: 'severity: is not a known field.' },
    ]);
    expect((await refused(withField('a/b~c', '1'))).errors?.[0]?.pointer).toBe('#/a~1b~0c');
  });

  it('each that is wrong is pointed at', async () => {
    const problem = await refused('{"alert_content": 1, "alert_type": "", "severity": 3, "created_at_source": "now"}');
    const pointers = problem.errors?.map(({ pointer }) => pointer);
    expect(pointers?.sort()).toEqual([
      '#/alert_content',
      '#/alert_provider',
      '#/alert_type',
      '#/created_at_source',
      '#/organization_code',
      '#/severity',
    ]);
  });

  it.each([
    ['above int64', '9223372036854775808'],
    ['below int64', '-9223372036854775809'],
    ['of a hundred thousand digits', '9'.repeat(100_000)],
    ['with a fraction', '1.5'],
    ['with a fraction beyond what is exact', '9007199254740993.5'],
    ['with a huge exponent', '1e400'],
    ['with a large exponent', '1e19'],
    ['in quotes', '"1767225600"'],
    ['of the wrong kind', 'true'],
    ['in an array', '[1767225600]'],
  ])('created_at_source %s is pointed at', async (_, written) => {
    expect((await refused(withField('created_at_source', written))).errors?.map(({ pointer }) => pointer)).toEqual(['#/created_at_source']);
  });

  it('that comes twice counts as it comes last, whatever stands beside it', async () => {
    for (const source of ['1', '9007199254740993']) {
      const written = `{"alert_type":"first","alert_type":"last",${withField('created_at_source', source).slice(1).replace('"alert_type":"Odd sign-in",', '')}`;
      const reply = await send(`${service.url}/platformapi/alerts`, { key: service.adminKey, body: written, headers: JSON_TYPE });
      expect(reply.status).toBe(201);
      expect(JSON.parse(reply.text)).toMatchObject({ alert_type: 'last' });
    }
  });

  it('that names nothing we know says where to list what there is', async () => {
    const problem = await refused(JSON.stringify({ ...ALERT, organization_code: 'NOBODY', alert_provider: 'nothing' }));
    expect(problem.status).toBe(422);
    expect(problem.errors).toEqual([
      { pointer: '#/organization_code', detail: expect.stringContaining('GET /platformapi/organizations') },
      { pointer: '#/alert_provider', detail: expect.stringContaining('GET /platformapi/providers') },
    ]);
  });

  it('among a hundred thousand unknown ones gets a short answer', async () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [index, 1])));
    const long = JSON.stringify({ ...ALERT, ['k'.repeat(500_000)]: 1 });
    for (const body of [many, long]) {
      const problem = await refused(body);
      expect(problem.status).toBe(422);
      expect(JSON.stringify(problem).length).toBeLessThan(20_000);
    }
  });

  it.each(['[]', '"alert"', '7', 'null', 'true'])('cannot be in a body that is %s', async (body) => {
    expect(await refused(body)).toMatchObject({ status: 422, errors: [{ pointer: '#' }] });
  });
});

describe('a parameter', () => {
  it.each([
    ['alerts', 'limit=0', 'limit'],
    ['alerts', 'limit=201', 'limit'],
    ['alerts', 'limit=x', 'limit'],
    ['alerts', 'limit=', 'limit'],
    ['alerts', 'limit=1.5', 'limit'],
    ['alerts', 'limit=1&limit=2', 'limit'],
    ['alerts', 'cursor=', 'cursor'],
    ['alerts', 'cursor=nonsense', 'cursor'],
    ['alerts', `cursor=${Buffer.from("' or 1=1 --").toString('base64url')}`, 'cursor'],
    ['alerts', `cursor=${'a'.repeat(201)}`, 'cursor'],
    ['alerts', 'status=3', 'status'],
    ['alerts', 'status=Created', 'status'],
    ['alerts', 'status=', 'status'],
    ['alerts', 'created_from=yesterday', 'created_from'],
    ['alerts', 'created_from=-1', 'created_from'],
    ['alerts', 'created_from=', 'created_from'],
    ['alerts', 'created_before=1e400', 'created_before'],
    ['alerts', `text=${'x'.repeat(501)}`, 'text'],
    ['alerts', 'text=%00', 'text'],
    ['alerts', 'provider=%00', 'provider'],
    ['alerts', 'organization_code=%00', 'organization_code'],
    ['alerts', 'alert_type=%00', 'alert_type'],
    ['alerts/%00', '', 'alert_id'],
    [`alerts/${'x'.repeat(151)}`, '', 'alert_id'],
    ['cases', 'status=done', 'status'],
    ['cases', 'severity=huge', 'severity'],
    ['cases', 'verdict=guilty', 'verdict'],
    ['cases', 'assignee=%00', 'assignee'],
    ['cases/%00', '', 'case_id'],
    ['organizations', 'cursor=x', 'cursor'],
    ['providers', 'limit=-1', 'limit'],
    ['playbooks', 'cursor=x', 'cursor'],
    ['api-keys', 'cursor=x', 'cursor'],
    ['audit', `cursor=${Buffer.from('01a1dd78-72e9-7236-aeab-ed7c2436108c').toString('base64url')}`, 'cursor'],
    ['audit', `cursor=${Buffer.from('9'.repeat(16)).toString('base64url')}`, 'cursor'],
  ])('of %s that is not usable (%s) is named', async (path, query, parameter) => {
    const problem = parseProblem(await send(`${service.url}/platformapi/${path}?${query}`, { key: service.adminKey }));
    expect(problem).toMatchObject({ status: 422, errors: [{ parameter }] });
    expect(problem.errors).toHaveLength(1);
  });

  it('that is no id of a key is named', async () => {
    expect(parseProblem(await send(`${service.url}/platformapi/api-keys/7`, { method: 'DELETE', key: service.adminKey }))).toMatchObject({
      status: 422,
      errors: [{ parameter: 'key_uuid' }],
    });
  });
});

describe('a path', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/platformapi'],
    ['GET', '/platformapi/nothing'],
    ['PUT', '/platformapi/alerts'],
    ['DELETE', '/platformapi/alerts/DEMO-SIEM-1'],
    ['PATCH', '/platformapi/alerts/DEMO-SIEM-1'],
    ['POST', '/platformapi/audit'],
    ['GET', '/platformapi/alerts/DEMO-SIEM-1/investigate'],
    ['GET', '/PLATFORMAPI/alerts'],
    ['GET', `/platformapi/alerts/${'x'.repeat(201)}`],
    ['GET', '/docs/../package.json'],
    ['GET', '/docs/static/..%2f..%2fpackage.json'],
  ])('that leads nowhere (%s %s) is answered 404', async (method, path) => {
    expect(parseProblem(await send(`${service.url}${path}`, { method, key: service.adminKey })).status).toBe(404);
  });

  it.each(['/platformapi/alerts/%ff', '/platformapi/alerts/%', '/%c0%ae'])('that is not well-formed (%s) is answered 400', async (path) => {
    expect(parseProblem(await send(`${service.url}${path}`, { key: service.adminKey })).status).toBe(400);
  });

  it.each(['/platformapi/alerts/DEMO-SIEM-999', '/platformapi/cases/DEMO-CASE-999'])(
    'of something unknown (%s) is answered 404',
    async (path) => {
      expect(parseProblem(await send(`${service.url}${path}`, { key: service.adminKey })).status).toBe(404);
    },
  );
});

describe('who may not', () => {
  it('is answered 401 without a key and 403 with one of another role', async () => {
    const { api_key } = await service.createKey('sender');
    expect(parseProblem(await send(`${service.url}/platformapi/cases`)).status).toBe(401);
    const forbidden = parseProblem(await send(`${service.url}/platformapi/cases`, { key: api_key }));
    expect(forbidden).toMatchObject({ status: 403, detail: expect.stringContaining('analyst') });
  });

  it('learns nothing about the body: the key is looked at first', async () => {
    expect(parseProblem(await send(`${service.url}/platformapi/alerts`, { body: '{', headers: JSON_TYPE })).status).toBe(401);
  });

  it.each([
    ['Origin', 'https://evil.example'],
    ['Origin', 'null'],
    ['Origin', ''],
    ['Origin', 'http://127.0.0.1:1'],
    ['Origin', 'nonsense'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])('comes from elsewhere (%s: %s) and changes nothing', async (header, value) => {
    const { api_key, key_uuid } = await service.createKey('admin', null);
    const alert = await service.sendAlert();
    const caseId = await investigate(service, alert);
    const before = await countChanges(service);
    const requests = [
      ['POST', '/platformapi/alerts', JSON.stringify(ALERT)],
      ['POST', `/platformapi/alerts/${alert.alert_id}/investigate`, undefined],
      ['POST', '/platformapi/organizations', '{"organization_code": "EVIL", "name": "Evil"}'],
      ['PATCH', `/platformapi/cases/${caseId}`, '{"status": "closed"}'],
      ['DELETE', `/platformapi/api-keys/${key_uuid}`, undefined],
    ] as const;
    for (const [method, path, body] of requests) {
      const answer = await speak(service.url, (socket) =>
        socket.write(
          `${method} ${path} HTTP/1.1\r\nhost: ${new URL(service.url).host}\r\ncookie: Session=${api_key}\r\n${header}: ${value}\r\nconnection: close\r\n${
            body === undefined ? '\r\n' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
          }`,
        ),
      );
      expect(answer, `${method} ${path}`).toMatch(/^HTTP\/1\.1 403 /);
    }
    expect(await countChanges(service)).toBe(before);
  });

  it('is not a page of our own, nor a reader from anywhere', async () => {
    const own = await service.request('POST', '/platformapi/alerts', {
      body: ALERT,
      headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
    });
    expect(own.status).toBe(201);
    const read = await send(`${service.url}/platformapi/alerts`, { key: service.adminKey, headers: { origin: 'https://evil.example' } });
    expect(read.status).toBe(200);
    expect(read.headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('too much', () => {
  it('of one key is answered 429 with Retry-After, and no other key pays for it', async () => {
    const limited = await startTestService({ worker: false, env: { REQUESTS_PER_MINUTE: '5' } });
    onTestFinished(() => limited.stop());
    const first = await limited.createKey('sender');
    const second = await limited.createKey('sender');
    const ask = (key: string) => send(`${limited.url}/platformapi/alerts`, { key });
    for (let count = 0; count < 5; count += 1) expect((await ask(first.api_key)).status).toBe(200);
    const reply = await ask(first.api_key);
    expect(parseProblem(reply).status).toBe(429);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await ask(second.api_key)).status).toBe(200);
  });

  it('of guessing keys is answered 429, and a known key is not', async () => {
    const guessed = await startTestService({ worker: false });
    onTestFinished(() => guessed.stop());
    expect((await guessed.request('GET', '/platformapi/organizations')).status).toBe(200);
    const guess = async (index: number) => (await send(`${guessed.url}/platformapi/alerts`, { key: `guess-${index}` })).status;
    const statuses = new Set<number>();
    for (let round = 0; round < 8; round += 1)
      for (const status of await Promise.all(Array.from({ length: 100 }, (_, index) => guess(round * 100 + index)))) statuses.add(status);
    expect(statuses).toEqual(new Set([401, 429]));
    expect((await guessed.request('GET', '/platformapi/organizations')).status).toBe(200);
  });
});

describe('a request that never becomes one', () => {
  async function startImpatientApp(): Promise<string> {
    const app = await buildApp({
      database: service.database,
      metrics: createMetrics(),
      log,
      requestsPerMinute: 1_000,
      requestTimeoutMs: 500,
      isTemporalReachable: async () => true,
      keyring: service.keyring,
      runner: service.runner,
    });
    onTestFinished(() => app.close());
    return await app.listen({ port: 0, host: '127.0.0.1' });
  }

  it('because its body drips is answered 408 and stored nowhere', async () => {
    const url = await startImpatientApp();
    const before = await countRows(service, 'alerts');
    const text = JSON.stringify(ALERT);
    const answer = await speak(url, (socket) => {
      socket.write(
        `POST /platformapi/alerts HTTP/1.1\r\nhost: x\r\ncookie: Session=${service.adminKey}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`,
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

  it('because its headers drip is answered 408', async () => {
    const url = await startImpatientApp();
    const answer = await speak(url, (socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n');
      const drip = setInterval(() => socket.write('x: y\r\n'), 100);
      socket.once('close', () => clearInterval(drip));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each([
    ['is not HTTP', 'HELO there\r\n\r\n'],
    ['has no method we know', 'BREW /coffee HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['has a header without a name', 'GET / HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n'],
    ['has two lengths', 'POST /platformapi/alerts HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'],
    [
      'has a length and chunks',
      'POST /platformapi/alerts HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['has a negative length', 'POST /platformapi/alerts HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
    ['has headers without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
  ])('because it %s is answered 400 in words', async (_, bytes) => {
    const answer = await speak(service.url, (socket) => socket.write(bytes));
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/problem\+json/);
  });

  it('or breaks off leaves the service as it was', async () => {
    const before = await countRows(service, 'alerts');
    await speak(service.url, (socket) => {
      socket.write(
        `POST /platformapi/alerts HTTP/1.1\r\nhost: x\r\ncookie: Session=${service.adminKey}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"alert_content": "`,
      );
      socket.end();
    });
    expect((await service.request('GET', '/healthz')).status).toBe(200);
    expect(await countRows(service, 'alerts')).toBe(before);
  });
});

describe('a conflict', () => {
  it('is answered 409: an alert that is still being investigated is not investigated again', async () => {
    await createOrganization(service, 'CONFLICT');
    const alert = await service.sendAlert({ organization_code: 'CONFLICT' });
    expect(
      parseProblem(await send(`${service.url}/platformapi/alerts/${alert.alert_id}/investigate`, { method: 'POST', key: service.adminKey }))
        .status,
    ).toBe(409);
  });
});
