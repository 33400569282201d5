import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRecordActivities } from '../../../activities/third-parties/records.js';
import { catalogue } from '../../../connectors/catalogue.js';
import type { EndpointDetectionStandInState } from '../../../connectors/endpoint-detection/stand-in.js';
import { implementations } from '../../../connectors/implementations.js';
import type { IncidentSourceStandInState, StandInIncident } from '../../../connectors/incident-source/stand-in.js';
import { Egress } from '../../../connectors/kit/egress.js';
import { HttpClient } from '../../../connectors/kit/http.js';
import type { StandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import { acquireSlot } from '../../../db/connections/connection-calls.js';
import { beginReading, deleteOldRecords, findMatches } from '../../../db/records/records.js';
import type { RecordAnswer, ThirdPartyRecord } from '../../../domain/record/record.js';
import { createMetrics } from '../../../platform/metrics.js';
import { DEFAULT_TIMINGS, type RecordTimings } from '../../../services/records/refresh-copies.js';
import { saveRecords } from '../../../services/records/save.js';
import { createOrganization } from '../../api/support/records.js';
import { ago, changeConnectionSecrets, changeConnections, changeRecordCopies, changeRecords, fromNow } from '../../support/rows.js';
import type { TestService } from '../../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../../support/with-third-parties.js';

/** Lists of incidents end after ten items, so that a few incidents exceed the limit. */
const MAX_LISTED = 10;
const skills = {
  catalogue,
  implementations: {
    ...implementations,
    incidentSource: {
      ...implementations.incidentSource,
      skills: {
        ...implementations.incidentSource.skills,
        listIncidents: (...[input, context]: Parameters<typeof implementations.incidentSource.skills.listIncidents>) =>
          implementations.incidentSource.skills.listIncidents({ ...input, max_items: MAX_LISTED }, context),
      },
    },
  },
};

const DAY_SECONDS = 86_400;
const nowSeconds = () => Date.now() / 1000;
const toTime = (seconds: number) => new Date(seconds * 1000).toISOString();

let started: WithThirdParties;
let service: TestService;
let incidents: StandIn<IncidentSourceStandInState>;
let endpoint: StandIn<EndpointDetectionStandInState>;
let httpClient: HttpClient;
let organization: string;
let alertId: string;

beforeAll(async () => {
  started = await startWithThirdParties({ worker: false });
  ({ service } = started);
  ({ incidentSource: incidents, endpointDetection: endpoint } = started.thirdParties.standIns);
  httpClient = new HttpClient(new Egress({ allow: started.thirdParties.allow, ca: started.thirdParties.caPem }), {
    acquireSlot: (id, perMinute) => acquireSlot(service.database.pg, id, perMinute),
  });
});
afterAll(async () => {
  await httpClient?.close();
  await started?.stop();
});

beforeEach(async () => {
  organization = `R${randomUUID().slice(0, 8).toUpperCase()}`;
  await createOrganization(service, organization);
  alertId = await sendAlert(organization);
  for (const standIn of [incidents, endpoint]) {
    standIn.faults.clear();
    standIn.requests.length = 0;
    standIn.state.identity.requestsPerMinute = 10_000;
  }
  incidents.state.incidents.length = 0;
  endpoint.state.alerts.length = 0;
  endpoint.state.indicators.length = 0;
});

async function sendAlert(organizationCode: string): Promise<string> {
  return (await service.sendAlert({ organization_code: organizationCode })).alert_id;
}

const connectIncidents = (organizationCode = organization) => connect('incidentSource', organizationCode);
const connectEndpoint = (organizationCode = organization) => connect('endpointDetection', organizationCode);

async function connect(name: 'incidentSource' | 'endpointDetection', organizationCode: string): Promise<string> {
  const fields = started.thirdParties.connections[name];
  return createConnection(service, { ...fields, organization_code: organizationCode, instance_name: `${name} ${randomUUID()}` });
}

/** The activity of one worker. */
function startActivities(timings?: RecordTimings) {
  const { pg, db } = service.database;
  return createRecordActivities(skills, { pg, db, httpClient, keyring: service.keyring, metrics: createMetrics() }, timings);
}

/** Asks as a worker does. */
function startActivity(timings?: RecordTimings) {
  const { searchRecords } = startActivities(timings);
  return (...values: string[]): Promise<RecordAnswer> =>
    new MockActivityEnvironment().run(searchRecords, { alertId, values, around: nowSeconds() });
}

/** A question about an alert of another time or another organization. */
async function askAbout(values: readonly string[], given: { around?: number; alertId?: string }): Promise<RecordAnswer> {
  const search = { alertId, around: nowSeconds(), values, ...given };
  return new MockActivityEnvironment().run(startActivities().searchRecords, search);
}

/** Adds an incident of this age about a computer. */
function report(incidentId: number, ageSeconds: number, host: string, more: Partial<StandInIncident> = {}): void {
  const at = toTime(nowSeconds() - ageSeconds);
  incidents.state.incidents.push({
    incidentId,
    incidentName: `Incident ${incidentId}`,
    redirectIncidentId: null,
    createdTime: at,
    lastUpdateTime: at,
    status: 'Active',
    severity: 'Medium',
    alerts: [{ alertId: `a${incidentId}`, devices: [{ deviceDnsName: host }], entities: [] }],
    ...more,
  });
}

function change(incidentId: number, changes: Record<string, unknown>): void {
  const index = incidents.state.incidents.findIndex((incident) => incident.incidentId === incidentId);
  const [incident] = incidents.state.incidents.splice(index, index < 0 ? 0 : 1);
  if (incident) incidents.state.incidents.push({ ...incident, lastUpdateTime: toTime(nowSeconds()), ...changes });
}

const listRequests = () => incidents.requests.filter(({ url }) => url.startsWith('/api/incidents'));
const listFilters = () => listRequests().map(({ url }) => new URL(url, 'https://x.example').searchParams.get('$filter') ?? '');
const idsOf = ({ matches }: RecordAnswer) => matches.map(({ recordId }) => recordId).sort();

/** Moves the last read of the copies into the past. */
const age = (connectionUuid: string, seconds: number) =>
  changeRecordCopies(service, { connectionUuid }, { coveredUntil: sql`covered_until - make_interval(secs => ${seconds})` });

const readCopy = async (connectionId: string) => {
  const [row] = await service.database.pg<{ from: number; until: number; last_error: string | null }[]>`
    select extract(epoch from covered_from)::float8 as from, extract(epoch from covered_until)::float8 as until, last_error
    from record_copies where connection_uuid = ${connectionId} and kind = 'incident'`;
  return row ?? expect.fail('there is no copy');
};

describe('a copy', () => {
  it('is filled by the first question and answers the next one without a list', async () => {
    report(1, 3600, 'ws-1.corp.example');
    report(2, 3600, 'ws-2.corp.example');
    const connectionId = await connectIncidents();
    const ask = startActivity();
    const answer = await ask('ws-1');
    expect(answer.problems).toEqual([]);
    expect(answer.searched).toMatchObject([{ connector: 'incident-source', kind: 'incident' }]);
    expect(answer.matches).toMatchObject([
      { recordId: '1', title: 'Incident 1', isOpen: true, severity: 'medium', shared: ['ws-1'], skillId: 'List Incidents' },
    ]);
    // The first question also copies the month before.
    expect((await readCopy(connectionId)).from).toBeLessThan(nowSeconds() - 28 * DAY_SECONDS);
    const asked = listRequests().length;
    expect(idsOf(await ask('ws-2.corp.example'))).toEqual(['2']);
    expect(listRequests()).toHaveLength(asked);
  });

  it('finds a later change after the freshness bound, from its watermark with an overlap', async () => {
    report(1, 3600, 'ws-1.corp.example');
    const connectionId = await connectIncidents();
    const ask = startActivity({ ...DEFAULT_TIMINGS, freshSeconds: 60 });
    await ask('ws-1');
    change(1, { status: 'Resolved', classification: 'FalsePositive', determination: 'NotMalicious' });
    incidents.requests.length = 0;
    await age(connectionId, 61);
    const before = await readCopy(connectionId);
    expect((await ask('ws-1')).matches).toMatchObject([{ recordId: '1', isOpen: false, conclusion: 'benign' }]);
    const [filter = ''] = listFilters();
    expect(listRequests()).toHaveLength(1);
    const since = Date.parse(/lastUpdateTime ge (\S+)/.exec(filter)?.[1] ?? '') / 1000;
    expect(before.until - since).toBeGreaterThan(590);
    expect(before.until - since).toBeLessThan(620);
  });

  it('reads no more than a month after a long pause', async () => {
    const connectionId = await connectIncidents();
    const ask = startActivity();
    await ask('ws-1');
    await age(connectionId, 90 * DAY_SECONDS);
    incidents.requests.length = 0;
    await ask('ws-1');
    const [filter = ''] = listFilters();
    expect(Date.parse(/lastUpdateTime ge (\S+)/.exec(filter)?.[1] ?? '')).toBeGreaterThan(Date.now() - 31 * DAY_SECONDS * 1000);
  });

  it('extends backwards for an older alert', async () => {
    const connectionId = await connectIncidents();
    await startActivity()('ws-1');
    await changeRecordCopies(service, { connectionUuid: connectionId }, { coveredFrom: ago({ days: 2 }) });
    report(7, 9 * DAY_SECONDS, 'ws-7.corp.example');
    incidents.requests.length = 0;
    const answer = await askAbout(['ws-7'], { around: nowSeconds() - 8 * DAY_SECONDS });
    expect(idsOf(answer)).toEqual(['7']);
    expect((await readCopy(connectionId)).from).toBeLessThan(nowSeconds() - 11 * DAY_SECONDS);
  });

  it('reads a truncated list again in smaller windows', async () => {
    for (let id = 1; id <= 45; id += 1) report(id, id * 3600, `ws-${id}.corp.example`);
    const connectionId = await connectIncidents();
    await startActivity()('ws-1');
    const [row] = await service.database.pg`select count(*)::int as count from third_party_records where connection_uuid = ${connectionId}`;
    expect(row?.['count']).toBe(45);
  });

  it('leaves out an item that is too large, and copies the others', async () => {
    for (let id = 1; id <= 4; id += 1) report(id, id * 3600, 'ws-1.corp.example');
    // The second newest item is too large, and so is each page that contains it.
    incidents.faults.next({
      match: ({ url }) => {
        const query = new URL(url, 'https://x.example').searchParams;
        const [top, skip] = [Number(query.get('$top')), Number(query.get('$skip') ?? 0)];
        return url.startsWith('/api/incidents') && skip <= 1 && skip + top > 1;
      },
      hugeBytes: 9 * 1024 * 1024,
      times: 1000,
    });
    await connectIncidents();
    const answer = await startActivity()('ws-1');
    expect(idsOf(answer)).toEqual(['1', '3', '4']);
    expect(listRequests().length).toBeLessThan(100);
  });

  it('leaves out an item without an id, and copies the others', async () => {
    endpoint.state.indicators.push(
      { indicatorType: 'DomainName', action: 'Block' },
      { id: '2', indicatorValue: 'bad.example', action: 'Block' },
    );
    await connectEndpoint();
    const answer = await startActivity()('bad.example');
    expect(answer.problems).toEqual([]);
    expect(idsOf(answer)).toEqual(['2']);
  });

  it('keeps text that Postgres cannot store out of its values', async () => {
    report(1, 3600, 'ws-1.corp.example', { incidentName: 'bad \u0000 \ud800 name' });
    report(2, 3600, 'ws-\u0000.corp.example');
    await connectIncidents();
    expect(idsOf(await startActivity()('ws-1'))).toEqual(['1']);
  });

  it('continues later where a failure ended a long read', async () => {
    for (let id = 1; id <= 45; id += 1) report(id, id * 3600, `ws-${id}.corp.example`);
    const connectionId = await connectIncidents();
    let lists = 0;
    incidents.faults.next({ match: ({ url }) => url.startsWith('/api/incidents') && ++lists > 6, status: 503, body: {}, times: 1000 });
    expect((await startActivity()('ws-1')).problems).toMatchObject([{ isTemporary: true }]);
    const { from, until } = await readCopy(connectionId);
    expect(until).toBeGreaterThan(nowSeconds() - 60);
    expect(from).toBeGreaterThan(nowSeconds() - 6 * DAY_SECONDS);
    incidents.faults.clear();
    expect(idsOf(await startActivity()('ws-45', 'ws-1'))).toEqual(['1', '45']);
  });

  it('drops removed entries of a list that is read as a whole', async () => {
    const rule = (id: string, indicatorValue: string) => ({ id, indicatorValue, indicatorType: 'DomainName', action: 'Block', title: id });
    endpoint.state.indicators.push(rule('1', 'bad.example'), rule('2', 'worse.example'));
    const connectionId = await connectEndpoint();
    const ask = startActivity();
    expect(idsOf(await ask('bad.example', 'worse.example'))).toEqual(['1', '2']);
    endpoint.state.indicators.shift();
    await age(connectionId, 1000);
    expect((await ask('bad.example', 'worse.example')).matches).toMatchObject([{ recordId: '2', kind: 'indicator', state: 'Block' }]);
    const values = await service.database.pg`select value from record_values where connection_uuid = ${connectionId}`;
    expect(values).toMatchObject([{ value: 'worse.example' }]);
  });

  it('is deleted with its connection', async () => {
    report(1, 3600, 'ws-1.corp.example');
    const connectionId = await connectIncidents();
    await startActivity()('ws-1');
    expect((await service.request('DELETE', `/platformapi/connections/${connectionId}`)).status).toBe(204);
    for (const table of ['record_copies', 'third_party_records', 'record_values'])
      expect(await service.database.pg`select from ${service.database.pg(table)} where connection_uuid = ${connectionId}`).toEqual([]);
  });

  it('loses the records that no read reported for 35 days', async () => {
    report(1, 3600, 'ws-1.corp.example');
    report(2, 3600, 'ws-1.corp.example');
    const connectionId = await connectIncidents();
    const ask = startActivity();
    await ask('ws-1');
    await changeRecords(service, { connectionUuid: connectionId, recordId: '1' }, { copiedAt: ago({ days: 36 }) });
    await deleteOldRecords(service.database.pg);
    expect(idsOf(await ask('ws-1'))).toEqual(['2']);
    const left = await service.database.pg`select from record_values where connection_uuid = ${connectionId} and record_id = '1'`;
    expect(left).toEqual([]);
  });
});

describe('a search', () => {
  it('follows a merged incident to its target over several hops', async () => {
    report(1, 3600, 'ws-1.corp.example', { status: 'Redirected', redirectIncidentId: 2 });
    report(2, 3600, 'ws-2.corp.example', { status: 'Redirected', redirectIncidentId: 3, alerts: [] });
    report(3, 3600, 'ws-3.corp.example', { status: 'Active', severity: 'High' });
    await connectIncidents();
    const ask = startActivity();
    expect((await ask('ws-1')).matches).toMatchObject([{ recordId: '3', shared: ['ws-1'], severity: 'high' }]);
    const [both] = (await ask('ws-1', 'ws-3')).matches;
    expect(both?.shared.toSorted()).toEqual(['ws-1', 'ws-3']);
  });

  it('ends when incidents are merged in a circle', async () => {
    report(1, 3600, 'ws-1.corp.example', { status: 'Redirected', redirectIncidentId: 2 });
    report(2, 3600, 'ws-2.corp.example', { status: 'Redirected', redirectIncidentId: 1 });
    await connectIncidents();
    expect((await startActivity()('ws-1')).matches).toEqual([]);
  });

  it('connects nothing by a value that many records share', async () => {
    const entities = [{ entityType: 'Ip', ipAddress: '198.51.100.7' }];
    for (let id = 1; id <= 26; id += 1)
      report(id, id * 60, 'x', { alerts: [{ alertId: `a${id}`, devices: [{ deviceDnsName: `ws-${id}` }], entities }] });
    await connectIncidents();
    const ask = startActivity();
    expect((await ask('198.51.100.7')).matches).toEqual([]);
    expect(idsOf(await ask('198.51.100.7', 'ws-9'))).toEqual(['9']);
  });

  it('finds the own rule about a value that many alerts share', async () => {
    endpoint.state.indicators.push({ id: '1', indicatorValue: '198.51.100.7', indicatorType: 'IpAddress', action: 'Block', title: 'x' });
    for (let id = 1; id <= 30; id += 1)
      endpoint.state.alerts.push({
        id: `da${id}_1`,
        alertCreationTime: toTime(nowSeconds() - id * 60),
        lastUpdateTime: toTime(nowSeconds() - id * 60),
        evidence: [{ entityType: 'Ip', ipAddress: '198.51.100.7' }],
      });
    await connectEndpoint();
    expect((await startActivity()('198.51.100.7')).matches).toMatchObject([{ kind: 'indicator', state: 'Block' }]);
  });

  it('covers only the connections of the organization of the alert', async () => {
    report(1, 3600, 'ws-1.corp.example');
    const other = `${organization}X`;
    await createOrganization(service, other);
    await connectIncidents(other);
    const otherAlert = await sendAlert(other);
    expect(idsOf(await askAbout(['ws-1'], { alertId: otherAlert }))).toEqual(['1']);
    incidents.requests.length = 0;
    expect(await startActivity()('ws-1')).toEqual({ matches: [], spreads: [], searched: [], problems: [] });
    await connectIncidents();
    incidents.state.incidents.length = 0;
    expect((await startActivity()('ws-1')).matches).toEqual([]);
  });
});

describe('many questions', () => {
  it('cost one list for each copy', async () => {
    report(1, 3600, 'ws-1.corp.example');
    const connectionId = await connectIncidents();
    const [one, other] = [startActivity(), startActivity()];
    await one('ws-1');
    await age(connectionId, 600);
    incidents.requests.length = 0;
    // Two workers.
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : other)('ws-1')));
    expect(answers.every((answer) => idsOf(answer).length === 1 && answer.problems.length === 0)).toBe(true);
    expect(listRequests()).toHaveLength(1);
  });

  it('share the failure of a third party that is down, and search the old copy', async () => {
    report(1, 3600, 'ws-1.corp.example');
    const connectionId = await connectIncidents();
    const ask = startActivity();
    await ask('ws-1');
    await age(connectionId, 600);
    incidents.requests.length = 0;
    incidents.faults.next({ match: ({ url }) => url.startsWith('/api/incidents'), status: 503, body: {}, latencyMs: 300, times: 1000 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('ws-1')));
    for (const answer of answers) {
      expect(idsOf(answer)).toEqual(['1']);
      expect(answer.problems).toMatchObject([
        { connectionId, skillId: 'List Incidents', isTemporary: true, reason: expect.stringContaining('503') },
      ]);
    }
    const calls = listRequests().length;
    expect(calls).toBeLessThanOrEqual(3);
    expect((await readCopy(connectionId)).last_error).toContain('503');
  });

  it('wait for the rate limit of the third party', async () => {
    report(1, 3600, 'ws-1.corp.example');
    await connectIncidents();
    incidents.faults.next({ match: ({ url }) => url.startsWith('/api/incidents'), status: 429, headers: { 'retry-after': '2' }, body: {} });
    const ask = startActivity();
    const startedAt = Date.now();
    const answers = await Promise.all([ask('ws-1'), ask('ws-1')]);
    expect(answers.map((answer) => [idsOf(answer), answer.problems])).toEqual([
      [['1'], []],
      [['1'], []],
    ]);
    expect(Date.now() - startedAt).toBeGreaterThan(1500);
  });

  it('ask a third party whose replies are too large once a minute', async () => {
    await connectIncidents();
    const ask = startActivity();
    incidents.faults.next({ match: ({ url }) => url.startsWith('/api/incidents'), hugeBytes: 9 * 1024 * 1024, times: 1000 });
    expect((await ask('ws-1')).problems).toMatchObject([{ isTemporary: true, code: 'ReplyTooLarge' }]);
    expect(listRequests().length).toBeGreaterThan(0);
    incidents.requests.length = 0;
    expect((await ask('ws-1')).problems).toMatchObject([{ isTemporary: true, code: 'ReplyTooLarge' }]);
    expect(listRequests()).toEqual([]);
  });

  it('read a slow list in smaller windows', async () => {
    report(1, 3600, 'ws-1.corp.example');
    await connectIncidents();
    const isLong = ({ url }: { url: string }) => {
      const since = /lastUpdateTime ge (\S+)/.exec(decodeURIComponent(url))?.[1] ?? '';
      const until = /lastUpdateTime le (\S+)/.exec(decodeURIComponent(url))?.[1];
      const untilMs = until === undefined ? Date.now() : Date.parse(until);
      return url.startsWith('/api/incidents') && untilMs - Date.parse(since) > 2 * DAY_SECONDS * 1000;
    };
    incidents.faults.next({ match: isLong, latencyMs: 5000, times: 1000 });
    const ask = startActivity({ ...DEFAULT_TIMINGS, listMs: 1000 });
    const answer = await ask('ws-1');
    expect([idsOf(answer), answer.problems]).toEqual([['1'], []]);
    expect(listRequests().filter(isLong).length).toBeLessThanOrEqual(2);
  });

  it('end where a list does not answer in time', async () => {
    const connectionId = await connectIncidents();
    incidents.faults.next({ match: ({ url }) => url.startsWith('/api/incidents'), latencyMs: 60_000, times: 1000 });
    const ask = startActivity({ ...DEFAULT_TIMINGS, listMs: 100 });
    expect((await ask('ws-1')).problems).toMatchObject([{ connectionId, isTemporary: true, code: 'SkillTimedOut' }]);
  });

  it('are answered by the other connections if the secrets of one cannot be opened', async () => {
    report(1, 3600, 'ws-1.corp.example');
    const connectionId = await connectIncidents();
    await changeConnectionSecrets(service, { connectionUuid: connectionId, field: 'client_secret' }, { ciphertext: 'AAAA' });
    await connectIncidents();
    const answer = await startActivity()('ws-1');
    expect(idsOf(answer)).toEqual(['1']);
    expect(answer.problems).toMatchObject([
      {
        connectionId,
        isTemporary: true,
        code: 'Misconfigured',
        reason: expect.stringContaining('client_secret of the connection cannot be opened'),
      },
    ]);
  });

  it('report a pause after failures as temporary', async () => {
    const connectionId = await connectIncidents();
    const paused = { failuresInARow: 5, blockedUntil: fromNow({ minutes: 5 }) };
    await changeConnections(service, { connectionUuid: connectionId }, paused);
    expect((await startActivity()('ws-1')).problems).toMatchObject([{ isTemporary: true, reason: expect.stringContaining('paused') }]);
    expect(listRequests()).toEqual([]);
  });

  it('are blocked by a dead worker no longer than its reading time', async () => {
    report(1, 3600, 'ws-1.corp.example');
    const connectionId = await connectIncidents();
    expect(await beginReading(service.database.pg, connectionId, 'incident', 2)).toBe(true);
    const [copy] = await service.database.pg<{ until: number }[]>`
      select extract(epoch from reading_until)::float8 * 1000 as until from record_copies where connection_uuid = ${connectionId}`;
    expect(idsOf(await startActivity()('ws-1'))).toEqual(['1']);
    expect(Date.now()).toBeGreaterThanOrEqual(copy?.until ?? Infinity);
  });

  it('read in the place of a question that was cancelled', async () => {
    report(1, 3600, 'ws-1.corp.example');
    await connectIncidents();
    incidents.faults.next({ match: ({ url }) => url.startsWith('/api/incidents'), latencyMs: 1500 });
    const { searchRecords } = startActivities();
    const [first, second] = [new MockActivityEnvironment(), new MockActivityEnvironment()];
    const search = { alertId, values: ['ws-1'], around: nowSeconds() };
    const cancelled = first.run(searchRecords, search).catch(() => 'cancelled');
    const waiting: Promise<RecordAnswer> = second.run(searchRecords, search);
    setTimeout(() => first.cancel(), 300);
    expect(await cancelled).toBe('cancelled');
    expect(idsOf(await waiting)).toEqual(['1']);
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: PlanNode[];
}

it('searches 20,000 records through indexes', async () => {
  const connectionId = await connectIncidents();
  const { pg } = service.database;
  const [row] = await pg<{ organizationUuid: string }[]>`
    select organization_uuid as "organizationUuid" from connections where connection_uuid = ${connectionId}`;
  const records = Array.from(
    { length: 20_000 },
    (_, index): ThirdPartyRecord => ({
      recordId: String(index),
      title: `Incident ${index}`,
      severity: null,
      isOpen: true,
      conclusion: null,
      state: 'New',
      happenedAt: nowSeconds() - index,
      updatedAt: nowSeconds() - index,
      mergedInto: null,
      alsoKnownAs: [],
      techniques: [],
      values: [`ws-${index}`, `user-${index % 2000}`, 'relay.example'],
    }),
  );
  await saveRecords(pg, { connectionUuid: connectionId, organizationUuid: row?.organizationUuid ?? '' }, 'incident', records, nowSeconds());
  await pg`vacuum (analyze) third_party_records`;
  await pg`vacuum (analyze) record_values`;
  const values = ['relay.example', ...Array.from({ length: 50 }, (_, index) => `user-${index}`)];
  const queries: { text: string; parameters: unknown[] }[] = [];
  const watched = postgres(service.settings.DATABASE_URL ?? '', {
    max: 1,
    debug: (_connection, text, parameters) => void queries.push({ text, parameters }),
  });
  const found = await findMatches(watched, [{ connectionUuid: connectionId, kind: 'incident' }], values, nowSeconds());
  await watched.end();
  expect(found).toHaveLength(60);
  expect(found.every(({ shared }) => !shared.includes('relay.example'))).toBe(true);
  const { text, parameters } = queries.find((each) => each.text.includes('record_values')) ?? expect.fail('there was no query');
  const [plan] = await pg.unsafe<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
    `explain (analyze, format json) ${text}`,
    parameters as string[],
  );
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  const reads = (plan?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => flatten(Plan)).filter((node) => node['Relation Name'] !== undefined);
  expect(new Set(reads.map((node) => node['Relation Name']))).toEqual(new Set(['record_values', 'third_party_records']));
  for (const node of reads) {
    expect(node['Node Type']).not.toBe('Seq Scan');
    expect(node['Actual Rows'] * node['Actual Loops'], JSON.stringify(node)).toBeLessThanOrEqual(1000);
  }
});
