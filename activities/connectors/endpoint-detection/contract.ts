import { z } from 'zod';
import { MALICIOUS_SCORE } from '../../../domain/playbook/capability.js';
import type { SkillQuestion, SkillRemedy } from '../../../domain/playbook/planner.js';
import type { ActionEnd, AffectedBy } from '../../../domain/response/write.js';
import { defineConnector, defineSkill, listOutput, maxItems } from '../kit/define.js';
import {
  governmentPreset,
  microsoftCredentials,
  microsoftErrors,
  microsoftHosts,
  microsoftRotation,
  microsoftSettings,
  publicPreset,
} from '../kit/microsoft-app.js';
import { endpointAlertIntake } from './intake.js';
import { endpointAlertRecords, indicatorRecords } from './records.js';

// A field that the third party omits, sends as null or in an undocumented form is null here.
const text = z.string().nullable().catch(null);
const count = z.number().nullable().catch(null);
const flag = z.boolean().nullable().catch(null);
const texts = z.array(z.string()).catch([]);
/** Text, although the third party sends a number: a large number would lose digits. */
const id = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string().min(1));
const idOrNull = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string().nullable().catch(null));

const Evidence = z.looseObject({
  entityType: text,
  sha1: text,
  sha256: text,
  fileName: text,
  filePath: text,
  processCommandLine: text,
  ipAddress: text,
  url: text,
  registryKey: text,
  accountName: text,
  domainName: text,
  userPrincipalName: text,
  detectionStatus: text,
});

export const Alert = z.looseObject({
  id,
  incidentId: idOrNull,
  investigationId: idOrNull,
  assignedTo: text,
  severity: text,
  status: text,
  classification: text,
  determination: text,
  investigationState: text,
  detectionSource: text,
  category: text,
  threatFamilyName: text,
  title: text,
  description: text,
  alertCreationTime: text,
  firstEventTime: text,
  lastEventTime: text,
  lastUpdateTime: text,
  resolvedTime: text,
  machineId: text,
  computerDnsName: text,
  mitreTechniques: texts,
  relatedUser: z.looseObject({ userName: text, domainName: text }).nullable().catch(null),
  comments: z.array(z.looseObject({ comment: text, createdBy: text, createdTime: text })).catch([]),
  evidence: z.array(Evidence).catch([]),
});

export const Machine = z.looseObject({
  id,
  computerDnsName: text,
  firstSeen: text,
  lastSeen: text,
  osPlatform: text,
  lastIpAddress: text,
  lastExternalIpAddress: text,
  healthStatus: text,
  riskScore: text,
  exposureLevel: text,
  onboardingStatus: text,
  aadDeviceId: text,
  machineTags: texts,
  ipAddresses: z.array(z.looseObject({ ipAddress: text, macAddress: text })).catch([]),
});

export const LogonUser = z.looseObject({
  id,
  accountName: text,
  accountDomain: text,
  firstSeen: text,
  lastSeen: text,
  logonTypes: text.describe('Joined with commas: "Interactive, RemoteInteractive".'),
  isDomainAdmin: flag,
});

export const MachineAction = z.looseObject({
  id,
  type: text,
  status: text.describe('Pending, InProgress, Succeeded, Failed, TimeOut or Cancelled.'),
  scope: text,
  machineId: text,
  computerDnsName: text,
  requestor: text,
  requestorComment: text,
  creationDateTimeUtc: text,
  lastUpdateDateTimeUtc: text,
  errorHResult: count,
  commands: z.array(z.looseObject({ index: count, commandStatus: text })).catch([]),
});

export const Indicator = z.looseObject({
  id: idOrNull,
  indicatorValue: text,
  indicatorType: text,
  action: text,
  severity: text,
  title: text,
  description: text,
  application: text,
  expirationTime: text,
  generateAlert: flag,
  rbacGroupNames: texts,
});

export const Vulnerability = z.looseObject({
  id,
  name: text,
  description: text,
  severity: text,
  cvssV3: count,
  exposedMachines: count,
  publishedOn: text,
  updatedOn: text,
  publicExploit: flag,
  exploitVerified: flag,
  exploitInKit: flag,
  epss: count,
});

export const MachineVulnerability = z.looseObject({
  id,
  cveId: text,
  machineId: text,
  fixingKbId: text,
  productName: text,
  productVendor: text,
  productVersion: text,
  severity: text,
});

export const Recommendation = z.looseObject({
  id,
  productName: text,
  vendor: text,
  recommendationName: text,
  recommendedVersion: text,
  severityScore: count,
  weaknesses: count,
  remediationType: text,
  status: text,
  exposedMachinesCount: count,
  publicExploit: flag,
});

export const QueryRow = z.record(z.string(), z.unknown());

const time = z.iso.datetime({ offset: true }).max(40);
const word = z.string().min(1).max(200);
const Severity = z.enum(['Informational', 'Low', 'Medium', 'High']);
const alertId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/)
  .max(128);
const machineId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
  .max(255)
  .describe("The machine's id (40 hexadecimal digits) or the computer's name.");
const actionId = z.guid().max(36).describe('The id of the action, from its output.');
const comment = z.string().min(1).max(1000).describe('The reason, shown with the action at the third party.');
const cveId = z
  .string()
  .regex(/^CVE-\d{4}-\d{4,}$/i)
  .max(30);

const COMMAND_ORDER = ['PutFile', 'RunScript', 'GetFile'];
const LiveCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('PutFile'), file_name: z.string().min(1).max(260) }),
  z.object({ type: z.literal('RunScript'), script_name: z.string().min(1).max(260), args: z.string().max(4000).optional() }),
  z.object({ type: z.literal('GetFile'), path: z.string().min(1).max(1000) }),
]);

const MACHINE_READ = 'Machine.Read.All or Machine.ReadWrite.All';
const LIST_SECONDS = 120;

/** The rating alone says little: good machines are rated high at times, and attacked ones low. */
const machineRisk = (path: string): SkillQuestion['proves'] => [
  { when: [{ path: `${path}deviceValue`, is: 'equals', value: 'High' }], fact: 'important-asset' },
  { when: [{ path: `${path}riskScore`, is: 'equals', value: 'High' }], points: 10, says: 'Machine rated high risk' },
];

const FOUND_MACHINE = {
  leadsTo: [
    { kind: 'machine-id', path: 'items[].id' },
    { kind: 'host', path: 'items[].computerDnsName' },
  ],
  identifies: { asset: 'machine', path: 'items[].id' },
  followsHops: false,
} as const satisfies Pick<SkillQuestion, 'leadsTo' | 'identifies' | 'followsHops'>;

const OF_THE_MACHINE = { machine_id: { take: 'input', path: 'machine_id' } } as const;

/** The computer, and every user who signed in to it. */
const touchesMachine = [
  { verb: 'getMachine', input: OF_THE_MACHINE, hosts: 'computerDnsName', tags: 'machineTags[]' },
  {
    verb: 'listMachineLogonUsers',
    input: { ...OF_THE_MACHINE, max_items: { take: 'value', value: 100 } },
    users: 'items[].accountName',
  },
] as const satisfies readonly AffectedBy[];

const BLOCKS = { path: 'action', isOneOf: ['Warn', 'Block', 'BlockAndRemediate', 'AlertAndBlock'] } as const;

/** A block of an address affects the machine that has it. */
const touchesAddress = [
  {
    verb: 'listMachines',
    input: { last_ip_address: { take: 'input', path: 'indicator_value' }, max_items: { take: 'value', value: 10 } },
    hosts: 'items[].computerDnsName',
    tags: 'items[].machineTags[]',
    when: { path: 'indicator_type', isOneOf: ['IpAddress'] },
    mayBeNone: true,
  },
] as const satisfies readonly AffectedBy[];

/** The third party holds an action until its machine is online. */
const endsAsAction = {
  verb: 'getMachineAction',
  input: { action_id: { take: 'output', path: 'id' } },
  path: 'status',
  success: ['Succeeded'],
  failure: ['Failed', 'TimeOut', 'Cancelled'],
  everySeconds: 120,
  atMostSeconds: 24 * 3600,
} as const satisfies ActionEnd;

/** Constant: two proposals with the same input count as one. */
const PROPOSED_BY = 'Proposed by the investigation of an alert.';

/** The machines that an alert names by host name or by id. */
const FOUND_MACHINES = [
  { verb: 'listMachines', of: 'host', path: 'items[].id' },
  { verb: 'getMachine', of: 'machine-id', path: 'id' },
] as const;

/** Ransomware is isolated on suspicion, other malware on a malicious verdict. The first remedy that fits counts. */
const isolation: readonly SkillRemedy[] = FOUND_MACHINES.flatMap((about) => [
  {
    about,
    categories: ['ransomware'],
    input: { machine_id: { take: 'item' }, comment: { take: 'value', value: PROPOSED_BY } },
    from: 'suspicious',
    releaseAfterHours: 72,
    why: 'Ransomware spreads within minutes. An isolated machine cannot reach the files of others.',
  },
  {
    about,
    categories: ['malware', 'command-and-control'],
    input: { machine_id: { take: 'item' }, comment: { take: 'value', value: PROPOSED_BY } },
    from: 'malicious',
    releaseAfterHours: 24,
    why: 'Isolation ends the attacker’s control and stops the move to other machines.',
  },
]);

/** The platform's name of each type. The length of a digest tells its algorithm. */
const BLOCKED = [
  { type: 'DomainName', of: 'domain' },
  { type: 'Url', of: 'url' },
  { type: 'IpAddress', of: 'ip' },
  { type: 'FileSha256', of: 'hash', length: 64 },
  { type: 'FileSha1', of: 'hash', length: 40 },
  { type: 'FileMd5', of: 'hash', length: 32 },
] as const;

/** Blocks only indicators with a malicious reputation: an alert also names harmless ones. */
const blocking: readonly SkillRemedy[] = BLOCKED.map((blocked) => ({
  about: {
    capability: 'reputation',
    of: blocked.of,
    take: 'indicator',
    when: [
      { fact: 'score', is: 'at-least', value: MALICIOUS_SCORE },
      ...('length' in blocked ? [{ fact: 'indicator', is: 'has-length', value: blocked.length } as const] : []),
    ],
  },
  name: blocked.type,
  input: {
    indicator_value: { take: 'item' },
    indicator_type: { take: 'value', value: blocked.type },
    action: { take: 'value', value: 'Block' },
    title: { take: 'value', value: 'Malicious reputation' },
    description: { take: 'value', value: PROPOSED_BY },
  },
  from: 'malicious',
  why: `The ${blocked.of} has a malicious reputation. A block protects every other machine of the organization.`,
}));

/** Where the raw events name an indicator of each kind. `{item}` becomes a quoted string. */
const SIGHTED = [
  { of: 'ip', query: 'DeviceNetworkEvents | where RemoteIP == {item}' },
  { of: 'domain', query: 'DeviceNetworkEvents | where RemoteUrl has {item}' },
  { of: 'hash', query: 'union DeviceFileEvents, DeviceProcessEvents | where SHA256 == {item} or SHA1 == {item} or MD5 == {item}' },
] as const;

/** Asks only about indicators with a bad reputation: a sighting of a harmless one says nothing. */
const sightings: readonly SkillQuestion[] = SIGHTED.map(({ of, query }) => ({
  about: { capability: 'reputation', of, take: 'indicator', when: [{ fact: 'score', is: 'at-least', value: MALICIOUS_SCORE }] },
  atMost: 3,
  input: {
    query: { take: 'text', text: `${query} | project Timestamp, DeviceId, DeviceName, ActionType, InitiatingProcessFileName | take 20` },
    max_items: { take: 'value', value: 20 },
  },
  proves: [],
  shows: ['items[].DeviceName', 'items[].Timestamp', 'items[].InitiatingProcessFileName'],
  identifies: { asset: 'machine', path: 'items[].DeviceName' },
  leadsTo: [{ kind: 'host', path: 'items[].DeviceName' }],
  why: `Shows which machines of the organization had contact with the ${of}.`,
}));

/** The platform cannot list machines by user. Hunting queries have a small quota, so only alerts without a machine ask. */
const logons: SkillQuestion = {
  about: 'user',
  only: 'without-machine',
  atMost: 2,
  followsHops: false,
  input: {
    query: {
      take: 'text',
      text: 'DeviceLogonEvents | where AccountName =~ {account} and ActionType == "LogonSuccess" | summarize Timestamp = max(Timestamp) by DeviceId, DeviceName | top 3 by Timestamp',
    },
    max_items: { take: 'value', value: 3 },
  },
  proves: [],
  shows: ['items[].DeviceName', 'items[].Timestamp'],
  leadsTo: [{ kind: 'host', path: 'items[].DeviceName' }],
  why: 'Shows which machines the account used last: an attack on an account shows on its machines.',
};

/** The resource of tokens in the public cloud. */
const RESOURCE = 'https://api.securitycenter.microsoft.com';

export const endpointDetection = defineConnector({
  kind: 'endpoint-detection',
  title: 'Endpoint detection platform',
  purpose: 'Alerts and machines of the endpoint platform, and response actions on machines.',
  setup: [
    'Create an app registration in Microsoft Entra ID, with the account type multitenant. Copy its tenant ID and client ID.',
    'Add API permissions of the type application for the resource WindowsDefenderATP. Alert.ReadWrite.All is mandatory. The other permissions of the skills are recommended.',
    'Grant admin consent for the permissions.',
    'Create a client secret and copy its value. The value is displayed once.',
    'The tenant needs an eligible licence of the endpoint platform.',
  ],
  mandatoryPermissions: ['Alert.ReadWrite.All'],
  credentials: microsoftCredentials,
  settings: microsoftSettings(RESOURCE, 'The API of the endpoint platform in your cloud.'),
  presets: [
    publicPreset('Public cloud', RESOURCE, RESOURCE),
    publicPreset('Public cloud, unified host', 'https://api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host us', 'https://us.api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host eu', 'https://eu.api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host uk', 'https://uk.api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host au', 'https://au.api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host swa', 'https://swa.api.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host ina', 'https://ina.api.security.microsoft.com', RESOURCE),
    governmentPreset('GCC', 'https://login.microsoftonline.com', 'https://api-gcc.securitycenter.microsoft.us'),
    governmentPreset('GCC High and DoD', 'https://login.microsoftonline.us', 'https://api-gov.securitycenter.microsoft.us'),
  ],
  rotation: microsoftRotation,
  routable: true,
  requestsPerMinute: 100,
  errors: microsoftErrors,
  hosts: microsoftHosts,
  intake: endpointAlertIntake,
  records: [endpointAlertRecords, indicatorRecords],
  skills: {
    listAlerts: defineSkill({
      title: 'List alerts',
      purpose: 'Lists alerts with their evidence. Filters by severity, status, category, source, incident and time.',
      effect: 'read',
      call: 'GET /api/alerts?$expand=evidence',
      permission: 'Alert.ReadWrite.All',
      timeoutSeconds: LIST_SECONDS,
      input: z.object({
        severity: z.array(Severity).min(1).max(4).optional(),
        status: z
          .array(z.enum(['New', 'InProgress', 'Resolved', 'Unknown']))
          .min(1)
          .max(4)
          .optional(),
        category: word.optional(),
        detection_source: word.optional(),
        incident_id: z.string().regex(/^\d+$/).max(20).optional(),
        assigned_to: word.optional(),
        created_since: time.optional(),
        created_until: time.optional(),
        updated_since: time.optional(),
        updated_until: time.optional(),
        max_items: maxItems,
      }),
      output: listOutput(Alert),
    }),
    getAlert: defineSkill({
      title: 'Get alert',
      purpose: 'Reads one alert.',
      effect: 'read',
      call: 'GET /api/alerts/{id}',
      permission: 'Alert.ReadWrite.All',
      timeoutSeconds: 30,
      answers: [
        {
          about: 'alert-id',
          input: { alert_id: { take: 'item' } },
          proves: [],
          shows: ['title', 'severity', 'status', 'classification', 'determination'],
          leadsTo: [
            { kind: 'machine-id', path: 'machineId' },
            { kind: 'host', path: 'computerDnsName' },
            { kind: 'ip', path: 'evidence[].ipAddress' },
            { kind: 'url', path: 'evidence[].url' },
            { kind: 'hash', path: 'evidence[].sha256' },
          ],
          why: 'The alert of the endpoint platform names the machine and what was found on it.',
        },
      ],
      input: z.object({ alert_id: alertId }),
      output: Alert,
    }),
    listMachines: defineSkill({
      title: 'List machines',
      purpose: 'Lists machines. Filters by name, address, health, platform, risk, exposure and tag.',
      effect: 'read',
      call: 'GET /api/machines',
      permission: MACHINE_READ,
      timeoutSeconds: LIST_SECONDS,
      reuseSeconds: 300,
      answers: [
        {
          about: 'host',
          input: { computer_dns_name: { take: 'item' }, max_items: { take: 'value', value: 5 } },
          proves: machineRisk('items[].'),
          shows: ['items[].computerDnsName', 'items[].riskScore', 'items[].exposureLevel', 'items[].healthStatus'],
          ...FOUND_MACHINE,
          why: 'The endpoint platform knows the machine in the alert.',
        },
        {
          about: 'domain',
          only: 'machine-like',
          input: { computer_dns_name: { take: 'item' }, max_items: { take: 'value', value: 5 } },
          proves: [],
          shows: ['items[].computerDnsName', 'items[].riskScore', 'items[].healthStatus'],
          ...FOUND_MACHINE,
          why: 'The name may be that of a machine of the organization.',
        },
        {
          about: 'ip',
          only: 'private',
          input: { last_ip_address: { take: 'item' }, max_items: { take: 'value', value: 5 } },
          proves: machineRisk('items[].'),
          shows: ['items[].computerDnsName', 'items[].riskScore', 'items[].healthStatus'],
          ...FOUND_MACHINE,
          why: 'Finds the machine that had the internal address.',
        },
      ],
      input: z.object({
        computer_dns_name: word.optional(),
        last_ip_address: z.union([z.ipv4().max(15), z.ipv6().max(45)]).optional(),
        health_status: word.optional(),
        os_platform: word.optional(),
        risk_score: z
          .array(z.enum(['None', 'Informational', 'Low', 'Medium', 'High']))
          .min(1)
          .max(5)
          .optional(),
        exposure_level: z
          .array(z.enum(['None', 'Low', 'Medium', 'High']))
          .min(1)
          .max(4)
          .optional(),
        machine_tag: word.optional(),
        aad_device_id: word.optional(),
        last_seen_since: time.optional(),
        max_items: maxItems,
      }),
      output: listOutput(Machine),
    }),
    getMachine: defineSkill({
      title: 'Get machine',
      purpose: 'Reads one machine.',
      effect: 'read',
      call: 'GET /api/machines/{id}',
      permission: MACHINE_READ,
      timeoutSeconds: 30,
      answers: [
        {
          about: 'machine-id',
          input: { machine_id: { take: 'item' } },
          proves: machineRisk(''),
          shows: ['computerDnsName', 'riskScore', 'exposureLevel', 'healthStatus'],
          leadsTo: [{ kind: 'host', path: 'computerDnsName' }],
          identifies: { asset: 'machine', path: 'id' },
          followsHops: false,
          why: 'The endpoint platform knows the machine in the alert.',
        },
      ],
      input: z.object({ machine_id: machineId }),
      output: Machine,
    }),
    listMachineLogonUsers: defineSkill({
      title: 'List machine logon users',
      purpose: 'Lists the users who signed in to a machine.',
      effect: 'read',
      call: 'GET /api/machines/{id}/logonusers',
      permission: 'User.Read.All',
      timeoutSeconds: 60,
      answers: [
        {
          about: 'machine-id',
          atMost: 2,
          input: { machine_id: { take: 'item' }, max_items: { take: 'value', value: 20 } },
          proves: [
            { when: [{ path: 'items[].isDomainAdmin', is: 'true' }], fact: 'important-asset', says: 'Domain administrator signed in' },
          ],
          shows: ['items[].accountName', 'items[].lastSeen', 'items[].isDomainAdmin'],
          why: 'An attacker on the machine can reach the accounts that signed in to it.',
        },
      ],
      input: z.object({ machine_id: machineId, max_items: maxItems }),
      output: listOutput(LogonUser),
    }),
    isolateMachine: defineSkill({
      title: 'Isolate machine',
      purpose: 'Isolates a machine from the network. Returns the action; Get machine action reads its result.',
      effect: 'write',
      call: 'POST /api/machines/{id}/isolate',
      permission: 'Machine.Isolate',
      timeoutSeconds: 60,
      touches: touchesMachine,
      ends: endsAsAction,
      undoneBy: {
        verb: 'unisolateMachine',
        input: { ...OF_THE_MACHINE, comment: { take: 'value', value: 'The isolation period has ended.' } },
      },
      remedies: isolation,
      input: z.object({
        machine_id: machineId,
        comment,
        isolation_type: z
          .enum(['Full', 'Selective', 'UnManagedDevice'])
          .default('Full')
          .describe('Selective keeps mail and messaging available; UnManagedDevice is for machines without a sensor.'),
      }),
      output: MachineAction,
    }),
    unisolateMachine: defineSkill({
      title: 'Unisolate machine',
      purpose: 'Ends the isolation of a machine.',
      effect: 'write',
      call: 'POST /api/machines/{id}/unisolate',
      permission: 'Machine.Isolate',
      timeoutSeconds: 60,
      touches: touchesMachine,
      ends: endsAsAction,
      input: z.object({ machine_id: machineId, comment }),
      output: MachineAction,
    }),
    runAntivirusScan: defineSkill({
      title: 'Run antivirus scan',
      purpose: 'Starts an antivirus scan on a machine.',
      effect: 'write',
      call: 'POST /api/machines/{id}/runAntiVirusScan',
      permission: 'Machine.Scan',
      timeoutSeconds: 60,
      touches: touchesMachine,
      ends: { ...endsAsAction, resultFrom: 'getScanResult' },
      input: z.object({ machine_id: machineId, comment, scan_type: z.enum(['Quick', 'Full']).default('Quick') }),
      output: MachineAction,
    }),
    collectInvestigationPackage: defineSkill({
      title: 'Collect investigation package',
      purpose: 'Collects a forensic package from a machine. The third party stores it.',
      effect: 'write',
      call: 'POST /api/machines/{id}/collectInvestigationPackage',
      permission: 'Machine.CollectForensics',
      timeoutSeconds: 60,
      touches: touchesMachine,
      ends: { ...endsAsAction, resultFrom: 'getInvestigationPackage' },
      input: z.object({ machine_id: machineId, comment }),
      output: MachineAction,
    }),
    runLiveResponse: defineSkill({
      title: 'Run live response',
      purpose: 'Runs commands on a machine in this order: put a file, run a script, get a file.',
      effect: 'write',
      call: 'POST /API/machines/{id}/runliveresponse',
      permission: 'Machine.LiveResponse',
      timeoutSeconds: 60,
      touches: touchesMachine,
      ends: { ...endsAsAction, resultFrom: 'getLiveResponseResult' },
      input: z.object({
        machine_id: machineId,
        comment,
        commands: z.array(LiveCommand).min(1).max(10).refine(isInOrder, 'must be in this order: PutFile, RunScript, GetFile'),
      }),
      output: MachineAction,
    }),
    runAdvancedQuery: defineSkill({
      title: 'Run advanced query',
      purpose: 'Runs a hunting query on the raw events of the last 30 days.',
      effect: 'read',
      call: 'POST /api/advancedqueries/run',
      permission: 'AdvancedQuery.Read.All',
      timeoutSeconds: 300,
      // Many alerts of one campaign ask where the same indicator was seen.
      reuseSeconds: 120,
      answers: [...sightings, logons],
      input: z.object({ query: z.string().min(1).max(20_000), max_items: maxItems }),
      output: listOutput(QueryRow).extend({ schema: z.array(z.object({ name: z.string(), type: z.string() })) }),
    }),
    listIndicators: defineSkill({
      title: 'List indicators',
      purpose: 'Lists the indicators that the platform blocks, warns about or allows.',
      effect: 'read',
      call: 'GET /api/indicators',
      permission: 'Ti.ReadWrite (own indicators) or Ti.ReadWrite.All (all)',
      timeoutSeconds: LIST_SECONDS,
      input: z.object({
        indicator_value: z.string().min(1).max(2048).optional(),
        indicator_type: word.optional(),
        action: word.optional(),
        severity: Severity.optional(),
        max_items: maxItems,
      }),
      output: listOutput(Indicator),
    }),
    createIndicator: defineSkill({
      title: 'Create indicator',
      purpose: 'Creates an indicator, or updates the one with the same value.',
      effect: 'write',
      call: 'POST /api/indicators',
      permission: 'Ti.ReadWrite.All',
      timeoutSeconds: 60,
      touches: touchesAddress,
      namesHosts: [{ path: 'indicator_value', when: [BLOCKS, { path: 'indicator_type', isOneOf: ['IpAddress', 'DomainName', 'Url'] }] }],
      remedies: blocking,
      input: z
        .object({
          indicator_value: z.string().min(1).max(2048),
          indicator_type: z.enum(['FileSha1', 'FileSha256', 'FileMd5', 'CertificateThumbprint', 'IpAddress', 'DomainName', 'Url']),
          action: z.enum(['Warn', 'Block', 'Audit', 'BlockAndRemediate', 'Allowed', 'Alert', 'AlertAndBlock']),
          title: z.string().min(1).max(200),
          description: z.string().min(1).max(1000),
          application: word.optional(),
          expiration_time: time.optional(),
          severity: Severity.optional(),
          recommended_actions: z.string().max(1000).optional(),
          rbac_group_names: z.array(word).max(100).optional(),
          generate_alert: z.boolean().default(true),
        })
        .refine(({ action, generate_alert }) => action !== 'Audit' || generate_alert, {
          error: 'must be true with the action Audit',
          path: ['generate_alert'],
        }),
      output: Indicator,
    }),
    listVulnerabilities: defineSkill({
      title: 'List vulnerabilities',
      purpose: 'Lists the vulnerabilities of the organization.',
      effect: 'read',
      call: 'GET /api/Vulnerabilities',
      permission: 'Vulnerability.Read.All',
      timeoutSeconds: LIST_SECONDS,
      answers: [
        {
          about: 'cve',
          input: { cve_id: { take: 'item' }, max_items: { take: 'value', value: 5 } },
          proves: [
            {
              inOne: 'items[]',
              when: [
                { path: ['exploitVerified', 'exploitInKit'], is: 'true' },
                { path: 'exposedMachines', is: 'at-least', value: 1 },
              ],
              fact: 'exploited-in-organization',
              techniques: ['T1190'],
            },
            {
              inOne: 'items[]',
              when: [
                { path: 'publicExploit', is: 'true' },
                { path: 'exposedMachines', is: 'at-least', value: 1 },
              ],
              fact: 'exploitable-in-organization',
              techniques: ['T1190'],
            },
            {
              inOne: 'items[]',
              when: [{ path: 'publicExploit', is: 'equals', value: 'false' }],
              fact: 'low-risk-vulnerability',
            },
          ],
          shows: ['items[].severity', 'items[].cvssV3', 'items[].exposedMachines'],
          why: 'A vulnerability matters only if machines of the organization have it.',
        },
      ],
      input: z.object({
        cve_id: cveId.optional(),
        severity: word.optional(),
        published_since: time.optional(),
        updated_since: time.optional(),
        max_items: maxItems,
      }),
      output: listOutput(Vulnerability),
    }),
    listMachinesVulnerabilities: defineSkill({
      title: 'List machines vulnerabilities',
      purpose: 'Lists machines with their vulnerabilities and the products that cause them.',
      effect: 'read',
      call: 'GET /api/vulnerabilities/machinesVulnerabilities',
      permission: 'Vulnerability.Read.All',
      timeoutSeconds: LIST_SECONDS,
      answers: [
        {
          about: 'cve',
          categories: ['vulnerability'],
          input: { cve_id: { take: 'item' }, max_items: { take: 'value', value: 20 } },
          proves: [],
          shows: ['items[].machineId', 'items[].productName', 'items[].productVersion', 'items[].fixingKbId'],
          why: 'Finds the vulnerable machines and the products that cause it.',
        },
        {
          about: 'machine-id',
          atMost: 2,
          input: {
            machine_id: { take: 'item' },
            cve_id: { take: 'alert-entity', kind: 'cve' },
            max_items: { take: 'value', value: 5 },
          },
          proves: [
            { when: [{ path: 'items[].id', is: 'present' }], fact: 'vulnerability-present' },
            { when: [{ path: 'cut', is: 'absent' }], fact: 'vulnerability-absent' },
          ],
          shows: ['items[].productName', 'items[].productVersion', 'items[].fixingKbId'],
          why: 'Shows whether the machine in the alert has the vulnerability.',
        },
      ],
      input: z.object({
        machine_id: machineId.optional(),
        cve_id: cveId.optional(),
        severity: word.optional(),
        product_name: word.optional(),
        max_items: maxItems,
      }),
      output: listOutput(MachineVulnerability),
    }),
    listRecommendations: defineSkill({
      title: 'List recommendations',
      purpose: 'Lists the security recommendations of the platform.',
      effect: 'read',
      call: 'GET /api/recommendations',
      permission: 'SecurityRecommendation.Read.All',
      timeoutSeconds: LIST_SECONDS,
      answers: [
        {
          about: { verb: 'listMachinesVulnerabilities', of: 'cve', path: 'items[].productName' },
          atMost: 3,
          categories: ['vulnerability'],
          input: { product_name: { take: 'item' }, max_items: { take: 'value', value: 5 } },
          proves: [],
          shows: ['items[].recommendationName', 'items[].recommendedVersion', 'items[].remediationType', 'items[].status'],
          why: 'The platform recommends a fix for the vulnerable product.',
        },
      ],
      input: z.object({
        product_name: word.optional(),
        vendor: word.optional(),
        remediation_type: word.optional(),
        status: word.optional(),
        max_items: maxItems,
      }),
      output: listOutput(Recommendation),
    }),
    getMachineAction: defineSkill({
      title: 'Get machine action',
      purpose: 'Reads the status of an action on a machine.',
      effect: 'read',
      call: 'GET /api/machineactions/{id}',
      permission: MACHINE_READ,
      timeoutSeconds: 30,
      input: z.object({ action_id: actionId }),
      output: MachineAction,
    }),
    getInvestigationPackage: defineSkill({
      title: 'Get investigation package',
      purpose: 'Returns the link to a collected investigation package. The link is valid for a short time.',
      effect: 'read',
      call: 'GET /api/machineactions/{id}/getPackageUri',
      permission: 'Machine.CollectForensics',
      timeoutSeconds: 60,
      input: z.object({ action_id: actionId }),
      output: z.object({ action: MachineAction, link: z.string().nullable().describe('Null until the action has succeeded.') }),
    }),
    getLiveResponseResult: defineSkill({
      title: 'Get live response result',
      purpose: 'Returns the output of one command of a live response, and the link to it. The link is valid for a short time.',
      effect: 'read',
      call: 'GET /api/machineactions/{id}/GetLiveResponseResultDownloadLink(index={index})',
      permission: 'Machine.LiveResponse',
      timeoutSeconds: 60,
      input: z.object({
        action_id: actionId,
        command_index: z.int().min(0).max(9).default(0).describe('The position of the command, from 0.'),
      }),
      output: z.object({
        action: MachineAction,
        link: z.string().nullable().describe('Null until the action has succeeded.'),
        output: z.string().nullable().describe('The first 20,000 characters of the output.'),
        output_missing: z.string().nullable().describe('Why the output is missing.'),
      }),
    }),
    getScanResult: defineSkill({
      title: 'Get scan result',
      purpose: 'Returns the state of an antivirus scan and the alerts of its machine since the scan began.',
      effect: 'read',
      call: 'GET /api/machineactions/{id}',
      permission: 'Alert.ReadWrite.All',
      timeoutSeconds: LIST_SECONDS,
      input: z.object({ action_id: actionId, max_items: maxItems }),
      output: listOutput(Alert).extend({ action: MachineAction }),
    }),
    listMachineActions: defineSkill({
      title: 'List machine actions',
      purpose: 'Lists actions on machines, newest first.',
      effect: 'read',
      call: 'GET /api/machineactions',
      permission: MACHINE_READ,
      timeoutSeconds: LIST_SECONDS,
      input: z.object({
        machine_id: machineId.optional(),
        type: word.optional(),
        status: word.optional(),
        requestor: word.optional(),
        created_since: time.optional(),
        max_items: maxItems,
      }),
      output: listOutput(MachineAction),
    }),
  },
});

function isInOrder(commands: readonly { readonly type: string }[]): boolean {
  const places = commands.map(({ type }) => COMMAND_ORDER.indexOf(type));
  return places.every((place, index) => index === 0 || place >= (places[index - 1] ?? 0));
}
