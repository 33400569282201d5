import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { admit, connectToIdentityProvider, defineIdentityProvider, type IdentityProviderState } from '../kit/stand-in/identity-provider.js';
import { type Listing, sendError, sendList } from '../kit/stand-in/odata.js';
import type { StandInDefinition } from '../kit/stand-in/stand-in.js';
import { createCompanyData, type StandInRecord } from './stand-in-data.js';
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
  const state: EndpointDetectionStandInState = {
    identity,
    ...createCompanyData(Date.now()),
    actions: [],
    actionSeconds: 5,
    pageSize: 10_000,
  };
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
