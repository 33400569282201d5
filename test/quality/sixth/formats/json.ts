import { at, FIELDS, type Field, json, object, type Told } from '../../company/told.js';
import { toGuid } from '../company.js';

/** The object of a vendor. Fields of the alert that `placed` does not name follow under the vendor's key for the rest. */
function vendor(placed: string, restKey: string, build: (told: Told) => Record<string, unknown>) {
  return (told: Told): string => json(withRest(told, placed, restKey, build(told)));
}

function withRest(told: Told, placed: string, restKey: string, built: Record<string, unknown>): Record<string, unknown> {
  const known = new Set(placed.split(' '));
  const rest = FIELDS.filter((field) => !known.has(field) && told[field] !== undefined);
  return rest.length === 0 ? built : { ...built, [restKey]: object(rest.map((field) => [toSnake(field), told[field]])) };
}

const toSnake = (field: Field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const list = (value: string | undefined) => (value === undefined ? [] : [value]);

export const crowdStrike = vendor(
  'host user fileName sha256 md5 sha1 command internalIp deviceId remoteIp domain text',
  'Custom',
  (told) => ({
    metadata: { customerIDString: toGuid('cid'), eventType: 'DetectionSummaryEvent', eventCreationTime: Date.parse(at(told)) },
    event: {
      DetectName: told.title,
      DetectDescription: told.text ?? told.title,
      ComputerName: told.host,
      UserName: told.user,
      LocalIP: told.internalIp,
      SensorId: told.deviceId,
      FileName: told.fileName,
      SHA256String: told.sha256,
      SHA1String: told.sha1,
      MD5String: told.md5,
      CommandLine: told.command,
      SeverityName: 'Medium',
      NetworkAccesses: list(told.remoteIp).map((RemoteAddress) => ({ RemoteAddress, RemotePort: 443, Protocol: 'TCP' })),
      DnsRequests: list(told.domain).map((DomainName) => ({ DomainName, RequestType: 'A' })),
    },
  }),
);

export const sentinelOne = vendor(
  'host user internalIp viaIp deviceId fileName sha256 sha1 md5 command remoteIp',
  'customFields',
  (told) => ({
    agentDetectionInfo: { agentIpV4: told.internalIp, agentLastLoggedInUserName: told.user, externalIp: told.viaIp, siteName: 'Matriz' },
    agentRealtimeInfo: { agentComputerName: told.host, agentUuid: told.deviceId, agentNetworkStatus: 'connected' },
    indicators: [],
    networkEvents: list(told.remoteIp).map((dstIp) => ({ dstIp, direction: 'OUTGOING' })),
    threatInfo: {
      threatName: told.title,
      analystVerdict: 'undefined',
      incidentStatus: 'unresolved',
      confidenceLevel: 'suspicious',
      filePath: told.fileName && `\\Device\\HarddiskVolume3\\ProgramData\\${told.fileName}`,
      sha256: told.sha256,
      sha1: told.sha1,
      md5: told.md5,
      maliciousProcessArguments: told.command,
      createdAt: at(told),
    },
  }),
);

export const cortex = vendor('host user remoteIp internalIp sha256 command text domain', 'custom_fields', (told) => ({
  incident_id: '4087',
  creation_time: Date.parse(at(told)),
  status: 'new',
  severity: 'medium',
  description: `'${told.title}' detected by XDR Analytics`,
  hosts: list(told.host).map((host) => `${host}:${toGuid(host).replaceAll('-', '')}`),
  users: list(told.user),
  alerts: [
    {
      name: told.title,
      description: told.text,
      action_remote_ip: told.remoteIp,
      action_local_ip: told.internalIp,
      action_file_sha256: told.sha256,
      actor_process_command_line: told.command,
      dns_query_name: told.domain,
      action_pretty: 'Detected',
    },
  ],
}));

export const sophos = vendor('host user fileName sha256 text', 'details', (told) => ({
  description: `${told.title}${told.fileName === undefined ? '' : ` at 'C:\\ProgramData\\${told.fileName}'`}`,
  source: told.user,
  location: told.host,
  severity: 'medium',
  type: 'Event::Endpoint::Threat::Detected',
  when: at(told),
  threat: told.text,
  appSha256: told.sha256,
}));

export const darktrace = vendor('host internalIp remoteIp domain text', 'context', (told) => ({
  summariser: 'BeaconSummary',
  title: told.title,
  createdAt: Date.parse(at(told)),
  category: 'suspicious',
  aiaScore: 61,
  summary: told.text ?? `${told.title} was observed.`,
  breachDevices: [{ hostname: told.host, ip: told.internalIp, mac: null, subnet: 'Filial' }],
  details: [
    [
      {
        header: 'Endpoints',
        contents: [
          { key: 'IP address', type: 'externalHost', values: list(told.remoteIp) },
          { key: 'Hostname', type: 'externalHost', values: list(told.domain) },
        ],
      },
    ],
  ],
}));

export const vectra = (told: Told): string => {
  const built = {
    version: '6.10',
    category: 'COMMAND & CONTROL',
    detection: told.title,
    src_hostname: told.host,
    src_ip: told.internalIp,
    dst_ips: list(told.remoteIp),
    dst_dns: list(told.domain),
    threat: 60,
    certainty: 72,
    dvchost: 'sensor-vectra-sp',
    'dd-timestamp': at(told),
  };
  return `-: ${JSON.stringify(withRest(told, 'host internalIp remoteIp domain', 'extensions', built))}`;
};

export const entraSignIn = vendor('user remoteIp city country host text', 'additionalDetails', (told) => ({
  createdDateTime: at(told),
  category: 'SignInLogs',
  riskEventTypes_v2: ['unfamiliarFeatures'],
  alertDisplayName: told.title,
  userPrincipalName: told.user,
  appDisplayName: 'Office 365 Exchange Online',
  ipAddress: told.remoteIp,
  clientAppUsed: 'Browser',
  status: { errorCode: 0, additionalDetails: told.text ?? 'MFA requirement satisfied by claim in the token' },
  deviceDetail: { displayName: told.host ?? '', operatingSystem: 'Windows10', trustType: '' },
  location: { city: told.city, countryOrRegion: told.country },
}));

export const cloudTrail = vendor('user remoteIp text', 'requestParameters', (told) => ({
  eventVersion: '1.08',
  eventName: told.title,
  eventSource: 'signin.amazonaws.com',
  awsRegion: 'sa-east-1',
  eventTime: at(told),
  sourceIPAddress: told.remoteIp,
  userIdentity: { type: 'IAMUser', accountId: '111122223333', userName: told.user },
  additionalEventData: { note: told.text, MFAUsed: 'No' },
}));

export const azureMonitor = vendor('host text', 'customProperties', (told) => ({
  schemaId: 'azureMonitorCommonAlertSchema',
  data: {
    essentials: {
      alertRule: told.title,
      severity: 'Sev2',
      monitorCondition: 'Fired',
      firedDateTime: at(told),
      configurationItems: list(told.host),
      description: told.text ?? '',
    },
    alertContext: { properties: null, conditionType: 'LogQueryCriteria' },
  },
}));

export const securityCommandCenter = vendor('host user remoteIp domain text', 'sourceProperties', (told) => ({
  finding: {
    category: told.title,
    state: 'ACTIVE',
    severity: 'MEDIUM',
    eventTime: at(told),
    description: told.text,
    access: { principalEmail: told.user, callerIp: told.remoteIp },
    indicator: { domains: list(told.domain) },
  },
  resource: { displayName: told.host, type: 'google.compute.Instance' },
}));

export const qradar = vendor('user remoteIp internalIp text', 'properties', (told) => ({
  id: 5521,
  description: `${told.title}\n`,
  status: 'OPEN',
  severity: 5,
  offense_type: 0,
  offense_source: told.remoteIp ?? told.internalIp ?? told.user,
  start_time: Date.parse(at(told)),
  source_network: told.text,
  usernames: list(told.user),
  source_addresses: list(told.internalIp),
  remote_destinations: list(told.remoteIp),
}));

export const wiz = vendor('host user remoteIp cve text', 'evidence', (told) => ({
  id: toGuid(`wiz ${told.title}`),
  type: 'THREAT_DETECTION',
  createdAt: at(told),
  severity: 'MEDIUM',
  sourceRule: { name: told.title, description: told.text },
  entitySnapshot: { name: told.host, type: 'VIRTUAL_MACHINE', cloudPlatform: 'GCP' },
  actors: list(told.user).map((name) => ({ name, type: 'USER_ACCOUNT' })),
  sourceIps: list(told.remoteIp),
  vulnerabilities: list(told.cve).map((name) => ({ name })),
}));

export const tenable = vendor('host internalIp cve text', 'annotations', (told) => ({
  asset: { fqdn: told.host, ipv4: told.internalIp, operating_system: ['Windows Server'], tracked: true },
  plugin: { name: told.title, cve: told.cve?.split(' ') ?? [], description: told.text, has_patch: true, id: 51_192 },
  severity: 'high',
  state: 'OPEN',
  last_found: at(told),
}));

export const harmony = vendor('host user internalIp remoteIp url domain fileName sha256 text', 'additional', (told) => ({
  time: at(told),
  product: 'Anti-Bot',
  protection_name: told.title,
  severity: 'High',
  confidence_level: 'Medium',
  action: 'Detect',
  src: told.internalIp,
  src_machine_name: told.host,
  src_user_name: list(told.user),
  dst: told.remoteIp,
  resource: told.url,
  dst_domain_name: told.domain,
  file_name: list(told.fileName),
  file_sha256: told.sha256,
  description: told.text,
}));

export const netskope = vendor('user host remoteIp domain url fileName sha256 viaIp city country text', 'extra', (told) => ({
  alert_name: told.title,
  alert_type: 'anomaly',
  timestamp: Math.floor(Date.parse(at(told)) / 1000),
  user: told.user,
  hostname: told.host,
  userip: told.viaIp,
  srcip: told.remoteIp,
  src_location: told.city,
  src_country: told.country,
  domain: told.domain,
  url: told.url,
  object: told.fileName,
  sha256: told.sha256,
  activity: 'Upload',
  notes: told.text,
}));

/** A rule whose author forgot to fill in some labels: their values are the names of the template. */
export const grafana = vendor('host user remoteIp text', 'commonAnnotations', (told) => ({
  receiver: 'soc',
  status: 'firing',
  orgId: 1,
  alerts: [
    {
      status: 'firing',
      labels: {
        alertname: told.title,
        hostname: told.host ?? 'host.name',
        user: told.user ?? 'actor.user.name',
        source: told.remoteIp ?? '{{ $labels.source_ip }}',
        file: 'file.hash.sha256',
        instance: '1',
      },
      annotations: { description: told.text ?? told.title, summary: '1' },
      startsAt: at(told),
      endsAt: '0001-01-01T00:00:00Z',
      values: { B: 44.2, C: 1 },
    },
  ],
}));

/** Three events, one on each line; only the second is the alert. */
export const jsonLines = (told: Told): string => {
  const time = at(told);
  const alert = withRest(told, '', 'event', { time, kind: 'alert', name: told.title });
  const beat = { time, kind: 'heartbeat', sensor: 'coletor-logs-02', queue: 0 };
  return [beat, alert, beat].map((line) => JSON.stringify(line)).join('\n');
};

export const stix = (told: Told): string => {
  const patterns = [
    told.remoteIp && `[ipv4-addr:value = '${told.remoteIp}']`,
    told.domain && `[domain-name:value = '${told.domain}']`,
    told.url && `[url:value = '${told.url}']`,
    told.sha256 && `[file:hashes.'SHA-256' = '${told.sha256}']`,
  ].filter((pattern) => pattern !== undefined);
  const objects = patterns.map((pattern) => ({
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--${toGuid(pattern)}`,
    created: at(told),
    name: told.title,
    pattern,
    pattern_type: 'stix',
  }));
  return json(withRest(told, 'remoteIp domain url sha256', 'x_context', { type: 'bundle', id: `bundle--${toGuid(told.title)}`, objects }));
};
