import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { incidentSource } from '../../connectors/incident-source/contract.js';
import { DetailLimit, incidentSourceImplementation } from '../../connectors/incident-source/skills.js';
import {
  defineIncidentSourceStandIn,
  type IncidentSourceStandInState,
  type StandInIncident,
} from '../../connectors/incident-source/stand-in.js';
import type { SkillContext } from '../../connectors/kit/implement.js';
import { COMPUTERS, INDICATORS } from '../../connectors/kit/stand-in/company.js';
import {
  type Authority,
  createAuthority,
  type RecordedRequest,
  type StandIn,
  startStandIn,
} from '../../connectors/kit/stand-in/stand-in.js';
import { readRecordedReplies } from '../support/recorded-replies.js';
import { contextFor, perform as performSkill } from '../support/third-parties.js';

type Skills = typeof incidentSource.skills;
type Context = SkillContext<typeof incidentSource>;

const isApi = ({ url }: RecordedRequest) => url.startsWith('/api/');
const isToken = ({ url }: RecordedRequest) => url.includes('/oauth2/');
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

let authority: Authority;
let standIn: StandIn<IncidentSourceStandInState>;
let context: Context;

beforeAll(async () => {
  authority = await createAuthority();
});

beforeEach(async () => {
  standIn = await startStandIn({ authority, define: defineIncidentSourceStandIn });
  context = connect();
});

afterEach(() => standIn.stop());

function connect(credentials: Record<string, string> = {}, given: { readonly requestsPerMinute?: number } = {}): Context {
  const { tenantId, clientId, clientSecret } = standIn.state.identity;
  return contextFor(incidentSource, standIn, {
    ...given,
    settings: { auth_url: standIn.url, api_host: standIn.url },
    credentials: { tenant_id: tenantId, client_id: clientId, client_secret: clientSecret, ...credentials },
  });
}

function perform<const V extends keyof Skills>(
  verb: V,
  input: z.input<Skills[V]['input']>,
  by: Context = context,
): Promise<z.output<Skills[V]['output']>> {
  return performSkill(incidentSource, incidentSourceImplementation, verb, input, by);
}

function filters(): (string | null)[] {
  return standIn.requests.filter(isApi).map(({ url }) => new URL(url, standIn.url).searchParams.get('$filter'));
}

function seedMany(count: number): void {
  const incident = (index: number): StandInIncident => ({
    incidentId: index + 1,
    incidentName: `Incident ${index + 1}`,
    lastUpdateTime: hoursAgo(index + 1),
    createdTime: hoursAgo(index + 1),
    status: 'Active',
    alerts: [{ alertId: `alert-${index + 1}` }],
  });
  standIn.state.incidents.splice(0, Number.POSITIVE_INFINITY, ...Array.from({ length: count }, (_, index) => incident(index)));
}

describe('List Incidents', () => {
  it('returns incidents with their alerts, and the target of redirected incidents', async () => {
    const { items, cut } = await perform('listIncidents', {});
    expect(cut).toBeNull();
    expect(items).toHaveLength(7);
    expect(items.find(({ incidentId }) => incidentId === '2041')?.alerts).toHaveLength(3);
    expect(items.filter(({ status }) => status === 'Redirected')).toMatchObject([
      { redirectIncidentId: '2041', alerts: [] },
      { redirectIncidentId: '2041', alerts: [] },
    ]);
  });

  it.each(['Mailbox', 'MailBox'])('names the entity type Mailbox, also for %s', async (entityType) => {
    const incident = { incidentId: 1, alerts: [{ alertId: 'a', entities: [{ entityType, mailboxAddress: 'a@b.example' }] }] };
    standIn.faults.next({ match: isApi, body: { value: [incident] } });
    const { items } = await perform('listIncidents', {});
    expect(items[0]?.alerts[0]?.entities[0]).toMatchObject({ entityType: 'Mailbox', mailboxAddress: 'a@b.example' });
  });

  it('reports no total if the count is smaller than the list', async () => {
    const value = [
      { incidentId: 1, alerts: [] },
      { incidentId: 2, alerts: [] },
    ];
    standIn.faults.next({ match: isApi, body: { value, '@odata.count': 0 } });
    expect(await perform('listIncidents', {})).toMatchObject({ items: [{ incidentId: '1' }, { incidentId: '2' }], total: null });
    standIn.faults.next({ match: isApi, body: { value, '@odata.count': 2 } });
    expect(await perform('listIncidents', {})).toMatchObject({ total: 2 });
  });

  it.each([
    [{ duration: 150, duration_type: 'minutes' }, ['2044', '2043']],
    [{ duration: 2.5 * 60, duration_type: 'minutes', time_field: 'createdTime' }, ['2044', '2043']],
    [{ duration: 4, duration_type: 'hours', time_field: 'lastUpdateTime' }, ['2044', '2043', '2042', '2041', '2046']],
    [{ duration: 1 }, ['2044', '2043', '2042', '2041', '2046', '2045']],
    [{ duration: 3, duration_type: 'days' }, ['2044', '2043', '2042', '2041', '2046', '2045', '2039']],
  ] as const)('of the window %j', async (input, expected) => {
    const { items } = await perform('listIncidents', input);
    expect(items.map(({ incidentId }) => incidentId).sort()).toEqual([...expected].sort());
    const field = 'time_field' in input ? input.time_field : 'lastUpdateTime';
    expect(filters()[0]).toMatch(new RegExp(`^${field} ge \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$`));
  });

  it('filters by time, status and analyst', async () => {
    const assigned_to = "o'neill' or status eq 'Active";
    expect((await perform('listIncidents', { assigned_to })).items).toEqual([]);
    expect(filters()[0]).toBe("assignedTo eq 'o''neill'' or status eq ''Active'");
    const { items } = await perform('listIncidents', {
      since: hoursAgo(100),
      status: ['Resolved', 'Redirected'],
      assigned_to: 'joost.bakker@harbour-reed.example',
    });
    expect(items).toMatchObject([{ incidentId: '2039', classification: 'FalsePositive' }]);
  });

  it('reads all pages', async () => {
    seedMany(250);
    const { items, cut } = await perform('listIncidents', {});
    expect(items.map(({ incidentId }) => Number(incidentId))).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
    expect(cut).toBeNull();
    expect(standIn.requests.filter(isApi)).toHaveLength(3);
    expect(await perform('listIncidents', { max_items: 120 })).toMatchObject({ cut: 'There are more than the 120 items asked for.' });
  });

  it('has no end at a number of incidents or bytes', async () => {
    // More than a thousand incidents, and more than 8 MiB.
    const count = 1100;
    seedMany(count);
    const by = connect({}, { requestsPerMinute: 1000 });
    const text = 'x'.repeat(8000);
    for (const incident of standIn.state.incidents)
      Object.assign(incident, { comments: [{ comment: text, createdBy: null, createdTime: null }] });
    const { items, cut } = await perform('listIncidents', {}, by);
    expect({ items: items.length, cut }).toEqual({ items: count, cut: null });
    expect(items.at(-1)?.comments).toEqual([{ comment: text, createdBy: null, createdTime: null }]);
    const rows = await perform('listIncidentsForDetections', {}, by);
    expect({ rows: rows.items.length, cut: rows.cut }).toEqual({ rows: count, cut: null });
  });

  it('reads on after the request limit', async () => {
    seedMany(250);
    standIn.faults.next({ match: ({ url }) => /skip=100/.test(url), status: 429, headers: { 'retry-after': '1' } });
    const { items, cut } = await perform('listIncidents', {});
    expect({ items: items.length, cut }).toEqual({ items: 250, cut: null });
  });

  it('keeps no details of the last incidents of a long list, so that the memory is bounded, and states it', async () => {
    const [incident] = (await perform('listIncidents', {})).items.filter(({ incidentId }) => incidentId === '2041');
    if (!incident) throw new Error('The stand-in has no incident 2041.');
    const limit = new DetailLimit(1000);
    expect([limit.keep(incident, 999), limit.reason]).toEqual([incident, null]);
    const { alerts, ...rest } = limit.keep(incident, 1000);
    expect(rest).toMatchObject({ incidentId: '2041', incidentName: incident.incidentName, status: incident.status, comments: [] });
    expect(alerts.map(({ alertId, title, devices, entities }) => [alertId, title, devices, entities])).toEqual(
      incident.alerts.map(({ alertId, title }) => [alertId, title, [], []]),
    );
    expect(limit.reason).toBe('The last 1 incidents have no devices, entities and comments. Read them with Get Incident.');
  });

  it('follows links with a slash before the query', async () => {
    seedMany(250);
    standIn.state.pageSize = 40;
    const { items } = await perform('listIncidents', {});
    expect(new Set(items.map(({ incidentId }) => incidentId)).size).toBe(250);
    expect(standIn.requests.filter(({ url }) => url.startsWith('/api/incidents/?')).length).toBeGreaterThan(0);
  });

  it('returns an incident once when pages shift between requests', async () => {
    seedMany(150);
    standIn.state.afterPage = () => {
      standIn.state.incidents.push({ incidentId: 1000, lastUpdateTime: new Date().toISOString(), alerts: [] });
      standIn.state.afterPage = () => {};
    };
    const { items } = await perform('listIncidents', {});
    const ids = items.map(({ incidentId }) => incidentId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(150);
  });

  it('keeps IDs that exceed the precision of a number', async () => {
    const body = '{"value":[{"incidentId":9007199254740993,"redirectIncidentId":9007199254740995,"alerts":null}]}';
    standIn.faults.next({ match: isApi, body });
    expect((await perform('listIncidents', {})).items).toMatchObject([
      { incidentId: '9007199254740993', redirectIncidentId: '9007199254740995', alerts: [] },
    ]);
  });
});

describe('List Incidents for Detections', () => {
  it('returns one row per alert, with the columns of the incident and the alert', async () => {
    const { items, redirected } = await perform('listIncidentsForDetections', {});
    expect(items).toHaveLength(7);
    expect(items.find(({ alert_id }) => alert_id === 'da638700000000000001_1364969601')).toEqual({
      incident_id: '2041',
      incident_name: 'Multi-stage incident involving phishing and malware',
      incident_severity: 'High',
      incident_status: 'Active',
      incident_classification: 'Unknown',
      incident_determination: 'NotAvailable',
      assigned_analyst: null,
      alert_id: 'da638700000000000001_1364969601',
      alert_title: 'Connection to a known command-and-control address',
      alert_category: 'CommandAndControl',
      alert_severity: 'High',
      alert_status: 'New',
      service_source: 'MicrosoftDefenderATP',
      detection_source: 'WindowsDefenderAtp',
    });
    expect(redirected.map(({ incident_id, redirect_incident_id }) => [incident_id, redirect_incident_id]).sort()).toEqual([
      ['2042', '2041'],
      ['2043', '2041'],
    ]);
  });

  it('reads all pages', async () => {
    seedMany(201);
    expect((await perform('listIncidentsForDetections', { duration: 300, duration_type: 'days' })).items).toHaveLength(201);
  });
});

describe('Get Incident', () => {
  it('returns alerts, devices and entities', async () => {
    const incident = await perform('getIncident', { incident_id: '2041' });
    expect(incident.alerts[1]).toMatchObject({ devices: [{ mdatpDeviceId: COMPUTERS[0].machineId, riskScore: 'High' }] });
    expect(incident.alerts[1]?.entities.map(({ ipAddress }) => ipAddress)).toContain(INDICATORS.maliciousIp);
    await expect(perform('getIncident', { incident_id: '1' })).rejects.toMatchObject({ code: 'NotFound', status: 404 });
  });

  it('is not unknown at a host without the API', async () => {
    standIn.faults.next({ match: isApi, times: 2, status: 404, body: '<html>' });
    await expect(perform('getIncident', { incident_id: '2041' })).rejects.toMatchObject({
      code: 'Misconfigured',
      resolution: 'Check the API host of the connection.',
    });
  });
});

describe('errors', () => {
  it.each([
    [400, 'BadRequest', 'Incorrect request format', 'Check endpoint and headers', false],
    [401, 'CredentialsRejected', 'Invalid token', 'Regenerate token, check credentials', false],
    [403, 'NotPermitted', 'Insufficient API permissions', 'Grant admin consent', false],
    [500, 'Unavailable', 'Service issue', 'Retry later', true],
  ])('maps %i to %s', async (status, code, cause, resolution, retryable) => {
    standIn.faults.next({ match: isApi, times: 2, status });
    const refused = perform('listIncidents', {});
    await expect(refused).rejects.toMatchObject({ code, status, retryable, resolution: expect.stringContaining(resolution) });
    await expect(refused).rejects.toThrow(`${cause} (HTTP ${status})`);
  });

  it('never requests more than the largest page, which the third party rejects', async () => {
    const token = await perform('listIncidents', {}).then(() => [...standIn.state.identity.tokens.keys()][0]);
    const reply = await context.http.request({
      method: 'GET',
      url: `${standIn.url}/api/incidents`,
      query: { $top: 101 },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply.status).toBe(400);
  });

  it('names the error of a rejected token request', async () => {
    await expect(perform('listIncidents', {}, connect({ client_secret: 'wrong' }))).rejects.toMatchObject({
      code: 'CredentialsRejected',
      status: 401,
      resolution: expect.stringContaining('not its id'),
    });
  });

  it('respects a retry delay that is only in the body', async () => {
    standIn.faults.next({ match: isApi, status: 429, body: { error: { code: 'TooManyRequests', message: 'Retry after 41 seconds' } } });
    await expect(perform('listIncidents', {})).rejects.toMatchObject({ code: 'RateLimited', retryAfterSeconds: 41 });
  });
});

it('the connection test reports the granted permissions', async () => {
  const granted = await incidentSourceImplementation.test(context);
  expect(granted.credentials.ok).toBe(true);
  expect(granted.permissions.map((permission) => permission.granted)).toEqual([true, true, true]);
  standIn.state.identity.roles = [];
  expect((await incidentSourceImplementation.test(connect())).permissions.map((permission) => permission.granted)).toEqual([
    false,
    false,
    false,
  ]);
});

/** Recorded responses of the third party, if available. Each one goes through the skill that receives it. */
const recorded = readRecordedReplies('incident-source');

describe.skipIf(recorded.names.length === 0)('a recorded response', () => {
  it.each(recorded.names)('parses %s', async (name) => {
    const body = recorded.text(name);
    const [, kind, status] = /^(oauth-error|error)-(\d+)/.exec(name) ?? [];
    if (name.startsWith('get-')) {
      standIn.faults.next({ match: isApi, body });
      expect((await perform('getIncident', { incident_id: '1' })).alerts.length).toBeGreaterThan(0);
    } else if (name.startsWith('list-')) {
      standIn.faults.next({ match: isApi, times: 2, body });
      const { value } = z.object({ value: z.array(z.object({ alerts: z.array(z.unknown()) })) }).parse(JSON.parse(body));
      expect((await perform('listIncidents', {})).items).toHaveLength(value.length);
      expect((await perform('listIncidentsForDetections', {})).items).toHaveLength(value.flatMap(({ alerts }) => alerts).length);
    } else {
      standIn.faults.next({ match: kind === 'error' ? isApi : isToken, times: 2, status: Number(status ?? 200), body });
      // The recorded token is truncated, so the API does not know it.
      const expected = kind === undefined ? { code: 'CredentialsRejected' } : { name: 'ThirdPartyError', status: Number(status) };
      await expect(perform('listIncidents', {})).rejects.toMatchObject(expected);
    }
  });
});
