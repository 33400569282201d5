import { Agent, get } from 'node:http';
import postgres from 'postgres';
import { z } from 'zod';
import { fillWithAlerts, SOUGHT } from './lists-data.js';
import { median, round, timed } from './measures.js';
import type { Part } from './report.js';
import { type BenchDatabase, progress, type Stage } from './stage.js';

const SIZES = [
  { name: 'lists_1k', label: '1 k', count: 1_000 },
  { name: 'lists_100k', label: '100 k', count: 100_000 },
  { name: 'lists_1m', label: '1 M', count: 1_000_000 },
] as const;
const SAMPLES = 150;
/** Slow queries run less often, to limit the duration of the benchmark. */
const LIMIT_MS = 10_000;
const FIRST_PAGE = 'first page';
const IN_ALL = 'text, in all';

const ALERTS = '/platformapi/alerts?limit=50';

const FILTERS: Readonly<Record<string, string>> = {
  [FIRST_PAGE]: '',
  organization: `organization_code=${SOUGHT.organization}`,
  'a small organization': `organization_code=${SOUGHT.smallOrganization}`,
  'status Completed': 'status=15',
  'status Failed': 'status=20',
  provider: `provider=${SOUGHT.provider}`,
  'alert type': `alert_type=${encodeURIComponent(SOUGHT.alertType)}`,
  'organization and status': `organization_code=${SOUGHT.organization}&status=15`,
  'text, in one alert': `text=${encodeURIComponent(`"${SOUGHT.oneAlert}"`)}`,
  'text, in one of 1000': `text=${encodeURIComponent(`"${SOUGHT.fewAlerts}"`)}`,
  'text, in one of 50': `text=${encodeURIComponent(`"${SOUGHT.someAlerts}"`)}`,
  [IN_ALL]: `text=${encodeURIComponent(`"${SOUGHT.allAlerts}"`)}`,
  'text, a name in one of 5000': `text=${SOUGHT.device}`,
  'text, a beginning in one of 9': `text=${SOUGHT.beginning}`,
  'text, a beginning in all': `text=${SOUGHT.commonBeginning}`,
  'text, a phrase in one of 1000': `text=${encodeURIComponent(SOUGHT.phrase)}`,
  'text and organization': `text=${SOUGHT.someAlerts}&organization_code=${SOUGHT.organization}`,
  'oldest first': 'sort=created_at',
  'by completion': 'sort=-completed_at',
  'by name': 'sort=alert_type',
  'by name, organization': `sort=alert_type&organization_code=${SOUGHT.organization}`,
  'by name, a small organization': `sort=alert_type&organization_code=${SOUGHT.smallOrganization}`,
  'by status': 'sort=-status',
};

/** Of the list of cases. */
const CASE_QUERIES: Readonly<Record<string, string>> = {
  'cases, first page': '',
  'cases, oldest first': 'sort=opened_at',
  'cases, by severity': 'sort=-severity',
  'cases, by severity, open': 'sort=-severity&status=open',
  'cases, by severity, organization': `sort=-severity&organization_code=${SOUGHT.organization}`,
  'cases, opened before': `opened_before=${Math.floor(Date.now() / 1000) - 3600}`,
  'cases, tag': `tag=${SOUGHT.tag}`,
  'cases, a common tag': `tag=${SOUGHT.commonTag}`,
  'cases, analyst disagrees': 'disagrees=true',
  'cases, since the last visit': 'since_last_visit=true',
  'cases, text in one of 1000': `text=${encodeURIComponent(`"${SOUGHT.fewAlerts}"`)}`,
};

/** Of the counts of the filters. */
const COUNT_QUERIES: Readonly<Record<string, string>> = {
  'counts, all': '',
  'counts, organization': `organization_code=${SOUGHT.organization}`,
  'counts, assignee': `assignee=${SOUGHT.assignee}`,
  'counts, tag': `tag=${SOUGHT.commonTag}`,
  'counts, text in one of 50': `text=${encodeURIComponent(`"${SOUGHT.someAlerts}"`)}`,
};

function toPaths(list: string, queries: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, `${list}${query}`]));
}

const SEARCH = 'search, ';
const SEARCH_IN_ALL = `${SEARCH}a word in all alerts`;

const SEARCHES: Readonly<Record<string, string>> = {
  [SEARCH_IN_ALL]: SOUGHT.allAlerts,
  [`${SEARCH}a host`]: SOUGHT.host,
  [`${SEARCH}a part of a host`]: SOUGHT.partOfHost,
  [`${SEARCH}a part of every ninth host`]: SOUGHT.partOfHosts,
  [`${SEARCH}a part of a hash`]: SOUGHT.partOfHash,
  [`${SEARCH}a part of every account`]: SOUGHT.partOfAccounts,
  [`${SEARCH}a part of few titles`]: SOUGHT.partOfTitle,
  [`${SEARCH}a part of every title`]: SOUGHT.partOfTitles,
  [`${SEARCH}a part of few comments`]: SOUGHT.partOfComment,
  [`${SEARCH}a part of every finding`]: SOUGHT.partOfFindings,
  [`${SEARCH}a phrase in one of 1000`]: SOUGHT.phrase,
};

const ENTITY = 'entity page, ';

const entityQuery = (kind: string, value: string) =>
  `kind=${kind}&value=${encodeURIComponent(value)}&organization_code=${SOUGHT.organization}`;

const PATHS: Readonly<Record<string, string>> = {
  ...toPaths(`${ALERTS}&`, FILTERS),
  ...toPaths('/platformapi/cases?limit=50&', CASE_QUERIES),
  ...toPaths('/platformapi/case-counts?', COUNT_QUERIES),
  ...Object.fromEntries(Object.entries(SEARCHES).map(([name, text]) => [name, `/platformapi/search?text=${encodeURIComponent(text)}`])),
  [`${ENTITY}an address in one of 250`]: `/platformapi/entity?${entityQuery('ip', SOUGHT.address)}`,
  [`${ENTITY}an account in one of 1000`]: `/platformapi/entity?${entityQuery('email', SOUGHT.account)}`,
  [`${ENTITY}the alerts of an address`]: `/platformapi/entity/alerts?limit=25&${entityQuery('ip', SOUGHT.address)}`,
};

interface Server {
  readonly label: string;
  readonly url: string;
  readonly database: BenchDatabase;
}

const ListReply = z.object({ items: z.array(z.object({ alert_uuid: z.string() })), next_cursor: z.string().nullable() });

/** Runs the same queries on three databases that differ only in size. The databases alternate. */
export async function measureLists(stage: Stage): Promise<Part> {
  const servers: Server[] = [];
  for (const { name, label, count } of SIZES) {
    const database = await stage.database(name);
    const tookMs = await timed(() => fillWithAlerts(database.url, count, { hasEntities: true }));
    progress(`lists: ${label} alerts created in ${Math.round(tookMs / 1000)} s`);
    const { url } = await stage.child(new URL('./app-process.ts', import.meta.url), { kind: 'ours', databaseUrl: database.url });
    servers.push({ label, url, database });
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const paths = await Promise.all(
    servers.map(async (server) => ({ server, queries: { ...PATHS, 'deep page': await deepPage(agent, server) } })),
  );
  const names = [...Object.keys(PATHS), 'deep page'];

  const times = new Map<string, number[]>();
  for (const name of names) {
    const began = Date.now();
    for (let n = 0; n < SAMPLES && (n < 3 || Date.now() - began < LIMIT_MS); n += 1) {
      for (const { server, queries } of paths) {
        const tookMs = await timed(() => fetchPage(agent, server, new Map(Object.entries(queries)).get(name) ?? ''));
        const key = `${name} ${server.label}`;
        times.set(key, [...(times.get(key) ?? []), tookMs]);
      }
    }
    for (const { label } of servers) times.set(`${name} ${label}`, warm(times.get(`${name} ${label}`) ?? []));
    progress(
      `lists, ${name}: ${servers.map(({ label }) => `${label} ${round(median(times.get(`${name} ${label}`) ?? []))} ms`).join(', ')}`,
    );
  }
  agent.destroy();

  const p50 = (name: string, label: string) => median(times.get(`${name} ${label}`) ?? []);
  const slowest = (group: string) => Math.max(...names.filter((name) => name.startsWith(group)).map((name) => p50(name, '1 M')));
  const growth = (name: string) => p50(name, '1 M') / p50(name, '1 k');
  return {
    name: 'lists',
    title: 'Lists, search and entity pages, p50 in ms by number of alerts',
    columns: ['filter', ...SIZES.map(({ label }) => label), '1 M compared with 1 k'],
    rows: names.map((name) => [name, ...SIZES.map(({ label }) => round(p50(name, label))), `${round(growth(name))}×`]),
    notes: [
      `Median of ${SAMPLES} requests over one connection (fewer for a slow query, within ${LIMIT_MS / 1000} s) without the first fifth. The three sizes alternate.`,
    ],
    bars: [
      { name: 'first page at 1 M compared with 1 k', measured: growth(FIRST_PAGE), atMost: 1.2 },
      { name: 'the slowest search at 1 M compared with a word in all alerts', measured: slowest('text') / p50(IN_ALL, '1 M'), atMost: 3 },
      {
        name: 'the slowest search over all records at 1 M compared with a word in all alerts',
        measured: slowest(SEARCH) / p50(SEARCH_IN_ALL, '1 M'),
        atMost: 3,
      },
      {
        name: 'the slowest entity page at 1 M compared with the first page',
        measured: slowest(ENTITY) / p50(FIRST_PAGE, '1 M'),
        atMost: 3,
      },
    ],
  };
}

/** Without the first fifth, which is the warm-up. */
function warm(all: readonly number[]): number[] {
  return all.slice(Math.floor(all.length / 5));
}

/** A page from the middle of the list. Its cursor is the key of the row before it. */
async function deepPage(agent: Agent, server: Server): Promise<string> {
  const { items } = ListReply.parse(JSON.parse(await fetchPage(agent, server, ALERTS)));
  const newest = items[0]?.alert_uuid ?? '';
  const pg = postgres(server.database.url, { max: 1 });
  const [middle] = await pg<{ key: string }[]>`
    select alert_uuid::text as key from alerts where alert_uuid < ${newest} order by alert_uuid desc offset (select count(*) / 2 from alerts) limit 1`;
  await pg.end();
  return `${ALERTS}&cursor=${Buffer.from(middle?.key ?? '', 'latin1').toString('base64url')}`;
}

async function fetchPage(agent: Agent, server: Server, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: `Session=${server.database.adminKey}` };
    const request = get(`${server.url}${path}`, { agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${path} was answered ${response.statusCode}: ${text}`)),
      );
    });
    request.on('error', reject);
  });
}
