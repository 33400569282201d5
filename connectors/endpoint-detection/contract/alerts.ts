import { z } from 'zod';
import { defineSkill, listOutput, maxItems } from '../../kit/define.js';
import { alertId, id, idOrNull, LIST_SECONDS, Severity, text, texts, time, word } from './fields.js';

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

export const alertSkills = {
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
};
