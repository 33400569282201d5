import { afterAll, beforeAll, expect, it } from 'vitest';
import { ProblemDocument } from '../../api/http/problems.js';
import { Chance, hostileHeader, hostileValue, hostileWord } from '../../dev/attack/hostile.js';
import { startTestService, type TestService } from '../support/service.js';
import { sendRaw } from './support/http.js';
import { countRows } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const REQUESTS = 600;
const AT_ONCE = 12;
const SEED = Number(process.env['HOSTILE_SEED'] ?? 20_261_115);

const FIELDS = ['alert_content', 'alert_provider', 'organization_code', 'alert_type', 'created_at_source'] as const;
const VALID: Record<(typeof FIELDS)[number], string> = {
  alert_content: '"user=dana from 203.0.113.9"',
  alert_provider: '"siem"',
  organization_code: '"DEMO"',
  alert_type: '"Odd sign-in"',
  created_at_source: '1767225600',
};

function hostileBody(random: Chance): Buffer {
  const fields = { ...VALID } as Record<string, string>;
  if (random.of(0.9)) fields[random.pick(FIELDS)] = hostileValue(random);
  if (random.of(0.2)) delete fields[random.pick(FIELDS)];
  if (random.of(0.2))
    fields[random.pick(['__proto__', 'constructor', 'severity', 'alert_id', 'created_by', 'investigation_status', ''])] =
      hostileValue(random);
  let text = `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
  if (random.of(0.1)) text = text.slice(0, random.below(text.length));
  if (random.of(0.05)) text = random.pick(['', ' ', 'null', '[]', '\u0000', '\ufeff{}', `${text}${text}`]);
  const bytes = Buffer.from(text);
  if (random.of(0.1)) for (let hits = 0; hits < 3; hits += 1) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

function hostileTarget(random: Chance): string {
  const word = () => hostileWord(random);
  const path = random.pick<() => string>([
    () => '/platformapi/alerts',
    () => `/platformapi/alerts/${word()}`,
    () => `/platformapi/alerts/${word()}/investigate`,
    () => '/platformapi/cases',
    () => `/platformapi/cases/${word()}`,
    () => `/platformapi/api-keys/${word()}`,
    () => `/platformapi/${random.pick(['organizations', 'providers', 'playbooks', 'audit', 'api-keys', word()])}`,
    () => `/${word()}`,
    () => `/docs/${word()}`,
  ])();
  const names = [
    'limit',
    'cursor',
    'status',
    'organization_code',
    'provider',
    'alert_type',
    'created_from',
    'created_before',
    'text',
    'severity',
    'verdict',
    'assignee',
    '__proto__',
  ] as const;
  const query = Array.from({ length: random.below(4) }, () => `${random.pick(names)}=${word()}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

function hostileHeaders(random: Chance): string[] {
  const key = random.of(0.85) ? service.adminKey : random.pick(['', 'x', '%00', 'a=b', '"quoted"', 'é', `${service.adminKey}%00`]);
  return [
    `cookie: Session=${key}`,
    ...(random.of(0.85) ? ['content-type: application/json'] : []),
    ...(random.of(0.3) ? [hostileHeader(random)] : []),
  ];
}

interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly bytes: Buffer;
}

function hostileRequest(random: Chance): HostileRequest {
  const isAlert = random.of(0.6);
  const method = isAlert ? 'POST' : random.pick(['GET', 'GET', 'GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']);
  const target = isAlert ? '/platformapi/alerts' : hostileTarget(random);
  const body = method === 'POST' || method === 'PATCH' || random.of(0.1) ? hostileBody(random) : Buffer.alloc(0);
  const head = [
    `${method} ${target} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    ...hostileHeaders(random),
    ...(body.length > 0 ? [`content-length: ${body.length}`] : []),
  ];
  return { method, target, bytes: Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]) };
}

const LEAKS =
  /node_modules|\bat \S+ \(|\.[tj]s:\d+|\bselect\b.+\bfrom\b|insert into|PostgresError|Drizzle|Failed query|invalid byte sequence|"code"/i;

it(`answers ${REQUESTS} hostile requests without a 5xx, and stores exactly the alerts it acknowledged with 201`, {
  timeout: 300_000,
}, async () => {
  const random = new Chance(SEED);
  const before = await countRows(service, 'audit_log');
  const statuses = new Map<string, number>();
  const acknowledged = new Set<string>();
  const sendHostileRequest = async () => {
    const { method, target, bytes } = hostileRequest(random);
    const answer = await sendRaw(service.url, (socket) => socket.write(bytes));
    const shown = `${method} ${target} ${bytes.toString('latin1').slice(0, 2_000)}\n→ ${answer.slice(0, 2_000)}`;
    const [head = '', body = ''] = answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '').split('\r\n\r\n', 2);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    expect(status, shown).toBeGreaterThanOrEqual(200);
    expect(status, shown).toBeLessThan(500);
    statuses.set(`${status}`, (statuses.get(`${status}`) ?? 0) + 1);
    if (status >= 400) {
      expect(body, shown).not.toMatch(LEAKS);
      if (method !== 'HEAD') expect(ProblemDocument.parse(JSON.parse(Buffer.from(body, 'latin1').toString())).status, shown).toBe(status);
    } else if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) {
      expect(target, shown).toMatch(/^\/platformapi\/alerts(\?|$)/);
      acknowledged.add((JSON.parse(Buffer.from(body, 'latin1').toString()) as { alert_id: string }).alert_id);
    }
  };
  for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, sendHostileRequest));

  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining(['200', '201', '400', '401', '403', '404', '415', '422']));
  const rows = await service.database.pg<{ alert_id: string }[]>`select alert_id from alerts`;
  expect(rows.map((row) => row.alert_id).sort()).toEqual([...acknowledged].sort());
  const entries = await service.database.pg`select 1 from audit_log where entry_no > ${before} and principal_name <> 'service'`;
  expect(entries).toHaveLength(acknowledged.size);
  expect((await service.request('GET', '/readyz')).body).toMatchObject({ postgres: 'ok' });
});
