import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../connectors/catalogue.js';
import { type Catalogue, type SkillInput, skillSlug } from '../../connectors/kit/define.js';
import { COMPANY, COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import type { ConnectionTestReport } from '../../domain/connection/connection.js';
import { toSkillKey } from '../../domain/skill-key.js';
import type { Connection } from '../../services/connections/wire.js';
import type { TestService } from '../support/service.js';
import { startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

/** The connectors of the specification. Other connectors have their own tests. */
type Name =
  | 'endpointDetection'
  | 'incidentSource'
  | 'malwareProtection'
  | 'vulnerabilityInvestigation'
  | 'travelBooking'
  | 'threatIntelligence';

/** The input and the expected output of each skill. The compiler reports a missing skill. */
type Questions<Connectors extends Catalogue> = {
  readonly [N in keyof Connectors]: {
    readonly [Verb in keyof Connectors[N]['skills']]: {
      readonly input: SkillInput<Connectors[N]['skills'][Verb]> | (() => SkillInput<Connectors[N]['skills'][Verb]>);
      readonly holds: object;
    };
  };
};

const [DANA_PC, , FILE_SERVER] = COMPUTERS;
const [DANA, RUI] = PEOPLE;
const NOW = Math.floor(Date.now() / 1000);
const DAY_SECONDS = 86_400;
const comment = 'Seen calling home.';
const list = (...items: object[]) => ({ items: expect.arrayContaining(items.map((item) => expect.objectContaining(item))), cut: null });
const pendingAction = (type: string) => ({ type, status: 'Pending', machineId: DANA_PC.machineId });

const findAction = (type: string) => thirdParties.standIns.endpointDetection.state.actions.find((action) => action.type === type)?.id ?? '';

const QUESTIONS: Questions<Pick<typeof catalogue, Name>> = {
  endpointDetection: {
    listAlerts: { input: { severity: ['High'] }, holds: list({ severity: 'High', computerDnsName: DANA_PC.dnsName }) },
    getAlert: { input: { alert_id: 'da638700000000000001_1364969601' }, holds: { incidentId: '2041', machineId: DANA_PC.machineId } },
    listMachines: { input: { risk_score: ['High'] }, holds: list({ id: DANA_PC.machineId, riskScore: 'High' }) },
    getMachine: { input: { machine_id: DANA_PC.dnsName }, holds: { id: DANA_PC.machineId, lastIpAddress: DANA_PC.internalIp } },
    listMachineLogonUsers: { input: { machine_id: DANA_PC.machineId }, holds: list({ accountName: DANA.account }) },
    isolateMachine: { input: { machine_id: DANA_PC.machineId, comment }, holds: pendingAction('Isolate') },
    unisolateMachine: { input: { machine_id: DANA_PC.machineId, comment }, holds: pendingAction('Unisolate') },
    runAntivirusScan: { input: { machine_id: DANA_PC.machineId, comment, scan_type: 'Full' }, holds: pendingAction('RunAntiVirusScan') },
    collectInvestigationPackage: { input: { machine_id: DANA_PC.machineId, comment }, holds: pendingAction('CollectInvestigationPackage') },
    runLiveResponse: {
      input: { machine_id: DANA_PC.machineId, comment, commands: [{ type: 'RunScript', script_name: 'collect.ps1', args: '-all' }] },
      holds: { ...pendingAction('LiveResponse'), commands: [expect.objectContaining({ commandStatus: 'Created' })] },
    },
    runAdvancedQuery: {
      input: { query: `DeviceNetworkEvents | where RemoteIP == "${INDICATORS.maliciousIp}" | take 10` },
      holds: { ...list({ DeviceName: DANA_PC.dnsName }), schema: expect.arrayContaining([{ name: 'RemoteIP', type: 'String' }]) },
    },
    listIndicators: { input: {}, holds: list({ indicatorValue: INDICATORS.maliciousDomain, action: 'Block' }) },
    createIndicator: {
      input: {
        indicator_value: INDICATORS.maliciousIp,
        indicator_type: 'IpAddress',
        action: 'Block',
        title: 'Command and control',
        description: 'Found in an investigation.',
      },
      holds: { indicatorValue: INDICATORS.maliciousIp, action: 'Block' },
    },
    listVulnerabilities: {
      input: { cve_id: INDICATORS.exploitedCve },
      holds: list({ id: INDICATORS.exploitedCve, exploitVerified: true }),
    },
    listMachinesVulnerabilities: {
      input: { cve_id: INDICATORS.exploitedCve },
      holds: list({ cveId: INDICATORS.exploitedCve, machineId: FILE_SERVER.machineId }),
    },
    listRecommendations: { input: {}, holds: list({ productName: 'gateway-client', publicExploit: true }) },
    getMachineAction: {
      input: () => ({ action_id: thirdParties.standIns.endpointDetection.state.actions.at(-1)?.id ?? '' }),
      holds: { type: 'Isolate', machineId: DANA_PC.machineId },
    },
    getInvestigationPackage: { input: () => ({ action_id: findAction('CollectInvestigationPackage') }), holds: { link: null } },
    getLiveResponseResult: { input: () => ({ action_id: findAction('LiveResponse') }), holds: { link: null, output: null } },
    getScanResult: {
      input: () => ({ action_id: findAction('RunAntiVirusScan') }),
      holds: { action: expect.objectContaining({ type: 'RunAntiVirusScan' }) },
    },
    listMachineActions: {
      input: { machine_id: DANA_PC.machineId },
      holds: list({ type: 'Isolate' }, { type: 'Unisolate' }, { type: 'LiveResponse' }),
    },
  },
  incidentSource: {
    listIncidentsForDetections: {
      input: { duration: 7 },
      holds: {
        ...list({ incident_id: '2041' }),
        redirected: expect.arrayContaining([expect.objectContaining({ redirect_incident_id: '2041' })]),
      },
    },
    listIncidents: { input: { duration: 7, status: ['Active'] }, holds: list({ incidentId: '2041', severity: 'High' }) },
    getIncident: {
      input: { incident_id: '2046' },
      holds: { incidentId: '2046', alerts: [expect.objectContaining({ title: 'Atypical travel' })] },
    },
  },
  malwareProtection: {
    retrieveEvents: {
      input: { detection_sha256: INDICATORS.malwareSha256 },
      holds: { ...list({ id: '6180352115244794001', event_type: 'Threat Quarantined' }), source: 'api' },
    },
    listComputers: { input: { hostname: [DANA_PC.name] }, holds: list({ connector_guid: DANA_PC.connectorGuid }) },
    createEventStream: { input: { name: 'investigations' }, holds: { id: '1', name: expect.stringMatching(/^investigations /) } },
  },
  vulnerabilityInvestigation: {
    listInvestigations: {
      input: { statuses: ['OPEN'] },
      holds: { ...list({ status: 'OPEN', priority: 'HIGH' }), key_uuid: expect.any(String) },
    },
    getInvestigation: { input: { investigation_id: 'AF6JTFINWHGK' }, holds: { title: `Suspicious download by ${DANA.account}` } },
    listInvestigationAlerts: {
      input: { investigation_id: 'AF6JTFINWHGK' },
      holds: list({ title: `Connection to ${INDICATORS.maliciousIp}` }),
    },
    searchVulnerabilitiesOfAsset: {
      input: { hostname: FILE_SERVER.name },
      holds: {
        ...list({ cves: [INDICATORS.exploitedCve], severity: 'critical' }),
        assets: [expect.objectContaining({ ip: FILE_SERVER.internalIp })],
      },
    },
  },
  travelBooking: {
    getUsers: { input: { email: RUI.email }, holds: list({ user_id: RUI.id, given_name: 'Rui' }) },
    searchUserTravel: {
      input: { email: RUI.email, around: NOW },
      holds: {
        trips: [
          expect.objectContaining({ cancelled: false, places: expect.arrayContaining([expect.objectContaining({ city: 'Singapore' })]) }),
        ],
      },
    },
    getBookings: {
      input: { created_from: NOW - 60 * DAY_SECONDS, created_to: NOW, type: 'HOTEL' },
      holds: list({ vendor: 'Harbourfront Hotel', status: 'CONFIRMED' }),
    },
  },
  threatIntelligence: {
    getPlaybookAlerts: { input: { priorities: ['High'] }, holds: list({ category: 'identity_novel_exposures' }) },
    listAlerts: {
      input: { entity: INDICATORS.maliciousDomain, from: NOW - 3 * DAY_SECONDS },
      holds: list({ title: `${INDICATORS.maliciousDomain} was registered` }),
    },
    getEnrichment: {
      input: { kind: 'url', value: INDICATORS.maliciousUrl },
      holds: { found: true, score: 91, rules: ['Recently Active URL on Phishing Site'] },
    },
  },
};

let thirdParties: ThirdParties;
let service: TestService;
let stop: WithThirdParties['stop'];
const connectionIds = new Map<string, string>();

beforeAll(async () => {
  ({ service, thirdParties, stop } = await startWithThirdParties());
  // The results of actions are asked while the actions are pending, on a slow machine too.
  thirdParties.standIns.endpointDetection.state.actionSeconds = 3600;
  for (const name of names) connectionIds.set(name, (await connect(name, 'main')).connection_id);
});
afterAll(() => stop?.());

const connectors: Catalogue = catalogue;
const names = Object.keys(QUESTIONS) as Name[];
const skills = names.flatMap((name) =>
  Object.entries(connectors[name]?.skills ?? {}).map(([verb, contract]) => {
    const question = Object.entries(QUESTIONS[name]).find(([asked]) => asked === verb)?.[1];
    return { activity: toSkillKey(name, verb), name, verb, contract, question };
  }),
);
const writes = skills.filter(({ contract }) => contract.effect === 'write');

async function connect(name: Name, instance: string): Promise<Connection> {
  const body = {
    organization_code: 'DEMO',
    instance_name: `${name} ${instance}`,
    needs_second_person: false,
    ...thirdParties.connections[name],
  };
  const reply = await service.request<Connection>('POST', '/platformapi/connections', { body });
  expect(reply).toMatchObject({ status: 201, body: { state: 'untested', generation: 1 } });
  return reply.body;
}

const run = (connectionId: string | undefined, slug: string, body: object) =>
  service.request<Record<string, unknown>>('POST', `/platformapi/connections/${connectionId}/skills/${slug}`, { body });
const test = (connectionId: string | undefined) =>
  service.request<ConnectionTestReport>('POST', `/platformapi/connections/${connectionId}/test`);
const read = async (connectionId: string | undefined) =>
  (await service.request<Connection>('GET', `/platformapi/connections/${connectionId}`)).body;

describe.each(names)('a connection to %s', (name) => {
  it('shows no secret, and its connection test reports success as text', async () => {
    const connection = await read(connectionIds.get(name));
    const report = await test(connection.connection_id);
    expect(report).toMatchObject({ status: 200, body: { ok: true, credentials: { ok: true }, clock_skew_seconds: expect.any(Number) } });
    expect(report.body.summary).toContain('accepts');
    expect(report.body.hosts.filter(({ host }) => host !== null)).not.toEqual([]);
    for (const { host, reachable } of report.body.hosts) expect(reachable).toBe(host === null ? null : true);
    expect(report.body.permissions.map(({ granted }) => granted)).not.toContain(false);
    expect(await read(connection.connection_id)).toMatchObject({ state: 'working', generation: 1 });
    const shown = JSON.stringify([connection, report.body, (await service.request('GET', '/platformapi/connections')).body]);
    const { credentials } = thirdParties.connections[name];
    for (const [field, value] of Object.entries(credentials)) {
      if (/secret|key|token/.test(field)) expect(shown).not.toContain(value);
    }
  });
});

describe('every skill, through Temporal and TLS', () => {
  it.each(skills)('$activity', async ({ activity, name, contract, question }) => {
    const connectionId = connectionIds.get(name);
    const given: unknown = question?.input;
    const input: unknown = typeof given === 'function' ? given() : given;
    const reply = await run(connectionId, skillSlug(contract), { input, confirm: true });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        skill_id: contract.title,
        skill_key: activity,
        output: question?.holds,
        truncated: false,
        attempts: 1,
        duration_ms: expect.any(Number),
      },
    });
    const { output } = reply.body;
    expect(contract.output.parse(output)).toEqual(output);

    const [stored] = await service.database.pg<{ run_uuid: string; result_uuid: string }[]>`
      select run_uuid, result_uuid from skill_runs where connection_uuid = ${connectionId ?? ''} and skill_id = ${contract.title}
      union all select proposal_uuid, result_uuid from proposals where connection_uuid = ${connectionId ?? ''} and skill_id = ${contract.title}`;
    const evidence = await service.request('GET', `/platformapi/skill-results/${stored?.result_uuid}`);
    expect(evidence).toMatchObject({
      status: 200,
      body: { skill_id: contract.title, skill_key: activity, status: 'done', output, request_digest: expect.any(String) },
    });
    const workflowId = `${contract.effect === 'write' ? 'proposal' : 'skill'}-${stored?.run_uuid}`;
    const { events } = await service.temporal.workflow.getHandle(workflowId).fetchHistory();
    const called = events?.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? []);
    expect(called).toEqual([activity]);
  });

  it('performs each write once', () => {
    const { actions, indicators } = thirdParties.standIns.endpointDetection.state;
    expect(actions.map(({ type }) => type).sort()).toEqual([
      'CollectInvestigationPackage',
      'Isolate',
      'LiveResponse',
      'RunAntiVirusScan',
      'Unisolate',
    ]);
    for (const { requestorComment } of actions) expect(requestorComment).toContain(comment);
    expect(indicators).toHaveLength(2);
    expect(thirdParties.standIns.malwareProtection.state.streams).toHaveLength(1);
  });

  it('is listed with the connectors', async () => {
    const { body } = await service.request<{ items: { skills: { slug: string; input: object }[] }[] }>('GET', '/platformapi/connectors');
    expect(body.items.flatMap((connector) => connector.skills.map(({ slug }) => slug))).toEqual(
      expect.arrayContaining(skills.map(({ contract }) => skillSlug(contract))),
    );
  });
});

it.each(writes)('$activity is rejected without confirm, before any call', async ({ name, contract, question }) => {
  const standIn = thirdParties.standIns[name];
  const before = standIn.requests.length;
  for (const unconfirmed of [{}, { confirm: false }]) {
    expect(await run(connectionIds.get(name), skillSlug(contract), { input: question?.input, ...unconfirmed })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/confirm' }] },
    });
  }
  expect(standIn.requests).toHaveLength(before);
});

it('rejects invalid input before any call', async () => {
  const connectionId = connectionIds.get('threatIntelligence');
  expect(await run(connectionId, 'get-enrichment', { input: { kind: 'person', value: 'x', colour: 'red' } })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '#/input/colour' }, { pointer: '#/input/kind' }] },
  });
  expect(await run(connectionId, 'list-machines', { input: {} })).toMatchObject({ status: 404 });
});

it('keeps the secrets that a reconnect omits', async () => {
  const id = connectionIds.get('malwareProtection');
  expect((await read(id)).credentials).toMatchObject({ api_key: { set: true }, stream: { set: true } });
  const { api_client_id, api_key } = thirdParties.connections.malwareProtection.credentials;
  for (const credentials of [{ api_client_id }, { api_key }]) {
    const reply = await service.request('POST', `/platformapi/connections/${id}/reconnect`, { body: { credentials } });
    // The stand-in has no event stream, which the test reports separately.
    expect(reply).toMatchObject({ status: 200, body: { test: { ok: false, credentials: { ok: true } } } });
  }
  expect((await read(id)).credentials).toEqual({ api_client_id, api_key: { set: true }, stream: { set: true } });
});

it('counts changed settings as a reconnect, so that waiting investigations continue', async () => {
  const { connection_id: id } = await connect('travelBooking', 'elsewhere');
  thirdParties.standIns.travelBooking.faults.next({ match: ({ url }) => !url.endsWith('/token'), status: 401, times: 2, body: {} });
  expect(await run(id, 'get-users', { input: {} })).toMatchObject({ status: 502, body: { code: 'CredentialsRejected' } });
  expect(await read(id)).toMatchObject({ state: 'broken', generation: 1 });
  const { settings } = thirdParties.connections.travelBooking;
  expect(await service.request('PATCH', `/platformapi/connections/${id}`, { body: { settings } })).toMatchObject({ status: 200 });
  expect((await test(id)).body).toMatchObject({ ok: true });
  expect(await read(id)).toMatchObject({ state: 'working', generation: 2 });
});

it('finds the company of the stand-ins and reports an unknown domain', async () => {
  const reply = await run(connectionIds.get('threatIntelligence'), 'get-enrichment', { input: { kind: 'company', value: COMPANY.domain } });
  expect(reply).toMatchObject({ status: 200, body: { output: { found: true, score: 35 } } });
  const unknown = await run(connectionIds.get('threatIntelligence'), 'get-enrichment', {
    input: { kind: 'domain', value: 'nobody.example' },
  });
  expect(unknown).toMatchObject({ status: 200, body: { output: { found: false, score: null } } });
});
