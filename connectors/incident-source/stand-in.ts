import type { FastifyInstance } from 'fastify';
import { COMPANY, COMPUTERS, INDICATORS, PEOPLE } from '../kit/stand-in/company.js';
import { admit, connectToIdentityProvider, defineIdentityProvider, type IdentityProviderState } from '../kit/stand-in/identity-provider.js';
import { sendError, sendList } from '../kit/stand-in/odata.js';
import type { StandInDefinition } from '../kit/stand-in/stand-in.js';

export interface StandInIncident {
  readonly incidentId: number;
  readonly lastUpdateTime: string;
  readonly [field: string]: unknown;
}

export interface IncidentSourceStandInState {
  readonly identity: IdentityProviderState;
  readonly incidents: StandInIncident[];
  /** The largest page. */
  pageSize: number;
  /** Called after each page. A test changes the list here, which shifts the next pages. */
  afterPage: () => void;
}

const HOUR_MS = 3_600_000;
const [DANA_PC, RUI_PC, FILE_SERVER, INES_MAC] = COMPUTERS;
const [DANA, RUI] = PEOPLE;

export const standIn: StandInDefinition<IncidentSourceStandInState> = {
  define: defineIncidentSourceStandIn,
  connection: (url, state) => connectToIdentityProvider(url, state.identity),
};

declare module '../kit/stand-in/stand-in.js' {
  interface StandInStates {
    incidentSource: IncidentSourceStandInState;
  }
}

/**
 * Routes of the incident source. Incident 2041 combines the endpoint platform's alerts. A trip explains Rui's sign-ins from
 * Singapore; no trip explains Dana's.
 */
export function defineIncidentSourceStandIn(app: FastifyInstance): IncidentSourceStandInState {
  const identity = defineIdentityProvider(app, {
    resource: 'https://api.security.microsoft.com',
    roles: ['Incident.Read.All'],
    requestsPerMinute: 50,
  });
  const state: IncidentSourceStandInState = { identity, incidents: seed(Date.now()), pageSize: 100, afterPage: () => {} };

  // Links to the next page have a slash before the query.
  for (const path of ['/api/incidents', '/api/incidents/']) {
    app.get(path, async (request, reply) => {
      if (!admit(identity, request, reply, 'Incident.Read.All')) return reply;
      const newestFirst = state.incidents.toSorted((a, b) => b.lastUpdateTime.localeCompare(a.lastUpdateTime));
      const sent = sendList(request, reply, newestFirst, {
        entity: 'Incidents',
        maxTop: 100,
        pageSize: state.pageSize,
        filterable: ['createdTime', 'lastUpdateTime', 'status', 'assignedTo'],
        linkPath: '/api/incidents/',
      });
      state.afterPage();
      return sent;
    });
  }

  app.get<{ Params: { id: string } }>('/api/incidents/:id', async (request, reply) => {
    if (!admit(identity, request, reply, 'Incident.Read.All')) return reply;
    const incident = state.incidents.find(({ incidentId }) => String(incidentId) === request.params.id);
    if (incident) return { '@odata.context': `https://${request.host}/api/$metadata#Incidents/$entity`, ...incident };
    return sendError(reply, { status: 404, code: 'ResourceNotFound', message: `Incident ${request.params.id} was not found` });
  });
  return state;
}

type Fields = Readonly<Record<string, unknown>>;

function seed(nowMs: number): StandInIncident[] {
  const ago = (hours: number) => new Date(nowMs - hours * HOUR_MS).toISOString();
  const incident = (incidentId: number, hoursAgo: number, given: Fields, alerts: readonly Fields[] = []): StandInIncident => ({
    incidentId,
    incidentUri: `https://security.example/incidents/${incidentId}?tid=${COMPANY.tenantId}`,
    redirectIncidentId: null,
    createdTime: ago(hoursAgo),
    lastUpdateTime: ago(hoursAgo - 0.1),
    assignedTo: null,
    classification: 'Unknown',
    determination: 'NotAvailable',
    status: 'Active',
    tags: [],
    comments: [],
    ...given,
    alerts: alerts.map((alert) => ({
      incidentId,
      creationTime: ago(hoursAgo),
      lastUpdatedTime: ago(hoursAgo - 0.1),
      resolvedTime: null,
      status: 'New',
      classification: null,
      determination: null,
      mitreTechniques: [],
      devices: [],
      entities: [],
      ...alert,
    })),
  });
  const device = (computer: (typeof COMPUTERS)[number], riskScore: string) => ({
    mdatpDeviceId: computer.machineId,
    aadDeviceId: computer.connectorGuid,
    deviceDnsName: computer.dnsName,
    osPlatform: computer.os,
    riskScore,
    healthStatus: 'Active',
    loggedOnUsers: [{ accountName: computer.user, domainName: 'harbour-reed' }],
  });
  const user = (person: (typeof PEOPLE)[number]) => ({
    entityType: 'User',
    accountName: person.account,
    aadUserId: person.id,
    userPrincipalName: person.email,
  });
  const file = { entityType: 'File', sha256: INDICATORS.malwareSha256, fileName: 'parcel-label.exe' };
  const signIn = (alertId: string, person: (typeof PEOPLE)[number], ipAddress: string) => ({
    alertId,
    serviceSource: 'AADIdentityProtection',
    detectionSource: 'AAD',
    title: 'Atypical travel',
    description: 'Sign-ins from Singapore and from the usual office, too close in time for a trip.',
    category: 'InitialAccess',
    severity: 'Medium',
    mitreTechniques: ['T1078'],
    entities: [user(person), { entityType: 'Ip', ipAddress }],
  });
  const redirected = (incidentId: number, hoursAgo: number, name: string) =>
    incident(incidentId, hoursAgo, { incidentName: name, severity: 'Medium', status: 'Redirected', redirectIncidentId: 2041 });
  const endpoint = { serviceSource: 'MicrosoftDefenderATP', detectionSource: 'WindowsDefenderAtp' };

  return [
    incident(
      2039,
      48,
      {
        incidentName: 'Uncommon administration tool on one endpoint',
        severity: 'Informational',
        status: 'Resolved',
        classification: 'FalsePositive',
        determination: 'NotMalicious',
        assignedTo: 'joost.bakker@harbour-reed.example',
      },
      [
        {
          ...endpoint,
          alertId: 'da638700000000000004_1364969604',
          title: 'Uncommon administration tool',
          description: 'An administration tool that is rarely seen was started.',
          category: 'Execution',
          severity: 'Informational',
          status: 'Resolved',
          resolvedTime: ago(40),
          devices: [device(INES_MAC, 'None')],
        },
      ],
    ),
    incident(2041, 3, { incidentName: 'Multi-stage incident involving phishing and malware', severity: 'High', tags: ['phishing'] }, [
      {
        alertId: 'faf8edc936-85f8-a603-b800-08d8525cf099',
        serviceSource: 'OfficeATP',
        detectionSource: 'OfficeATP',
        title: 'Email reported by user as malware or phish',
        description: 'A person reported a parcel notice.',
        category: 'InitialAccess',
        severity: 'Low',
        entities: [
          { entityType: 'Mailbox', userPrincipalName: DANA.email, mailboxAddress: DANA.email },
          { entityType: 'Url', url: INDICATORS.maliciousUrl },
        ],
      },
      {
        ...endpoint,
        alertId: 'da638700000000000001_1364969601',
        title: 'Connection to a known command-and-control address',
        description: 'A file downloaded by the browser was started and connected to a known command-and-control address.',
        category: 'CommandAndControl',
        severity: 'High',
        mitreTechniques: ['T1204.002', 'T1071.001'],
        devices: [device(DANA_PC, 'High')],
        entities: [user(DANA), file, { entityType: 'Ip', ipAddress: INDICATORS.maliciousIp }],
      },
      {
        ...endpoint,
        alertId: 'da638700000000000002_1364969602',
        detectionSource: 'WindowsDefenderAv',
        title: "'ParcelRat' malware was prevented",
        description: 'A file copied over the network was removed before it ran.',
        category: 'Malware',
        severity: 'Medium',
        devices: [device(RUI_PC, 'Medium')],
        entities: [file],
      },
    ]),
    redirected(2042, 3, 'Email reported by user as malware or phish'),
    redirected(2043, 2, "'ParcelRat' malware on one endpoint"),
    incident(2044, 1, { incidentName: 'Unusual remote sign-in on one endpoint', severity: 'Low' }, [
      {
        ...endpoint,
        alertId: 'da638700000000000003_1364969603',
        title: 'Unusual remote sign-in to a server',
        description: 'An account signed in to a server from a computer it does not use otherwise.',
        category: 'LateralMovement',
        severity: 'Low',
        devices: [device(FILE_SERVER, 'Low')],
        entities: [user(DANA)],
      },
    ]),
    incident(2045, 5, { incidentName: 'Atypical travel involving one user', severity: 'Medium' }, [
      signIn('ad3ef58dc561c3234527be2d9ff82524a967a5fb01', RUI, INDICATORS.benignIp),
    ]),
    incident(2046, 4, { incidentName: 'Atypical travel involving one user', severity: 'Medium' }, [
      signIn('ad3ef58dc561c3234527be2d9ff82524a967a5fb02', DANA, INDICATORS.maliciousIp),
    ]),
  ];
}
