import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { COMPANY, COMPUTERS, INDICATORS, PEOPLE } from '../kit/stand-in/company.js';
import { admit, connectToIdentityProvider, defineIdentityProvider, type IdentityProviderState } from '../kit/stand-in/identity-provider.js';
import { type Listing, sendError, sendList } from '../kit/stand-in/odata.js';
import type { StandInDefinition } from '../kit/stand-in/stand-in.js';
import { runHuntingQuery } from './stand-in-hunting.js';

export interface StandInAction {
  readonly id: string;
  readonly type: string;
  status: string;
  readonly machineId: string;
  readonly requestorComment: string;
  readonly creationDateTimeUtc: string;
  lastUpdateDateTimeUtc: string;
  readonly [field: string]: unknown;
}

export interface EndpointDetectionStandInState {
  readonly identity: IdentityProviderState;
  readonly alerts: StandInRecord[];
  readonly machines: StandInRecord[];
  /** By the machine's id. */
  readonly logonUsers: Record<string, StandInRecord[]>;
  readonly indicators: StandInRecord[];
  readonly vulnerabilities: StandInRecord[];
  readonly machineVulnerabilities: StandInRecord[];
  readonly recommendations: StandInRecord[];
  /** Rows of the tables that hunting queries read. */
  readonly tables: Record<string, StandInRecord[]>;
  /** All actions, newest first. */
  readonly actions: StandInAction[];
  /** The time that an action stays pending before it succeeds. */
  actionSeconds: number;
  /** The largest page. */
  pageSize: number;
}

export type StandInRecord = Record<string, unknown>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const [DANA_PC, RUI_PC, FILE_SERVER, INES_MAC] = COMPUTERS;
const READ_MACHINE = ['Machine.Read.All', 'Machine.ReadWrite.All'];
const TIME_FIELDS = ['alertCreationTime', 'lastUpdateTime', 'lastEventTime'];

export const standIn: StandInDefinition<EndpointDetectionStandInState> = {
  define: defineEndpointDetectionStandIn,
  connection: (url, state) => connectToIdentityProvider(url, state.identity),
};

declare module '../kit/stand-in/stand-in.js' {
  interface StandInStates {
    endpointDetection: EndpointDetectionStandInState;
  }
}

/**
 * Routes of the endpoint detection platform. The scenario: Dana opened a file from a parcel notice. The file ran, connected to
 * its command-and-control server and was copied to Rui's computer, which blocked it. The alert on Inês' computer is benign.
 */
export function defineEndpointDetectionStandIn(app: FastifyInstance): EndpointDetectionStandInState {
  const identity = defineIdentityProvider(app, {
    resource: 'https://api.securitycenter.microsoft.com',
    roles: [
      'Alert.ReadWrite.All',
      'Machine.Read.All',
      'User.Read.All',
      'Machine.Isolate',
      'Machine.Scan',
      'Machine.CollectForensics',
      'Machine.LiveResponse',
      'AdvancedQuery.Read.All',
      'Ti.ReadWrite.All',
      'Vulnerability.Read.All',
      'SecurityRecommendation.Read.All',
    ],
    requestsPerMinute: 100,
  });
  const state: EndpointDetectionStandInState = { identity, ...seed(Date.now()), actions: [], actionSeconds: 5, pageSize: 10_000 };
  const admits = (request: FastifyRequest, reply: FastifyReply, ...roles: string[]) => admit(identity, request, reply, ...roles);
  const listRoute = (
    path: string,
    roles: string[],
    rows: () => readonly StandInRecord[],
    listing: Omit<Listing, 'pageSize' | 'linkPath'>,
  ) =>
    app.get(path, async (request, reply) => {
      if (!admits(request, reply, ...roles)) return reply;
      return sendList(request, reply, rows(), { ...listing, pageSize: state.pageSize, linkPath: path });
    });

  app.get('/api/alerts', async (request, reply) => {
    if (!admits(request, reply, 'Alert.ReadWrite.All')) return reply;
    const { $expand } = z.object({ $expand: z.string().optional() }).parse(request.query);
    // Without $expand the list contains no evidence.
    const rows = $expand === 'evidence' ? state.alerts : state.alerts.map((alert) => ({ ...alert, evidence: [] }));
    const filterable = [
      ...TIME_FIELDS,
      'incidentId',
      'investigationId',
      'id',
      'assignedTo',
      'detectionSource',
      'status',
      'severity',
      'category',
    ];
    return sendList(request, reply, rows, {
      entity: 'Alerts',
      maxTop: 10_000,
      filterable,
      pageSize: state.pageSize,
      linkPath: '/api/alerts',
    });
  });

  app.get<{ Params: { id: string } }>('/api/alerts/:id', async (request, reply) => {
    if (!admits(request, reply, 'Alert.ReadWrite.All')) return reply;
    const alert = state.alerts.find(({ id }) => id === request.params.id);
    return alert ?? notFound(reply, `Alert ${request.params.id} was not found`);
  });

  app.get('/api/machines', async (request, reply) => {
    if (!admits(request, reply, ...READ_MACHINE)) return reply;
    const filterable = ['computerDnsName', 'id', 'lastSeen', 'lastIpAddress', 'healthStatus', 'osPlatform', 'riskScore', 'exposureLevel'];
    const listing = { entity: 'Machines', maxTop: 10_000, filterable: [...filterable, 'machineTags', 'aadDeviceId'] };
    // The API answers 404 to an empty list.
    if (state.machines.length === 0) return notFound(reply, 'No machines were found');
    return sendList(request, reply, state.machines, { ...listing, pageSize: state.pageSize, linkPath: '/api/machines' });
  });

  app.get<{ Params: { id: string } }>('/api/machines/:id', async (request, reply) => {
    if (!admits(request, reply, ...READ_MACHINE)) return reply;
    return findMachine(state, request.params.id) ?? notFound(reply, `Machine ${request.params.id} was not found`);
  });

  app.get<{ Params: { id: string } }>('/api/machines/:id/logonusers', async (request, reply) => {
    if (!admits(request, reply, 'User.Read.All')) return reply;
    const machine = findMachine(state, request.params.id);
    if (!machine) return notFound(reply, `Machine ${request.params.id} was not found`);
    const listing = {
      entity: 'Users',
      maxTop: 10_000,
      filterable: [],
      pageSize: state.pageSize,
      linkPath: `/api/machines/${request.params.id}/logonusers`,
    };
    return sendList(request, reply, state.logonUsers[String(machine['id'])] ?? [], listing);
  });

  const Comment = z.object({ Comment: z.string().min(1) });
  const Param = z.object({ key: z.string(), value: z.string() });
  const LiveResponse = Comment.extend({
    Commands: z.array(z.object({ type: z.enum(['PutFile', 'RunScript', 'GetFile']), params: z.array(Param).min(1) })).min(1),
  });
  const actionRoute = (verb: string, type: string, role: string, Body: z.ZodObject) =>
    app.post<{ Params: { id: string } }>(`/api/machines/:id/${verb}`, async (request, reply) => {
      if (!admits(request, reply, role)) return reply;
      const machine = findMachine(state, request.params.id);
      if (!machine) return notFound(reply, `Machine ${request.params.id} was not found`);
      const body = Body.safeParse(request.body);
      if (!body.success) return sendError(reply, { status: 400, code: 'InvalidRequestBody', message: 'Request body is incorrect' });
      settle(state);
      const isPending = state.actions.some(
        (action) => action.machineId === machine['id'] && action.type === type && action.status === 'Pending',
      );
      if (isPending) return sendError(reply, { status: 400, code: 'ActiveRequestAlreadyExists', message: 'Action is already in progress' });
      const action = startAction(machine, type, body.data);
      state.actions.unshift(action);
      return reply.code(201).send(action);
    });
  actionRoute(
    'isolate',
    'Isolate',
    'Machine.Isolate',
    Comment.extend({ IsolationType: z.enum(['Full', 'Selective', 'UnManagedDevice']).optional() }),
  );
  actionRoute('unisolate', 'Unisolate', 'Machine.Isolate', Comment);
  actionRoute('runAntiVirusScan', 'RunAntiVirusScan', 'Machine.Scan', Comment.extend({ ScanType: z.enum(['Quick', 'Full']) }));
  actionRoute('collectInvestigationPackage', 'CollectInvestigationPackage', 'Machine.CollectForensics', Comment);
  actionRoute('runliveresponse', 'LiveResponse', 'Machine.LiveResponse', LiveResponse);

  listRoute('/api/machineactions', READ_MACHINE, () => settle(state), {
    entity: 'MachineActions',
    maxTop: 10_000,
    filterable: ['id', 'status', 'machineId', 'type', 'requestor', 'creationDateTimeUtc'],
  });
  app.get<{ Params: { id: string } }>('/api/machineactions/:id', async (request, reply) => {
    if (!admits(request, reply, ...READ_MACHINE)) return reply;
    const action = settle(state).find(({ id }) => id === request.params.id);
    return action ?? notFound(reply, `Machine action ${request.params.id} was not found`);
  });

  app.get<{ Params: { id: string } }>('/api/machineactions/:id/getPackageUri', async (request, reply) => {
    if (!admits(request, reply, 'Machine.CollectForensics')) return reply;
    return { value: `"https://${request.host}/storage/package-${request.params.id}.zip?sig=signature"` };
  });
  app.get<{ Params: { id: string; link: string } }>('/api/machineactions/:id/:link', async (request, reply) => {
    const [, index] = /^GetLiveResponseResultDownloadLink\(index=(\d+)\)$/.exec(request.params.link) ?? [];
    if (index === undefined) return notFound(reply, 'No such resource');
    if (!admits(request, reply, 'Machine.LiveResponse')) return reply;
    return { value: `https://${request.host}/storage/output-${index}.json?sig=signature` };
  });
  app.get<{ Params: { name: string } }>('/storage/:name', async (request) => ({
    script_output: `of ${request.params.name}`,
    exit_code: 0,
  }));

  app.post('/api/advancedqueries/run', async (request, reply) => {
    if (!admits(request, reply, 'AdvancedQuery.Read.All')) return reply;
    const body = z.object({ Query: z.string() }).safeParse(request.body);
    const rows = body.success ? runHuntingQuery(state.tables, body.data.Query) : null;
    if (rows === null) {
      const message = 'A recognition error occurred.. Fix syntax errors in your query.';
      return sendError(reply, { status: 400, code: 'BadRequest', message });
    }
    const columns = Object.keys(rows[0] ?? {});
    return { Schema: columns.map((Name) => ({ Name, Type: Name === 'Timestamp' ? 'DateTime' : 'String' })), Results: rows, Stats: {} };
  });

  listRoute('/api/indicators', ['Ti.ReadWrite', 'Ti.ReadWrite.All'], () => state.indicators, {
    entity: 'Indicators',
    maxTop: 10_000,
    filterable: ['indicatorValue', 'indicatorType', 'action', 'severity', 'title', 'application'],
  });
  app.post('/api/indicators', async (request, reply) => {
    if (!admits(request, reply, 'Ti.ReadWrite.All')) return reply;
    const body = NewIndicator.safeParse(request.body);
    if (!body.success || (body.data.action === 'Audit' && body.data['generateAlert'] !== true))
      return sendError(reply, { status: 400, code: 'InvalidRequestBody', message: 'Request body is incorrect' });
    const known = state.indicators.findIndex(({ indicatorValue }) => indicatorValue === body.data.indicatorValue);
    const indicator = { id: String(known < 0 ? 995 + state.indicators.length : 995 + known), rbacGroupNames: [], ...body.data };
    state.indicators.splice(known < 0 ? state.indicators.length : known, 1, indicator);
    return indicator;
  });

  listRoute('/api/vulnerabilities', ['Vulnerability.Read.All'], () => state.vulnerabilities, {
    entity: 'Vulnerabilities',
    maxTop: 8000,
    filterable: ['id', 'name', 'cvssV3', 'severity', 'publishedOn', 'updatedOn'],
  });
  listRoute('/api/vulnerabilities/machinesVulnerabilities', ['Vulnerability.Read.All'], () => state.machineVulnerabilities, {
    entity: 'MachinesVulnerabilities',
    maxTop: 10_000,
    filterable: ['id', 'cveId', 'machineId', 'fixingKbId', 'productName', 'productVersion', 'severity'],
  });
  listRoute('/api/recommendations', ['SecurityRecommendation.Read.All'], () => state.recommendations, {
    entity: 'Recommendations',
    maxTop: 10_000,
    filterable: ['id', 'productName', 'vendor', 'remediationType', 'severityScore', 'status'],
  });
  return state;
}

const NewIndicator = z.looseObject({
  indicatorValue: z.string().min(1),
  indicatorType: z.enum(['FileSha1', 'FileSha256', 'FileMd5', 'CertificateThumbprint', 'IpAddress', 'DomainName', 'Url']),
  action: z.enum(['Warn', 'Block', 'Audit', 'BlockAndRemediate', 'Allowed', 'Alert', 'AlertAndBlock']),
  title: z.string().min(1),
  description: z.string().min(1),
});

function notFound(reply: FastifyReply, message: string): FastifyReply {
  return sendError(reply, { status: 404, code: 'ResourceNotFound', message });
}

/** Finds the machine by its id or its full or short name. */
function findMachine(state: EndpointDetectionStandInState, idOrName: string): StandInRecord | undefined {
  const wanted = idOrName.toLowerCase();
  return state.machines.find(({ id, computerDnsName }) => {
    const name = String(computerDnsName).toLowerCase();
    return id === wanted || name === wanted || name.split('.')[0] === wanted;
  });
}

function startAction(machine: StandInRecord, type: string, body: StandInRecord): StandInAction {
  const now = new Date().toISOString();
  const commands = z.array(z.unknown()).catch([]).parse(body['Commands']);
  return {
    id: randomUUID(),
    type,
    title: null,
    requestor: 'alert-investigator',
    requestorComment: String(body['Comment']),
    status: 'Pending',
    machineId: String(machine['id']),
    computerDnsName: machine['computerDnsName'],
    creationDateTimeUtc: now,
    lastUpdateDateTimeUtc: now,
    cancellationRequestor: null,
    errorHResult: 0,
    scope: body['IsolationType'] ?? body['ScanType'] ?? null,
    requestSource: 'PublicApi',
    relatedFileInfo: null,
    commands: commands.map((command, index) => ({ index, startTime: null, endTime: null, commandStatus: 'Created', errors: [], command })),
  };
}

/** Marks pending actions as succeeded after their time. */
function settle(state: EndpointDetectionStandInState): readonly StandInAction[] {
  for (const action of state.actions) {
    const endsAtMs = Date.parse(action.creationDateTimeUtc) + state.actionSeconds * 1000;
    if (action.status !== 'Pending' || endsAtMs > Date.now()) continue;
    action.status = 'Succeeded';
    action.lastUpdateDateTimeUtc = new Date(endsAtMs).toISOString();
  }
  return state.actions;
}

function seed(nowMs: number) {
  const ago = (ms: number) => new Date(nowMs - ms).toISOString();
  const machine = (computer: (typeof COMPUTERS)[number], riskScore: string, exposureLevel: string, tags: string[]): StandInRecord => ({
    id: computer.machineId,
    computerDnsName: computer.dnsName,
    firstSeen: ago(200 * DAY_MS),
    lastSeen: ago(HOUR_MS / 4),
    osPlatform: computer.os,
    osProcessor: computer.os === 'macOS' ? 'arm64' : 'x64',
    version: '23H2',
    lastIpAddress: computer.internalIp,
    lastExternalIpAddress: computer.externalIp,
    healthStatus: 'Active',
    deviceValue: 'Normal',
    rbacGroupName: COMPANY.name,
    riskScore,
    exposureLevel,
    aadDeviceId: computer.connectorGuid,
    machineTags: tags,
    onboardingStatus: 'Onboarded',
    ipAddresses: [{ ipAddress: computer.internalIp, macAddress: '8CEC4B897E73', type: 'Ethernet', operationalStatus: 'Up' }],
  });
  const logonUser = (account: string, logonTypes: string): StandInRecord => ({
    id: `harbour-reed\\${account}`,
    accountName: account,
    accountDomain: 'harbour-reed',
    firstSeen: ago(90 * DAY_MS),
    lastSeen: ago(2 * HOUR_MS),
    logonTypes,
    isDomainAdmin: PEOPLE.some((person) => person.account === account && person.isAdmin),
    isOnlyNetworkUser: logonTypes === 'Network',
  });
  const file = {
    entityType: 'File',
    sha1: null,
    sha256: INDICATORS.malwareSha256,
    fileName: 'parcel-label.exe',
    detectionStatus: 'Detected',
  };
  const alert = (given: StandInRecord, computer: (typeof COMPUTERS)[number], hoursAgo: number): StandInRecord => ({
    investigationId: null,
    assignedTo: null,
    status: 'New',
    classification: null,
    determination: null,
    investigationState: 'Queued',
    detectionSource: 'WindowsDefenderAtp',
    threatFamilyName: null,
    alertCreationTime: ago(hoursAgo * HOUR_MS),
    firstEventTime: ago(hoursAgo * HOUR_MS + 120_000),
    lastEventTime: ago(hoursAgo * HOUR_MS + 60_000),
    lastUpdateTime: ago(hoursAgo * HOUR_MS - 60_000),
    resolvedTime: null,
    machineId: computer.machineId,
    computerDnsName: computer.dnsName,
    aadTenantId: COMPANY.tenantId,
    mitreTechniques: [],
    relatedUser: { userName: computer.user, domainName: 'harbour-reed' },
    comments: [],
    evidence: [],
    ...given,
  });
  const process = (computer: (typeof COMPUTERS)[number], hoursAgo: number): StandInRecord => ({
    Timestamp: ago(hoursAgo * HOUR_MS + 90_000),
    DeviceId: computer.machineId,
    DeviceName: computer.dnsName,
    AccountName: computer.user,
    FileName: 'parcel-label.exe',
    SHA256: INDICATORS.malwareSha256,
    ProcessCommandLine: 'parcel-label.exe /quiet',
    InitiatingProcessFileName: 'msedge.exe',
  });
  const logon = (computer: (typeof COMPUTERS)[number], hoursAgo: number): StandInRecord => ({
    Timestamp: ago(hoursAgo * HOUR_MS),
    DeviceId: computer.machineId,
    DeviceName: computer.dnsName,
    ActionType: 'LogonSuccess',
    LogonType: 'Interactive',
    AccountDomain: 'harbour-reed',
    AccountName: computer.user,
    RemoteIP: '',
  });
  const vulnerability = (cve: string, severity: string, cvssV3: number, isExploited: boolean): StandInRecord => ({
    id: cve,
    name: cve,
    description: `A vulnerability of the demo company: ${cve}.`,
    severity,
    cvssV3,
    exposedMachines: isExploited ? 1 : 2,
    publishedOn: ago(300 * DAY_MS),
    updatedOn: ago(30 * DAY_MS),
    publicExploit: isExploited,
    exploitVerified: isExploited,
    exploitInKit: false,
    exploitTypes: [],
    exploitUris: [],
    epss: isExploited ? 0.94 : 0.01,
  });
  const vulnerable = (computer: (typeof COMPUTERS)[number], cveId: string, productName: string, severity: string): StandInRecord => ({
    id: `${computer.machineId}-_-${cveId}-_-example-_-${productName}-_-1.0-_-`,
    cveId,
    machineId: computer.machineId,
    fixingKbId: null,
    productName,
    productVendor: 'example',
    productVersion: '1.0',
    severity,
  });
  return {
    machines: [
      machine(DANA_PC, 'High', 'Medium', ['rotterdam']),
      machine(RUI_PC, 'Medium', 'Low', ['lisbon']),
      machine(FILE_SERVER, 'Low', 'High', ['rotterdam', "server's room"]),
      machine(INES_MAC, 'None', 'Low', ['lisbon']),
    ],
    logonUsers: {
      [DANA_PC.machineId]: [logonUser('dana.vries', 'Interactive, RemoteInteractive')],
      [RUI_PC.machineId]: [logonUser('rui.matos', 'Interactive')],
      [FILE_SERVER.machineId]: [logonUser('joost.bakker', 'Interactive'), logonUser('dana.vries', 'Network')],
      [INES_MAC.machineId]: [logonUser('ines.prado', 'Interactive')],
    },
    alerts: [
      alert(
        {
          id: 'da638700000000000001_1364969601',
          incidentId: 2041,
          severity: 'High',
          category: 'CommandAndControl',
          title: 'Connection to a known command-and-control address',
          description: 'A file downloaded by the browser was started and connected to a known command-and-control address.',
          mitreTechniques: ['T1204.002', 'T1071.001'],
          evidence: [
            { ...file, filePath: 'C:\\Users\\dana.vries\\Downloads' },
            { entityType: 'Ip', ipAddress: INDICATORS.maliciousIp, detectionStatus: 'Detected' },
            { entityType: 'Url', url: INDICATORS.maliciousUrl, detectionStatus: 'Detected' },
            {
              entityType: 'User',
              accountName: 'dana.vries',
              domainName: 'harbour-reed',
              userPrincipalName: 'dana.vries@harbour-reed.example',
            },
          ],
        },
        DANA_PC,
        3,
      ),
      alert(
        {
          id: 'da638700000000000002_1364969602',
          incidentId: 2041,
          severity: 'Medium',
          category: 'Malware',
          detectionSource: 'WindowsDefenderAv',
          threatFamilyName: 'ParcelRat',
          title: "'ParcelRat' malware was prevented",
          description: 'A file copied over the network was removed before it ran.',
          mitreTechniques: ['T1570'],
          evidence: [{ ...file, filePath: 'C:\\Users\\Public', detectionStatus: 'Prevented' }],
        },
        RUI_PC,
        2,
      ),
      alert(
        {
          id: 'da638700000000000003_1364969603',
          incidentId: 2044,
          severity: 'Low',
          category: 'LateralMovement',
          title: 'Unusual remote sign-in to a server',
          description: 'An account signed in to a server from a computer it does not use otherwise.',
          mitreTechniques: ['T1021'],
        },
        FILE_SERVER,
        1,
      ),
      alert(
        {
          id: 'da638700000000000004_1364969604',
          incidentId: 2039,
          severity: 'Informational',
          status: 'Resolved',
          classification: 'FalsePositive',
          determination: 'NotMalicious',
          category: 'Execution',
          title: 'Uncommon administration tool',
          description: 'An administration tool that is rarely seen was started.',
          resolvedTime: ago(40 * HOUR_MS),
          evidence: [{ ...file, sha256: INDICATORS.benignSha256, fileName: 'inventory', filePath: '/usr/local/bin' }],
        },
        INES_MAC,
        48,
      ),
    ],
    indicators: [
      {
        id: '995',
        indicatorValue: INDICATORS.maliciousDomain,
        indicatorType: 'DomainName',
        action: 'Block',
        severity: 'High',
        title: 'Parcel phishing',
        description: 'Reported by a person.',
        application: null,
        expirationTime: null,
        generateAlert: true,
        rbacGroupNames: [],
      },
    ],
    vulnerabilities: [
      vulnerability(INDICATORS.exploitedCve, 'Critical', 10, true),
      vulnerability(INDICATORS.quietCve, 'Low', 3.1, false),
      vulnerability('CVE-2024-7256', 'High', 8.8, false),
    ],
    machineVulnerabilities: [
      vulnerable(FILE_SERVER, INDICATORS.exploitedCve, 'gateway-client', 'Critical'),
      vulnerable(DANA_PC, 'CVE-2024-7256', 'browser', 'High'),
      vulnerable(RUI_PC, 'CVE-2024-7256', 'browser', 'High'),
      vulnerable(DANA_PC, INDICATORS.quietCve, 'archiver', 'Low'),
      vulnerable(INES_MAC, INDICATORS.quietCve, 'archiver', 'Low'),
    ],
    recommendations: [
      {
        id: 'va-_-example-_-gateway-client',
        productName: 'gateway-client',
        vendor: 'example',
        recommendationName: 'Update the gateway client',
        recommendedVersion: '1.1',
        severityScore: 9.5,
        weaknesses: 1,
        remediationType: 'Update',
        status: 'Active',
        exposedMachinesCount: 1,
        publicExploit: true,
      },
      {
        id: 'va-_-example-_-browser',
        productName: 'browser',
        vendor: 'example',
        recommendationName: 'Update the browser',
        recommendedVersion: '127.0',
        severityScore: 6.2,
        weaknesses: 1,
        remediationType: 'Update',
        status: 'Active',
        exposedMachinesCount: 2,
        publicExploit: false,
      },
    ],
    tables: {
      DeviceProcessEvents: [process(DANA_PC, 3), process(RUI_PC, 2)],
      DeviceLogonEvents: [logon(DANA_PC, 30), logon(DANA_PC, 4), logon(RUI_PC, 5)],
      DeviceNetworkEvents: [
        {
          Timestamp: ago(3 * HOUR_MS),
          DeviceId: DANA_PC.machineId,
          DeviceName: DANA_PC.dnsName,
          RemoteIP: INDICATORS.maliciousIp,
          RemoteUrl: INDICATORS.maliciousUrl,
          InitiatingProcessFileName: 'parcel-label.exe',
        },
      ],
    },
  };
}
