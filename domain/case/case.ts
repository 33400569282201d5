import { z } from 'zod';
import { Waiting } from '../connection/connection.js';
import { EntityKind } from '../entity/entity.js';
import { InvestigationChange } from '../investigation/evidence-diff.js';
import { LegalHold } from '../organization/retention.js';
import { CaseProposal } from '../response/proposal.js';
import { CaseSla } from '../sla/clock.js';
import { Evidence, Severity, Verdict, VerdictReason } from '../verdict/evidence.js';
import { CLASSIFICATIONS } from './classification.js';

const CASE_STATUSES = ['open', 'in_progress', 'closed'] as const;
export const CaseStatus = z.enum(CASE_STATUSES);
export type CaseStatus = z.infer<typeof CaseStatus>;

export const ClassificationSchema = z.enum(CLASSIFICATIONS);

export const TimelineEntry = z.object({
  at: z.int(),
  kind: z.enum([
    'opened',
    'concluded',
    'failed',
    'reinvestigated',
    'status',
    'assignee',
    'comment',
    'verdict',
    'proposed',
    'decided',
    'action',
    'follow-up',
    'merge',
    'legal-hold',
    'title',
    'task',
    'attachment',
    'tags',
  ]),
  by: z.string().nullable().describe('Name of the principal; null for the service itself.'),
  text: z.string().describe('A comment is Markdown.'),
  mentions: z.array(z.string()).describe('The people whom a comment mentions as `@name`.'),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const CaseSummary = z.object({
  case_id: z.string().describe('`<org code>-CASE-<n>`'),
  title: z.string().describe('Written from the alert type and the entities of the alert, until a person changes it.'),
  alert_id: z.string().describe('The alert that opened the case.'),
  organization_code: z.string(),
  playbook: z.string().nullable(),
  status: CaseStatus,
  severity: Severity.nullable().describe('null until the investigation ends.'),
  severity_reasons: z.array(z.string()).describe('Why the case has its severity: the verdict, and what raised the severity.'),
  verdict: Verdict.nullable(),
  score: z.int().min(0).max(100).nullable(),
  confidence: z.int().min(0).max(100).nullable(),
  summary: z.string(),
  reasons: z.array(VerdictReason).describe('The lines of the summary as data, the most important first.'),
  assignee: z.string().nullable(),
  analyst_verdict: Verdict.nullable(),
  analyst_verdict_reason: z.string().nullable(),
  classification: ClassificationSchema.nullable().describe('How a person closed the case.'),
  tags: z.array(z.string()).describe('In alphabetical order.'),
  opened_at: z.int(),
  modified_at: z.int(),
  closed_at: z.int().nullable(),
  merged_into: z.string().nullable().describe('The case that now has its alerts.'),
  sla: CaseSla.describe('The clocks of the case.'),
});
export type CaseSummary = z.infer<typeof CaseSummary>;

/** One investigation of one alert of the case, and its differences from the investigation before it. */
export const InvestigationRecord = z.object({
  alert_id: z.string(),
  investigation_no: z.int(),
  playbook: z.string().nullable(),
  plan_version: z.int().nullable(),
  build: z.string().nullable().describe('The workflow build that judged the alert. null: unknown.'),
  status: z.string(),
  attempt: z.int(),
  verdict: Verdict.nullable(),
  score: z.int().nullable(),
  confidence: z.int().nullable(),
  started_at: z.int(),
  ended_at: z.int().nullable(),
  changed: InvestigationChange.nullable().describe('null for the first investigation, for a running one, and for a failed one.'),
});
export type InvestigationRecord = z.infer<typeof InvestigationRecord>;

/** Another alert of the organization with the same indicators. */
export const LinkedAlert = z.object({
  alert_id: z.string(),
  alert_type: z.string(),
  case_id: z.string().nullable(),
  verdict: Verdict.nullable(),
  shares: z.array(z.object({ kind: EntityKind, value: z.string() })),
});
export type LinkedAlert = z.infer<typeof LinkedAlert>;

export const CaseDetail = CaseSummary.extend({
  alert_ids: z.array(z.string()),
  techniques: z.array(z.string()).describe('ATT&CK techniques that the evidence names.'),
  investigations: z.array(InvestigationRecord).describe('Newest first, at most 100.'),
  linked: z
    .array(LinkedAlert)
    .describe('Alerts of other cases within 30 days that share an indicator, the most related first; at most 50.'),
  linked_count: z.int().describe('The number of linked alerts, also of those that `linked` leaves out.'),
  proposals: z.array(CaseProposal).describe('Proposed writes: pending, decided and ended.'),
  merged: z.array(z.string()).describe('Cases that were merged into this one.'),
  evidence: z.array(Evidence).describe('The evidence for the verdict: the newest attempt of the newest investigation.'),
  earlier_evidence: z
    .array(Evidence)
    .describe('Evidence of earlier attempts and investigations. It does not affect the score. The newest 500.'),
  timeline: z.array(TimelineEntry).describe('Oldest first; the newest 500 entries.'),
  legal_hold: LegalHold.nullable().describe('While the case has one, its data is not deleted.'),
  waiting_on: z.array(Waiting).describe('The reasons why its investigations wait.'),
});
export type CaseDetail = z.infer<typeof CaseDetail>;
