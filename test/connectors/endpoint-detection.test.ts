import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpointDetection } from '../../connectors/endpoint-detection/contract.js';
import { endpointDetectionImplementation } from '../../connectors/endpoint-detection/skills.js';
import { defineEndpointDetectionStandIn, type EndpointDetectionStandInState } from '../../connectors/endpoint-detection/stand-in.js';
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

type Skills = typeof endpointDetection.skills;
type Verb = keyof Skills;
type Context = SkillContext<typeof endpointDetection>;

const [DANA_PC, RUI_PC, FILE_SERVER] = COMPUTERS;
const isApi = ({ url }: RecordedRequest) => url.toLowerCase().startsWith('/api/');
const isToken = ({ url }: RecordedRequest) => url.includes('/oauth2/');

let authority: Authority;
let standIn: StandIn<EndpointDetectionStandInState>;
let context: Context;

beforeAll(async () => {
  authority = await createAuthority();
});

beforeEach(async () => {
  standIn = await startStandIn({ authority, define: defineEndpointDetectionStandIn });
  context = connect();
});

afterEach(() => standIn.stop());

function connect(
  given: { operationKey?: string; credentials?: Record<string, string>; apiHost?: string; resource?: string } = {},
): Context {
  const { identity } = standIn.state;
  const credentials = { tenant_id: identity.tenantId, client_id: identity.clientId, client_secret: identity.clientSecret };
  return contextFor(endpointDetection, standIn, {
    settings: {
      auth_url: standIn.url,
      api_host: given.apiHost ?? standIn.url,
      scope_resource: given.resource ?? 'https://api.securitycenter.microsoft.com',
    },
    credentials: { ...credentials, ...given.credentials },
    ...(given.operationKey === undefined ? {} : { operationKey: given.operationKey }),
  });
}

function perform<const V extends Verb>(
  verb: V,
  input: z.input<Skills[V]['input']>,
  by: Context = context,
): Promise<z.output<Skills[V]['output']>> {
  return performSkill(endpointDetection, endpointDetectionImplementation, verb, input, by);
}

function sentTo(path: string): RecordedRequest[] {
  return standIn.requests.filter(({ url }) => url.startsWith(path));
}

function listQueries(path: string): Record<string, string>[] {
  return sentTo(path).map(({ url }) => Object.fromEntries(new URL(url, standIn.url).searchParams));
}

describe('alerts', () => {
  it('returns alerts with their evidence', async () => {
    const { items, cut } = await perform('listAlerts', {});
    expect(cut).toBeNull();
    expect(items).toHaveLength(4);
    expect(items[0]).toMatchObject({ incidentId: '2041', machineId: DANA_PC.machineId, relatedUser: { userName: 'dana.vries' } });
    expect(items[0]?.evidence.map(({ sha256, ipAddress }) => sha256 ?? ipAddress)).toContain(INDICATORS.maliciousIp);
    expect(listQueries('/api/alerts')).toEqual([{ $expand: 'evidence', $top: '500' }]);
  });

  it('filters alerts at the third party', async () => {
    const high = await perform('listAlerts', { severity: ['High', 'Medium'], incident_id: '2041', status: ['New'] });
    expect(high.items).toHaveLength(2);
    const recent = await perform('listAlerts', { created_since: new Date(Date.now() - 9_000_000).toISOString() });
    expect(recent.items.map(({ computerDnsName }) => computerDnsName)).toEqual([RUI_PC.dnsName, FILE_SERVER.dnsName]);
    const both = { created_until: new Date(Date.now() - 9_000_000).toISOString(), updated_since: '2020-01-01T02:00:00+02:00' };
    expect((await perform('listAlerts', both)).items).toHaveLength(2);
    expect(listQueries('/api/alerts')[0]?.['$filter']).toBe(
      "(severity eq 'High' or severity eq 'Medium') and (status eq 'New') and incidentId eq 2041",
    );
    expect(listQueries('/api/alerts')[2]?.['$filter']).toContain('lastUpdateTime ge 2020-01-01T00:00:00.000Z');
  });

  it('escapes text in filters', async () => {
    const hostile = "x' or severity eq 'High";
    expect((await perform('listAlerts', { category: hostile })).items).toEqual([]);
    expect(listQueries('/api/alerts')[0]?.['$filter']).toBe("category eq 'x'' or severity eq ''High'");
  });

  it('reads an alert by its ID', async () => {
    expect(await perform('getAlert', { alert_id: 'da638700000000000002_1364969602' })).toMatchObject({ threatFamilyName: 'ParcelRat' });
    await expect(perform('getAlert', { alert_id: 'da1_1' })).rejects.toMatchObject({ code: 'NotFound', status: 404, retryable: false });
    for (const alert_id of ['../machines', '..', 'a/b', 'a?b', '']) {
      expect(endpointDetection.skills.getAlert.input.safeParse({ alert_id }).success).toBe(false);
    }
  });
});

describe('paging', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `da${index}_1`, title: `Alert ${index}` }));

  it('reads pages until one is short', async () => {
    standIn.state.alerts.splice(0, 4, ...many(1200));
    const { items, cut } = await perform('listAlerts', { max_items: 5000 });
    expect(items.map(({ id }) => id)).toEqual(many(1200).map(({ id }) => id));
    expect(cut).toBeNull();
    expect(listQueries('/api/alerts').map(({ $skip }) => $skip)).toEqual([undefined, '500', '1000']);
  });

  it('follows next links', async () => {
    standIn.state.pageSize = 300;
    standIn.state.alerts.splice(0, 4, ...many(1000));
    const { items } = await perform('listAlerts', { max_items: 5000 });
    expect(new Set(items.map(({ id }) => id)).size).toBe(1000);
    expect(items).toHaveLength(1000);
  });

  it('reports that a list is truncated', async () => {
    expect(await perform('listAlerts', { max_items: 2 })).toMatchObject({ cut: 'There are more than the 2 items asked for.' });
    const exact = await perform('listAlerts', { max_items: 4 });
    expect(exact.cut).toBeNull();
    expect(exact.items).toHaveLength(4);
  });

  it('does not send the token to another host', async () => {
    const stranger = await startStandIn({ authority, define: () => null });
    const body = { value: [{ id: 'one' }], '@odata.nextLink': `${stranger.url}/api/alerts?$skip=1` };
    standIn.faults.next({ match: isApi, body });
    expect((await perform('listAlerts', {})).items).toMatchObject([
      { id: 'one' },
      { incidentId: '2041' },
      { incidentId: '2044' },
      { incidentId: '2039' },
    ]);
    expect(listQueries('/api/alerts').map(({ $skip }) => $skip)).toEqual([undefined, '1']);
    expect(stranger.requests).toEqual([]);
    await stranger.stop();
  });
});

describe('machines', () => {
  it('lists and filters machines', async () => {
    expect((await perform('listMachines', {})).items).toHaveLength(4);
    const found = await perform('listMachines', {
      risk_score: ['High', 'Low'],
      machine_tag: "server's room",
      last_ip_address: FILE_SERVER.internalIp,
      last_seen_since: '2024-01-01T00:00:00Z',
    });
    expect(found.items).toMatchObject([{ id: FILE_SERVER.machineId, exposureLevel: 'High' }]);
  });

  it('returns an empty list when the third party responds with 404', async () => {
    standIn.state.machines.length = 0;
    expect(await perform('listMachines', {})).toEqual({ items: [], total: 0, cut: null, omitted: 0 });
  });

  it('does not take a host without the API for a platform that knows nothing', async () => {
    standIn.faults.next({ match: isApi, times: 8, status: 404, body: '<html>' });
    for (const ask of [
      () => perform('listMachines', {}),
      () => perform('getMachine', { machine_id: 'nobody' }),
      () => perform('getAlert', { alert_id: 'da1_1' }),
      () => perform('listMachineLogonUsers', { machine_id: 'nobody' }),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'Misconfigured', status: 404, message: expect.stringContaining('No API') });
  });

  it('reads a machine by its ID or name', async () => {
    for (const machine_id of [DANA_PC.machineId, DANA_PC.dnsName]) {
      expect(await perform('getMachine', { machine_id })).toMatchObject({ id: DANA_PC.machineId, machineTags: ['rotterdam'] });
    }
    await expect(perform('getMachine', { machine_id: 'nobody' })).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('lists the users that signed in to a machine', async () => {
    const { items } = await perform('listMachineLogonUsers', { machine_id: FILE_SERVER.machineId });
    expect(items).toMatchObject([
      { accountName: 'joost.bakker', isDomainAdmin: true },
      { accountName: 'dana.vries', logonTypes: 'Network' },
    ]);
    await expect(perform('listMachineLogonUsers', { machine_id: 'nobody' })).rejects.toMatchObject({ code: 'NotFound' });
  });
});

describe('actions', () => {
  const machine_id = DANA_PC.machineId;
  const comment = 'Because of alert 7';

  it('start as pending, carry our idempotency key and complete', async () => {
    const by = connect({ operationKey: 'key-1' });
    const action = await perform('isolateMachine', { machine_id, comment, isolation_type: 'Selective' }, by);
    expect(action).toMatchObject({ type: 'Isolate', status: 'Pending', scope: 'Selective', machineId: machine_id });
    expect(sentTo(`/api/machines/${machine_id}/isolate`)[0]?.body).toEqual({
      Comment: 'Because of alert 7 [alert-investigator key-1]',
      IsolationType: 'Selective',
    });
    standIn.state.actionSeconds = 0;
    expect(await perform('getMachineAction', { action_id: action.id })).toMatchObject({ status: 'Succeeded' });
  });

  it('of every kind can be looked up by idempotency key', async () => {
    const by = connect({ operationKey: 'key-2' });
    const { lookups } = endpointDetectionImplementation;
    const given = { machine_id, comment };
    const live = {
      ...given,
      commands: [
        { type: 'RunScript' as const, script_name: 'minidump.ps1', args: 'OfficeClickToRun' },
        { type: 'GetFile' as const, path: 'C:\\windows\\TEMP\\OfficeClickToRun.dmp.zip' },
      ],
    };
    const isolated = await perform('isolateMachine', given, by);
    expect(await lookups.isolateMachine({ ...given, isolation_type: 'Full' }, by)).toMatchObject({ id: isolated.id });
    const released = await perform('unisolateMachine', given, by);
    expect(await lookups.unisolateMachine({ ...given, machine_id: DANA_PC.dnsName }, by)).toMatchObject({ id: released.id });
    const scanned = await perform('runAntivirusScan', { ...given, scan_type: 'Full' }, by);
    expect(await lookups.runAntivirusScan({ ...given, scan_type: 'Full' }, by)).toMatchObject({ id: scanned.id, scope: 'Full' });
    const collected = await perform('collectInvestigationPackage', given, by);
    expect(await lookups.collectInvestigationPackage(given, by)).toMatchObject({ id: collected.id });
    const responded = await perform('runLiveResponse', live, by);
    expect(responded.commands).toMatchObject([{ command: { type: 'RunScript' } }, { command: { type: 'GetFile' } }]);
    expect(await lookups.runLiveResponse(live, by)).toMatchObject({ id: responded.id });
    expect(sentTo('/API/machines')[0]?.body).toMatchObject({
      Commands: [
        {
          type: 'RunScript',
          params: [
            { key: 'ScriptName', value: 'minidump.ps1' },
            { key: 'Args', value: 'OfficeClickToRun' },
          ],
        },
        { type: 'GetFile', params: [{ key: 'Path', value: 'C:\\windows\\TEMP\\OfficeClickToRun.dmp.zip' }] },
      ],
    });

    const other = connect({ operationKey: 'key-3' });
    expect(await lookups.isolateMachine({ ...given, isolation_type: 'Full' }, other)).toBeNull();
    expect((await perform('listMachineActions', { machine_id, status: 'Pending' })).items).toHaveLength(5);
    expect((await perform('listMachineActions', { machine_id: RUI_PC.machineId })).items).toEqual([]);
    expect((await perform('listMachineActions', { machine_id: DANA_PC.name, status: 'Pending' })).items).toHaveLength(5);
    await expect(perform('listMachineActions', { machine_id: 'nobody' })).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('run once and can be looked up after a lost response', async () => {
    const by = connect({ operationKey: 'key-4' });
    standIn.faults.next({ match: ({ method, url }) => method === 'POST' && url.endsWith('/isolate'), reset: true, performed: true });
    await expect(perform('isolateMachine', { machine_id, comment }, by)).rejects.toMatchObject({
      code: 'Unavailable',
      mayHaveHappened: true,
    });
    const found = await endpointDetectionImplementation.lookups.isolateMachine({ machine_id, comment, isolation_type: 'Full' }, by);
    expect(found).toMatchObject({ id: standIn.state.actions[0]?.id });
    expect(standIn.state.actions).toHaveLength(1);
  });

  it('return a conflict when another client has a pending action', async () => {
    const first = await perform('isolateMachine', { machine_id, comment });
    const second = connect({ operationKey: 'key-5' });
    const refused = perform('isolateMachine', { machine_id, comment }, second);
    await expect(refused).rejects.toMatchObject({ code: 'Conflict', status: 400, retryable: false, mayHaveHappened: false });
    await expect(refused).rejects.toThrow(`Isolate is already Pending on this machine: action ${first.id}`);
    standIn.faults.next({ match: ({ url }) => url.startsWith('/api/machineactions'), status: 500 });
    await expect(perform('isolateMachine', { machine_id, comment }, second)).rejects.toMatchObject({ code: 'Conflict' });
  });

  it('do not conflict with our own pending action', async () => {
    const by = connect({ operationKey: 'key-6' });
    const first = await perform('isolateMachine', { machine_id, comment }, by);
    expect(await perform('isolateMachine', { machine_id, comment }, by)).toMatchObject({ id: first.id });
  });

  it('resolve a name to the id of the machine first', async () => {
    for (const name of [DANA_PC.dnsName, DANA_PC.name, DANA_PC.name.toUpperCase()]) {
      standIn.state.actions.length = 0;
      const action = await perform('isolateMachine', { machine_id: name, comment });
      expect(action.machineId).toBe(DANA_PC.machineId);
    }
    const sent = standIn.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/isolate'));
    expect(new Set(sent.map(({ url }) => url))).toEqual(new Set([`/api/machines/${DANA_PC.machineId}/isolate`]));
    await expect(perform('isolateMachine', { machine_id: 'nobody', comment })).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('refuse a name that several machines have', async () => {
    const [machine] = standIn.state.machines;
    if (!machine) throw new Error('the stand-in has no machine');
    standIn.state.machines.push({ ...machine, id: 'f'.repeat(40) });
    const name = String(machine['computerDnsName']);
    for (const machine_id of [name, name.split('.')[0] ?? '']) {
      await expect(perform('isolateMachine', { machine_id, comment })).rejects.toMatchObject({
        code: 'BadRequest',
        message: expect.stringMatching(new RegExp(`^2 machines have the name ${machine_id}: .*${'f'.repeat(40)}`)),
        resolution: 'Enter the id of the machine.',
        mayHaveHappened: false,
      });
    }
    expect(standIn.state.actions).toEqual([]);
  });

  it('are not started on a name if the list of names is incomplete', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({
      id: index.toString(16).padStart(40, '0'),
      computerDnsName: `pc${index}.a`,
    }));
    standIn.state.machines.splice(0, 4, { id: 'a'.repeat(40), computerDnsName: 'pc' }, ...many);
    await expect(perform('isolateMachine', { machine_id: 'pc', comment })).rejects.toMatchObject({
      code: 'BadRequest',
      message: expect.stringContaining('Too many names begin with pc'),
      mayHaveHappened: false,
    });
    expect(standIn.state.actions).toEqual([]);
  });

  it('return the link to the investigation package', async () => {
    const { id } = await perform('collectInvestigationPackage', { machine_id, comment });
    expect(await perform('getInvestigationPackage', { action_id: id })).toMatchObject({ link: null, action: { status: 'Pending' } });
    standIn.state.actionSeconds = 0;
    const { link } = await perform('getInvestigationPackage', { action_id: id });
    expect(link).toBe(`${standIn.url}/storage/package-${id}.zip?sig=signature`);
  });

  it('return the output of a live response, without a token to the storage', async () => {
    const commands = [{ type: 'RunScript' as const, script_name: 'a.ps1' }];
    const { id } = await perform('runLiveResponse', { machine_id, comment, commands });
    expect(await perform('getLiveResponseResult', { action_id: id })).toMatchObject({
      output: null,
      output_missing: expect.stringContaining('Pending'),
    });
    standIn.state.actionSeconds = 0;
    const result = await perform('getLiveResponseResult', { action_id: id, command_index: 0 });
    expect(result).toMatchObject({ link: `${standIn.url}/storage/output-0.json?sig=signature`, output_missing: null });
    expect(JSON.parse(result.output ?? '')).toEqual({ script_output: 'of output-0.json', exit_code: 0 });
    const download = standIn.requests.find(({ url }) => url.startsWith('/storage/'));
    expect(download?.headers).not.toHaveProperty('authorization');
    standIn.faults.next({ match: ({ url }) => url.startsWith('/storage/'), status: 403 });
    expect(await perform('getLiveResponseResult', { action_id: id })).toMatchObject({
      link: expect.any(String),
      output: null,
      output_missing: expect.stringContaining('HTTP 403'),
    });
  });

  it('return the result of a scan: its state and the alerts of the machine since it began', async () => {
    standIn.state.actionSeconds = 0;
    const { id } = await perform('runAntivirusScan', { machine_id, comment });
    const at = new Date(Date.now() + 1000).toISOString();
    standIn.state.alerts.push({ id: 'found', machineId: machine_id, alertCreationTime: at, evidence: [] });
    standIn.state.alerts.push({ id: 'elsewhere', machineId: RUI_PC.machineId, alertCreationTime: at, evidence: [] });
    const { action, items } = await perform('getScanResult', { action_id: id });
    expect(action).toMatchObject({ type: 'RunAntiVirusScan', status: 'Succeeded' });
    expect(items.map((alert) => alert.id)).toEqual(['found']);
  });

  it('of live response accept commands only in the required order', () => {
    const commands = [
      { type: 'GetFile', path: 'a' },
      { type: 'PutFile', file_name: 'b' },
    ];
    const { input } = endpointDetection.skills.runLiveResponse;
    expect(input.safeParse({ machine_id, comment, commands }).success).toBe(false);
    expect(input.safeParse({ machine_id, comment, commands: commands.toReversed() }).success).toBe(true);
  });
});

describe('hunting, indicators and vulnerabilities', () => {
  it('returns the rows and columns of a query', async () => {
    const query = `DeviceProcessEvents | where SHA256 == "${INDICATORS.malwareSha256}"`;
    const whole = await perform('runAdvancedQuery', { query });
    expect(whole.items).toHaveLength(2);
    expect(whole.schema).toContainEqual({ name: 'Timestamp', type: 'DateTime' });
    expect(await perform('runAdvancedQuery', { query, max_items: 1 })).toMatchObject({
      total: 2,
      cut: 'There are more than the 1 items asked for.',
      items: [{ AccountName: 'dana.vries' }],
    });
    await expect(perform('runAdvancedQuery', { query: 'Nothing' })).rejects.toThrow(/Fix syntax errors in your query/);
  });

  it('creates an indicator once and then updates it', async () => {
    const indicator = {
      indicator_value: INDICATORS.maliciousIp,
      indicator_type: 'IpAddress' as const,
      action: 'Block' as const,
      title: 'Command and control',
      description: 'Seen on hr-ws-014',
    };
    const created = await perform('createIndicator', { ...indicator, expiration_time: '2030-01-01T00:00:00Z' });
    expect(created).toMatchObject({ indicatorValue: INDICATORS.maliciousIp, expirationTime: '2030-01-01T00:00:00Z', generateAlert: true });
    expect((await perform('createIndicator', { ...indicator, severity: 'High' })).id).toBe(created.id);
    const { items } = await perform('listIndicators', { indicator_value: INDICATORS.maliciousIp, severity: 'High' });
    expect(items).toHaveLength(1);
    expect(await endpointDetectionImplementation.lookups.createIndicator()).toBeNull();
    const { input } = endpointDetection.skills.createIndicator;
    expect(input.safeParse({ ...indicator, action: 'Audit', generate_alert: false }).success).toBe(false);
  });

  it('lists vulnerabilities, affected machines and recommendations', async () => {
    expect((await perform('listVulnerabilities', { cve_id: INDICATORS.exploitedCve })).items).toMatchObject([
      { publicExploit: true, epss: 0.94 },
    ]);
    const onServer = await perform('listMachinesVulnerabilities', { machine_id: FILE_SERVER.machineId });
    expect(onServer.items).toMatchObject([{ cveId: INDICATORS.exploitedCve }]);
    expect(await perform('listMachinesVulnerabilities', { machine_id: FILE_SERVER.dnsName })).toEqual(onServer);
    await expect(perform('listMachinesVulnerabilities', { machine_id: 'nobody' })).rejects.toMatchObject({ code: 'NotFound' });
    expect((await perform('listRecommendations', { product_name: 'browser', status: 'Active' })).items).toMatchObject([{ weaknesses: 1 }]);
  });
});

describe('errors', () => {
  it.each([
    [400, 'BadRequest', 'Incorrect request format', 'Check endpoint and headers', false],
    [401, 'CredentialsRejected', 'Invalid token', 'Regenerate token, check credentials', false],
    [403, 'NotPermitted', 'Insufficient API permissions', 'Grant admin consent', false],
    [404, 'Misconfigured', 'No API at this address', 'Check the API host', false],
    [500, 'Unavailable', 'Service issue', 'Retry later', true],
    [503, 'Unavailable', 'Service issue', 'Retry later', true],
  ])('maps %i to %s', async (status, code, cause, resolution, retryable) => {
    standIn.faults.next({ match: isApi, times: 2, status, body: { error: { code: 'Some', message: 'words' } } });
    const refused = perform('getMachine', { machine_id: DANA_PC.machineId });
    await expect(refused).rejects.toMatchObject({ code, status, retryable, resolution: expect.stringContaining(resolution) });
    await expect(refused).rejects.toThrow(`${cause} (HTTP ${status}: Some: words)`);
  });

  it('reads the retry delay of a 429 from the header, the body, or neither', async () => {
    const body = { error: { code: 'TooManyRequests', message: 'Try again in 17 seconds.' } };
    standIn.faults.next({ match: isApi, status: 429, headers: { 'retry-after': '7' }, body });
    standIn.faults.next({ match: isApi, status: 429, body });
    standIn.faults.next({ match: isApi, status: 429 });
    for (const retryAfterSeconds of [7, 17, undefined]) {
      await expect(perform('listMachines', {})).rejects.toMatchObject({ code: 'RateLimited', status: 429, retryAfterSeconds });
    }
  });

  it('receives a 429 when the third party enforces its own limit', async () => {
    standIn.state.identity.requestsPerMinute = 1;
    await perform('listMachines', {});
    await expect(perform('listMachines', {})).rejects.toMatchObject({ code: 'RateLimited', retryAfterSeconds: expect.any(Number) });
  });

  it('replaces a rejected token once', async () => {
    await perform('listMachines', {});
    standIn.state.identity.tokens.clear();
    expect((await perform('listMachines', {})).items).toHaveLength(4);
    expect(standIn.requests.filter(isToken)).toHaveLength(2);
  });

  it('shares one token between 20 parallel calls', async () => {
    await Promise.all(Array.from({ length: 20 }, () => perform('getMachine', { machine_id: DANA_PC.machineId })));
    expect(standIn.requests.filter(isToken)).toHaveLength(1);
  });

  it.each<[string, () => Context, string, RegExp]>([
    ['a wrong secret', () => connect({ credentials: { client_secret: 'wrong' } }), 'CredentialsRejected', /Wrong client secret \(HTTP 401/],
    ['a wrong client', () => connect({ credentials: { client_id: 'nobody' } }), 'CredentialsRejected', /not found in this tenant/],
    ['a wrong tenant', () => connect({ credentials: { tenant_id: 'elsewhere' } }), 'CredentialsRejected', /Tenant not found/],
    ['an unknown resource', () => connect({ resource: 'https://nothing.example' }), 'BadRequest', /resource is not in this tenant/],
  ])('names the error for %s', async (_name, by, code, message) => {
    const refused = perform('listMachines', {}, by());
    await expect(refused).rejects.toMatchObject({ code, resolution: expect.stringMatching(/.{20}/) });
    await expect(refused).rejects.toThrow(message);
    expect(standIn.requests.filter(isApi)).toEqual([]);
  });

  it('names an expired secret and an unavailable identity provider', async () => {
    standIn.state.identity.isSecretExpired = true;
    await expect(perform('listMachines', {})).rejects.toThrow(/Expired client secret/);
    const busy = { error: 'invalid_request', error_description: 'AADSTS90055: busy', error_codes: [90055] };
    standIn.faults.next({ match: isToken, status: 400, body: busy });
    await expect(perform('isolateMachine', { machine_id: DANA_PC.machineId, comment: 'x' })).rejects.toMatchObject({
      code: 'Unavailable',
      retryable: true,
      mayHaveHappened: false,
    });
    const message = await perform('listMachines', {}).catch((error: unknown) => String(error));
    expect(message).not.toContain('Trace ID');
  });

  it('returns 403 for a skill whose role is missing in the token', async () => {
    standIn.state.identity.roles = ['Alert.ReadWrite.All'];
    expect((await perform('listAlerts', {})).items).toHaveLength(4);
    await expect(perform('isolateMachine', { machine_id: DANA_PC.machineId, comment: 'x' })).rejects.toMatchObject({
      code: 'NotPermitted',
      resolution: expect.stringContaining('Grant admin consent'),
    });
    expect(standIn.state.actions).toEqual([]);
  });

  it('rejects a response that is not a list', async () => {
    standIn.faults.next({ match: isApi, body: { value: 'none' } });
    await expect(perform('listAlerts', {})).rejects.toMatchObject({ code: 'UnexpectedReply' });
  });
});

describe('the connection test', () => {
  it('reads the mandatory permission from the reply if the token cannot be read', async () => {
    const opaque = { token_type: 'Bearer', expires_in: 3600, access_token: 'opaque-token-without-claims' };
    const grantedOf = async () => {
      standIn.faults.next({ match: isToken, times: 2, body: opaque });
      const { permissions, credentials } = await endpointDetectionImplementation.test(connect());
      return [permissions.find(({ skill_id }) => skill_id === 'List alerts')?.granted, credentials.detail];
    };
    standIn.faults.next({ match: isApi, status: 403, body: { error: { code: 'Forbidden', message: 'no role' } } });
    expect(await grantedOf()).toEqual([false, expect.stringContaining('the API refused it. Insufficient API permissions')]);
    standIn.faults.next({ match: isApi, body: { value: [] } });
    expect(await grantedOf()).toEqual([true, 'A token was issued and the API answered.']);
  });

  it('fails for a host without the API', async () => {
    standIn.faults.next({ match: isApi, status: 404, body: '<html>' });
    await expect(endpointDetectionImplementation.test(context)).rejects.toMatchObject({ code: 'Misconfigured' });
  });

  it('reads the permissions of each skill from the token', async () => {
    standIn.state.identity.roles = ['Alert.ReadWrite.All', 'Machine.ReadWrite.All', 'Ti.ReadWrite'];
    const result = await endpointDetectionImplementation.test(context);
    expect(result.credentials.ok).toBe(true);
    expect(Date.parse(result.date ?? '')).toBeGreaterThan(0);
    expect(result.permissions).toHaveLength(21);
    const granted = result.permissions.filter((permission) => permission.granted).map(({ skill_id }) => skill_id);
    expect(granted).toEqual([
      'List alerts',
      'Get alert',
      'List machines',
      'Get machine',
      'List indicators',
      'Get machine action',
      'Get scan result',
      'List machine actions',
    ]);
  });

  it('checks the current secret instead of a cached token', async () => {
    await perform('listMachines', {});
    standIn.state.identity.clientSecret = 'rotated';
    const result = await endpointDetectionImplementation.test(context);
    expect(result.credentials).toMatchObject({ ok: false, detail: expect.stringContaining('Wrong client secret') });
    expect(result.permissions.every(({ granted }) => granted === null)).toBe(true);
  });

  it('reports missing permissions and a missing licence', async () => {
    standIn.state.identity.roles = [];
    expect((await endpointDetectionImplementation.test(context)).credentials).toMatchObject({
      ok: true,
      detail: expect.stringContaining('admin consent'),
    });
    standIn.faults.next({ match: isApi, times: 2, status: 401 });
    expect((await endpointDetectionImplementation.test(context)).credentials).toMatchObject({
      ok: false,
      detail: expect.stringContaining('licence'),
    });
  });
});

/** Recorded responses of the third party, if available. Each one goes through the skill that receives it. */
const recorded = readRecordedReplies('endpoint-detection');
const machine_id = DANA_PC.machineId;
const action_id = '00000000-0000-0000-0000-000000000001';
const act = { machine_id, comment: 'why' };
const indicator = { indicator_value: 'x', indicator_type: 'Url', action: 'Block', title: 't', description: 'd' } as const;
const READERS: readonly [RegExp, () => Promise<unknown>][] = [
  [/^list-alerts/, () => perform('listAlerts', {})],
  [/^get-alert/, () => perform('getAlert', { alert_id: 'da1_1' })],
  [/^list-machines-vulnerabilities/, () => perform('listMachinesVulnerabilities', {})],
  [/^list-machines/, () => perform('listMachines', {})],
  [/^get-machine-logon-users/, () => perform('listMachineLogonUsers', { machine_id })],
  [/^get-machine-action/, () => perform('getMachineAction', { action_id })],
  [/^get-machine/, () => perform('getMachine', { machine_id })],
  [/^list-machine-actions/, () => perform('listMachineActions', {})],
  [/^isolate/, () => perform('isolateMachine', act)],
  [/^unisolate/, () => perform('unisolateMachine', act)],
  [/^run-antivirus/, () => perform('runAntivirusScan', act)],
  [/^collect/, () => perform('collectInvestigationPackage', act)],
  [/^run-live/, () => perform('runLiveResponse', { ...act, commands: [{ type: 'GetFile', path: 'x' }] })],
  [/^run-advanced/, () => perform('runAdvancedQuery', { query: 'x' })],
  [/^list-indicators/, () => perform('listIndicators', {})],
  [/^(create-indicator|indicator-entity)/, () => perform('createIndicator', indicator)],
  [/^list-vulnerabilities/, () => perform('listVulnerabilities', {})],
  [/^list-recommendations/, () => perform('listRecommendations', {})],
];
/** Requests, and responses of operations that no skill uses. */
const NOT_RECEIVED = /\.request\.json$|^get-package-uri|^get-live-response-result|^import-indicators/;
const received = recorded.names.filter((name) => !NOT_RECEIVED.test(name));

describe.skipIf(received.length === 0)('a recorded response', () => {
  it.each(received)('parses %s', async (name) => {
    const body = recorded.text(name);
    const [, kind, status] = /^(oauth-error|error)-(\d+)/.exec(name) ?? [];
    if (kind === undefined && !name.startsWith('oauth')) {
      standIn.faults.next({ match: isApi, body });
      const read = READERS.find(([pattern]) => pattern.test(name))?.[1];
      const output = await read?.();
      expect(output).toBeDefined();
      const { value } = z.object({ value: z.array(z.unknown()).optional() }).parse(JSON.parse(body));
      if (value) expect(output).toMatchObject({ items: expect.objectContaining({ length: value.length }) });
      return;
    }
    standIn.faults.next({ match: kind === 'error' ? isApi : isToken, times: 2, status: Number(status ?? 200), body });
    const refused = perform('runAdvancedQuery', { query: 'x' });
    if (kind === undefined) return expect(refused).rejects.toMatchObject({ code: 'CredentialsRejected' });
    await expect(refused).rejects.toMatchObject({ name: 'ThirdPartyError', status: Number(status) });
  });
});
