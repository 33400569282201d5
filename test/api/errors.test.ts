import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ProblemDocument } from '../../api/http/problems.js';
import { startTestService, type TestService } from '../support/service.js';
import { JSON_TYPE, type ProblemBody, send, sendRaw, type TextReply } from './support/http.js';
import { countChanges, countRows, createOrganization, investigate } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const ALERT = { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: 'user=dana from 203.0.113.9' };
const MEBIBYTE = 1024 * 1024;

/** Every refusal has this format. */
function parseProblem(reply: TextReply): ProblemBody {
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  const problem = ProblemDocument.parse(JSON.parse(reply.text));
  expect(problem.status).toBe(reply.status);
  expect(problem.title).not.toBe('Error');
  return problem as ProblemBody;
}

async function expectRefused(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE): Promise<ProblemBody> {
  const before = await countRows(service, 'alerts');
  const problem = parseProblem(await send(`${service.url}/platformapi/alerts`, { key: service.adminKey, body, headers }));
  expect(await countRows(service, 'alerts')).toBe(before);
  return problem;
}

/** The JSON of the alert with one field added or replaced by this raw text. */
const withField = (name: string, written: string) => {
  const fields = Object.entries({ ...ALERT }).filter(([field]) => field !== name);
  return `{${[...fields.map(([field, value]) => `"${field}":${JSON.stringify(value)}`), `"${name}":${written}`].join(',')}}`;
};

describe('a body that is not JSON', () => {
  it.each([
    ['that is truncated', '{"alert_content": "x'],
    ['with a trailing comma', '{"alert_content": "x",}'],
    ['in single quotes', "{'alert_content': 'x'}"],
    ['of plain text', 'alert!'],
    ['that is empty', ''],
    ['with an unescaped control character', '{"alert_content": "a\tb"}'],
    ['with NaN', '{"created_at_source": NaN}'],
    ['with two values', '{} {}'],
  ])('%s returns 400', async (_, body) => {
    const problem = await expectRefused(body);
    expect(problem.status).toBe(400);
    expect(problem.detail).toMatch(/JSON/);
  });

  it('is not repeated in the response', async () => {
    const problem = await expectRefused('{"password": hunter2, "more": "hunter2"}');
    expect(problem.status).toBe(400);
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it.each([
    ['a stray continuation byte', [0x80]],
    ['half a character', [0xc3]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('with bytes that are not UTF-8 (%s) returns 400', async (_, bytes) => {
    const [before, after] = JSON.stringify({ ...ALERT, alert_content: '@' }).split('@');
    const problem = await expectRefused(
      new Uint8Array(Buffer.concat([Buffer.from(before ?? ''), Buffer.from(bytes), Buffer.from(after ?? '')])),
    );
    expect(problem).toMatchObject({ status: 400, detail: expect.stringContaining('UTF-8') });
  });

  it.each(['__proto__', 'constructor'])('that sets the prototype (%s) returns 400', async (name) => {
    expect((await expectRefused(withField(name, '{"prototype": {"isAdmin": true}}'))).status).toBe(400);
    expect((await expectRefused(withField(name, '{"prototype": {"isAdmin": true}}').replace('_', '\\u005f'))).status).toBe(400);
  });
});

describe('nesting', () => {
  const nested = (depth: number) => withField('extra', '['.repeat(depth - 1) + ']'.repeat(depth - 1));

  it('is accepted up to 64 levels and refused beyond', async () => {
    expect(await expectRefused(nested(64))).toMatchObject({ status: 422, errors: [{ pointer: '#/extra' }] });
    expect(await expectRefused(nested(65))).toMatchObject({ status: 400, detail: expect.stringContaining('64') });
    expect((await expectRefused('['.repeat(500_000))).status).toBe(400);
    expect((await expectRefused('{"a":'.repeat(100_000))).status).toBe(400);
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

describe('a body', () => {
  it('above 1 MiB returns 413', async () => {
    expect((await expectRefused(JSON.stringify({ ...ALERT, alert_content: 'x'.repeat(MEBIBYTE) }))).status).toBe(413);
  });

  it('above 1 MiB in chunks returns 413', async () => {
    const answer = await sendRaw(service.url, (socket) => {
      socket.write(
        `POST /platformapi/alerts HTTP/1.1\r\nhost: localhost\r\ncookie: Session=${service.adminKey}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`,
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
  ])('as %s returns 415', async (type) => {
    expect((await expectRefused(JSON.stringify(ALERT), { 'content-type': type })).status).toBe(415);
  });

  it('without a content type returns 415', async () => {
    const text = JSON.stringify(ALERT);
    const answer = await sendRaw(service.url, (socket) =>
      socket.end(
        `POST /platformapi/alerts HTTP/1.1\r\nhost: localhost\r\ncookie: Session=${service.adminKey}\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
      ),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
    expect(answer).toContain('application/problem+json');
  });

  it.each(['iso-8859-1', 'UTF-16', '"utf-16le"'])('in the charset %s returns 415', async (charset) => {
    expect((await expectRefused(JSON.stringify(ALERT), { 'content-type': `application/json; charset=${charset}` })).status).toBe(415);
  });

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; profile=x',
  ])('as %s is accepted', async (type) => {
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
    ['with the second half of a surrogate pair', '"a\\udc00"'],
    ['with a reversed surrogate pair', '"\\udc00\\ud800"'],
  ] as const;

  it.each(fields.flatMap((field) => wrong.map(([what, written]) => [field, what, written] as const)))(
    '%s %s is reported by its pointer',
    async (field, _, written) => {
      const problem = await expectRefused(withField(field, written));
      expect(problem.status).toBe(422);
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual([`#/${field}`]);
    },
  );

  it.each(fields)('%s that is missing is reported by its pointer', async (field) => {
    const { [field]: _, ...rest } = ALERT;
    expect(await expectRefused(JSON.stringify(rest))).toMatchObject({
      status: 422,
      errors: [{ pointer: `#/${field}`, detail: expect.stringContaining('required') }],
    });
  });

  it('that is unknown is reported by an escaped JSON pointer', async () => {
    expect((await expectRefused(withField('severity', '"high"'))).errors).toEqual([
      { pointer: '#/severity', detail: 'severity: is not a known field.' },
    ]);
    expect((await expectRefused(withField('a/b~c', '1'))).errors?.[0]?.pointer).toBe('#/a~1b~0c');
  });

  it('is reported together with every other invalid field', async () => {
    const problem = await expectRefused('{"alert_content": 1, "alert_type": "", "severity": 3, "created_at_source": "now"}');
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
    ['with a fraction that a double cannot represent', '9007199254740993.5'],
    ['with a huge exponent', '1e400'],
    ['with a large exponent', '1e19'],
    ['in quotes', '"1767225600"'],
    ['that is a boolean', 'true'],
    ['in an array', '[1767225600]'],
  ])('created_at_source %s is reported by its pointer', async (_, written) => {
    expect((await expectRefused(withField('created_at_source', written))).errors?.map(({ pointer }) => pointer)).toEqual([
      '#/created_at_source',
    ]);
  });

  it('that is repeated has its last value', async () => {
    for (const source of ['1', '9007199254740993']) {
      const written = `{"alert_type":"first","alert_type":"last",${withField('created_at_source', source).slice(1).replace('"alert_type":"Odd sign-in",', '')}`;
      const reply = await send(`${service.url}/platformapi/alerts`, { key: service.adminKey, body: written, headers: JSON_TYPE });
      expect(reply.status).toBe(201);
      expect(JSON.parse(reply.text)).toMatchObject({ alert_type: 'last' });
    }
  });

  it('with an unknown name refers to the operation that lists the known names', async () => {
    const problem = await expectRefused(JSON.stringify({ ...ALERT, organization_code: 'NOBODY', alert_provider: 'nothing' }));
    expect(problem.status).toBe(422);
    expect(problem.errors).toEqual([
      { pointer: '#/organization_code', detail: expect.stringContaining('GET /platformapi/organizations') },
      { pointer: '#/alert_provider', detail: expect.stringContaining('GET /platformapi/providers') },
    ]);
  });

  it('among 100,000 unknown fields gets a short response', async () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [index, 1])));
    const long = JSON.stringify({ ...ALERT, ['k'.repeat(500_000)]: 1 });
    for (const body of [many, long]) {
      const problem = await expectRefused(body);
      expect(problem.status).toBe(422);
      expect(JSON.stringify(problem).length).toBeLessThan(20_000);
    }
  });

  it.each(['[]', '"alert"', '7', 'null', 'true'])('is missing in a body that is %s', async (body) => {
    expect(await expectRefused(body)).toMatchObject({ status: 422, errors: [{ pointer: '#' }] });
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
  ])('of %s with an invalid value (%s) is named', async (path, query, parameter) => {
    const problem = parseProblem(await send(`${service.url}/platformapi/${path}?${query}`, { key: service.adminKey }));
    expect(problem).toMatchObject({ status: 422, errors: [{ parameter }] });
    expect(problem.errors).toHaveLength(1);
  });

  it('in the path that is not a key id is named', async () => {
    expect(parseProblem(await send(`${service.url}/platformapi/api-keys/7`, { method: 'DELETE', key: service.adminKey }))).toMatchObject({
      status: 422,
      errors: [{ parameter: 'key_id' }],
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
  ])('without a route (%s %s) returns 404', async (method, path) => {
    expect(parseProblem(await send(`${service.url}${path}`, { method, key: service.adminKey })).status).toBe(404);
  });

  it.each(['/platformapi/alerts/%ff', '/platformapi/alerts/%', '/%c0%ae'])('that is malformed (%s) returns 400', async (path) => {
    expect(parseProblem(await send(`${service.url}${path}`, { key: service.adminKey })).status).toBe(400);
  });

  it.each(['/platformapi/alerts/DEMO-SIEM-999', '/platformapi/cases/DEMO-CASE-999'])(
    'of an unknown record (%s) returns 404',
    async (path) => {
      expect(parseProblem(await send(`${service.url}${path}`, { key: service.adminKey })).status).toBe(404);
    },
  );
});

describe('access control', () => {
  it('returns 401 without a key and 403 for a role without access', async () => {
    const { api_key } = await service.createKey('sender');
    expect(parseProblem(await send(`${service.url}/platformapi/cases`)).status).toBe(401);
    const forbidden = parseProblem(await send(`${service.url}/platformapi/cases`, { key: api_key }));
    expect(forbidden).toMatchObject({ status: 403, detail: expect.stringContaining('analyst') });
  });

  it('checks the key before the body', async () => {
    expect(parseProblem(await send(`${service.url}/platformapi/alerts`, { body: '{', headers: JSON_TYPE })).status).toBe(401);
  });

  it.each([
    ['Origin', 'https://evil.example'],
    ['Origin', 'null'],
    ['Origin', ''],
    ['Origin', 'http://127.0.0.1:1'],
    ['Origin', 'nonsense'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])('returns 403 for a change from another site (%s: %s)', async (header, value) => {
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
      const answer = await sendRaw(service.url, (socket) =>
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

  it('accepts a change from the same origin and a read from any origin', async () => {
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

describe('the rate limit', () => {
  it('returns 429 with Retry-After for one key and does not affect other keys', async () => {
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
});

describe('an incomplete or malformed request', () => {
  it.each([
    ['is not HTTP', 'HELO there\r\n\r\n'],
    ['has an unknown method', 'BREW /coffee HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['has a header without a name', 'GET / HTTP/1.1\r\nhost: localhost\r\n: y\r\n\r\n'],
    ['has two content lengths', 'POST /platformapi/alerts HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'],
    [
      'has a content length and chunks',
      'POST /platformapi/alerts HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['has a negative content length', 'POST /platformapi/alerts HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n'],
    ['has headers above the limit', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
  ])('that %s returns 400 with a problem document', async (_, bytes) => {
    const answer = await sendRaw(service.url, (socket) => socket.write(bytes));
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/problem\+json/);
  });

  it('stores nothing when the connection closes early', async () => {
    const before = await countRows(service, 'alerts');
    await sendRaw(service.url, (socket) => {
      socket.write(
        `POST /platformapi/alerts HTTP/1.1\r\nhost: localhost\r\ncookie: Session=${service.adminKey}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"alert_content": "`,
      );
      socket.end();
    });
    expect((await service.request('GET', '/healthz')).status).toBe(200);
    expect(await countRows(service, 'alerts')).toBe(before);
  });
});

describe('a conflict', () => {
  it('returns 409 when an alert is investigated again before its investigation ends', async () => {
    await createOrganization(service, 'CONFLICT');
    const alert = await service.sendAlert({ organization_code: 'CONFLICT' });
    expect(
      parseProblem(await send(`${service.url}/platformapi/alerts/${alert.alert_id}/investigate`, { method: 'POST', key: service.adminKey }))
        .status,
    ).toBe(409);
  });
});

describe('a refusal before a large body ends the connection, so that the rest is never read', () => {
  const large = `content-length: ${10 * MEBIBYTE}`;
  const chunked = 'transfer-encoding: chunked';
  const stranger = `authorization: Bearer agent_${'x'.repeat(43)}`;
  const report = '/agentapi/steps/01a1dd78-72e9-7236-aeab-ed7c2436108d/report';
  it.each([
    ['of an unknown path', 404, '/nothing-here', [large]],
    ['of an unknown path in chunks', 404, '/nothing-here', [chunked]],
    ['of an unknown agent', 401, report, [large, stranger]],
    ['of an unknown agent in chunks', 401, report, [chunked, stranger]],
    ['without a session', 401, '/platformapi/alerts', [large]],
  ])('%s returns %d', async (_, status, path, headers) => {
    const lines = [`POST ${path} HTTP/1.1`, 'host: localhost', 'content-type: application/json', ...headers];
    // Returns when the server has closed the connection, which the client would keep.
    const answer = await sendRaw(service.url, (socket) => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('application/problem+json');
  });
});
