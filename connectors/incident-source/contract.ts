import { z } from 'zod';
import { defineConnector, defineSkill, listOutput } from '../kit/define.js';
import {
  governmentPreset,
  microsoftCredentials,
  microsoftErrors,
  microsoftHosts,
  microsoftRotation,
  microsoftSettings,
  publicPreset,
} from '../kit/microsoft-app.js';
import { incidentIntake } from './intake.js';
import { incidentRecords } from './records.js';

// A field that the third party omits, sends as null or in an undocumented form is null here.
const text = z.string().nullable().catch(null);
const texts = z.array(z.string()).catch([]);
/** Text, although the third party sends a number: a large number would lose digits. */
const id = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string().min(1));
const idOrNull = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string().nullable().catch(null));

const Device = z.looseObject({
  mdatpDeviceId: text.describe('The id of the machine at the endpoint detection platform.'),
  deviceDnsName: text,
  riskScore: text,
});

const Entity = z.looseObject({
  /** The documentation says `Mailbox`; some replies have `MailBox`. */
  entityType: z
    .preprocess((value) => (value === 'MailBox' ? 'Mailbox' : value), text)
    .describe('User, Ip, Url, File, Process, Mailbox and others.'),
  sha1: text,
  sha256: text,
  fileName: text,
  processCommandLine: text,
  ipAddress: text,
  url: text,
  accountName: text,
  domainName: text,
  userPrincipalName: text,
  mailboxAddress: text,
});

const IncidentAlert = z.looseObject({
  alertId: id,
  incidentId: idOrNull,
  serviceSource: text,
  detectionSource: text,
  title: text,
  description: text,
  category: text,
  status: text,
  severity: text,
  classification: text,
  determination: text,
  creationTime: text,
  lastUpdatedTime: text,
  resolvedTime: text,
  mitreTechniques: texts,
  devices: z.array(Device).catch([]),
  entities: z.array(Entity).catch([]),
});

export const Incident = z.looseObject({
  incidentId: id,
  redirectIncidentId: idOrNull.describe('For a redirected incident: the incident it was merged into.'),
  incidentName: text,
  severity: text.describe('Informational, Low, Medium or High.'),
  status: text.describe('Active, Resolved or Redirected.'),
  classification: text,
  determination: text,
  assignedTo: text,
  createdTime: text,
  lastUpdateTime: text,
  tags: texts,
  comments: z.array(z.looseObject({ comment: text, createdBy: text, createdTime: text })).catch([]),
  alerts: z.preprocess((value) => value ?? [], z.array(IncidentAlert)),
});

const DetectionRow = z.object({
  incident_id: z.string(),
  incident_name: z.string().nullable(),
  incident_severity: z.string().nullable(),
  incident_status: z.string().nullable(),
  incident_classification: z.string().nullable(),
  incident_determination: z.string().nullable(),
  assigned_analyst: z.string().nullable(),
  alert_id: z.string(),
  alert_title: z.string().nullable(),
  alert_category: z.string().nullable(),
  alert_severity: z.string().nullable(),
  alert_status: z.string().nullable(),
  service_source: z.string().nullable(),
  detection_source: z.string().nullable(),
});

const incidentFilter = {
  duration: z.int().min(1).max(100_000).optional().describe('The length of the window up to now, in units of duration_type.'),
  duration_type: z.enum(['minutes', 'hours', 'days']).default('days'),
  time_field: z
    .enum(['createdTime', 'lastUpdateTime'])
    .default('lastUpdateTime')
    .describe('The time of the incident that must be in the window.'),
  since: z.iso.datetime({ offset: true }).max(40).optional().describe('The start of the window, instead of a duration.'),
  until: z.iso.datetime({ offset: true }).max(40).optional().describe('The end of the window. Default: now.'),
  status: z
    .array(z.enum(['Active', 'Resolved', 'Redirected']))
    .min(1)
    .max(3)
    .optional(),
  assigned_to: z.string().min(1).max(200).optional(),
  max_items: z.int().min(1).optional().describe('Stop after this many incidents. Default: all incidents.'),
};

/** The resource of tokens in the public cloud. */
const RESOURCE = 'https://api.security.microsoft.com';

export const incidentSource = defineConnector({
  kind: 'incident-source',
  title: 'Extended-detection incident source',
  products: ['Microsoft Defender XDR', 'Microsoft 365 Defender'],
  icon: 'incident',
  purpose: 'Incidents that the extended-detection platform builds from the alerts of several products.',
  setup: [
    'Create an app registration in Microsoft Entra ID, with the account type multitenant. Copy its tenant ID and client ID.',
    'Add the API permission Incident.Read.All of the type application for the resource Microsoft Threat Protection. It is mandatory.',
    'Grant admin consent for the permission.',
    'Create a client secret and copy its value. The value is displayed once.',
    'The tenant needs an eligible licence of the extended detection platform.',
  ],
  mandatoryPermissions: ['Incident.Read.All'],
  credentials: microsoftCredentials,
  settings: microsoftSettings(RESOURCE, 'The API of the incident platform in your cloud.'),
  presets: [
    publicPreset('Public cloud', RESOURCE, RESOURCE),
    publicPreset('Public cloud, geographic host us', 'https://api-us.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host eu', 'https://api-eu.security.microsoft.com', RESOURCE),
    publicPreset('Public cloud, geographic host uk', 'https://api-uk.security.microsoft.com', RESOURCE),
    governmentPreset('GCC', 'https://login.microsoftonline.com', 'https://api-gcc.security.microsoft.us'),
    governmentPreset('GCC High and DoD', 'https://login.microsoftonline.us', 'https://api-gov.security.microsoft.us'),
  ],
  rotation: microsoftRotation,
  routable: true,
  requestsPerMinute: 50,
  errors: microsoftErrors,
  hosts: microsoftHosts,
  intake: incidentIntake,
  records: [incidentRecords],
  skills: {
    listIncidentsForDetections: defineSkill({
      title: 'List Incidents for Detections',
      purpose: 'Lists incidents as one row for each alert, for detection pipelines.',
      effect: 'read',
      call: 'GET /api/incidents',
      permission: 'Incident.Read.All',
      timeoutSeconds: 300,
      input: z.object(incidentFilter),
      output: listOutput(DetectionRow).extend({
        redirected: z
          .array(z.object({ incident_id: z.string(), incident_name: z.string().nullable(), redirect_incident_id: z.string().nullable() }))
          .describe('Incidents that were merged into another, which now has their alerts.'),
      }),
    }),
    listIncidents: defineSkill({
      title: 'List Incidents',
      purpose: 'Lists incidents with their alerts.',
      effect: 'read',
      call: 'GET /api/incidents',
      permission: 'Incident.Read.All',
      timeoutSeconds: 300,
      input: z.object(incidentFilter),
      output: listOutput(Incident),
    }),
    getIncident: defineSkill({
      title: 'Get Incident',
      purpose: 'Reads one incident with its alerts, devices and entities.',
      effect: 'read',
      call: 'GET /api/incidents/{id}',
      permission: 'Incident.Read.All',
      timeoutSeconds: 30,
      answers: [
        {
          about: 'incident-id',
          input: { incident_id: { take: 'item' } },
          proves: [
            { when: [{ path: 'determination', is: 'contains', value: 'SecurityTest' }], fact: 'confirmed-test', at: 'lastUpdateTime' },
            { when: [{ path: 'classification', is: 'equals', value: 'FalsePositive' }], fact: 'confirmed-benign', at: 'lastUpdateTime' },
            {
              when: [{ path: 'classification', is: 'equals', value: 'InformationalExpectedActivity' }],
              fact: 'confirmed-benign',
              at: 'lastUpdateTime',
            },
            {
              when: [
                { path: 'classification', is: 'equals', value: 'TruePositive' },
                { path: 'determination', is: 'equals', value: 'UnwantedSoftware' },
              ],
              fact: 'unwanted-software',
              at: 'lastUpdateTime',
            },
            { when: [{ path: 'classification', is: 'equals', value: 'TruePositive' }], fact: 'confirmed-malicious', at: 'lastUpdateTime' },
            {
              when: [
                { path: 'severity', is: 'equals', value: 'High' },
                { path: 'status', is: 'equals', value: 'Active' },
              ],
              fact: 'open-record-high',
              at: 'createdTime',
            },
            {
              when: [
                { path: 'severity', is: 'equals', value: 'Medium' },
                { path: 'status', is: 'equals', value: 'Active' },
              ],
              fact: 'open-record-medium',
              at: 'createdTime',
            },
          ],
          leadsTo: [
            { kind: 'incident-id', path: 'redirectIncidentId' },
            { kind: 'machine-id', path: 'alerts[].devices[].mdatpDeviceId' },
            { kind: 'host', path: 'alerts[].devices[].deviceDnsName' },
            { kind: 'ip', path: 'alerts[].entities[].ipAddress' },
            { kind: 'url', path: 'alerts[].entities[].url' },
            { kind: 'hash', path: 'alerts[].entities[].sha256' },
          ],
          shows: ['incidentName', 'severity', 'status', 'alerts[].title'],
          why: 'The extended-detection platform has rated and classified the incident.',
        },
      ],
      input: z.object({ incident_id: z.string().regex(/^\d+$/).max(20) }),
      output: Incident,
    }),
  },
});
