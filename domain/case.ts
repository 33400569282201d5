import { z } from 'zod';
import { Waiting } from './connection.js';
import { text } from './text.js';

const CASE_STATUSES = ['open', 'in_progress', 'closed'] as const;
export const CaseStatus = z.enum(CASE_STATUSES);
export type CaseStatus = z.infer<typeof CaseStatus>;

const VERDICTS = ['malicious', 'suspicious', 'benign', 'inconclusive'] as const;
export const Verdict = z.enum(VERDICTS);
export type Verdict = z.infer<typeof Verdict>;

const SEVERITIES = ['informational', 'low', 'medium', 'high', 'critical'] as const;
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

export const EvidenceKind = z.enum(['finding', 'gap', 'note']);
export type EvidenceKind = z.infer<typeof EvidenceKind>;

/** Which third party said it; null for what we found ourselves. */
export const EvidenceSource = z.object({
  connector: z.string(),
  connection: z.string().nullable(),
  skill_id: z.string(),
  result_id: z.string().optional().describe('Where the whole answer lies: `GET /platformapi/skill-results/{result_id}`.'),
});
export type EvidenceSource = z.infer<typeof EvidenceSource>;

/** What a playbook says; where it stands (investigation, attempt, step) is added by the lifecycle. */
export const EvidenceDraft = z.object({
  step: z.string().min(1).max(100),
  kind: EvidenceKind,
  source: EvidenceSource.nullable(),
  title: z.string().min(1).max(300),
  points: z.int().min(-100).max(100),
  reason: z.string().max(4000),
  techniques: z.array(z.string().regex(/^T\d{4}(\.\d{3})?$/)).max(50),
});
export type EvidenceDraft = z.infer<typeof EvidenceDraft>;

export const Evidence = EvidenceDraft.extend({
  evidence_id: z.string(),
  at: z.int(),
  alert_id: z.string(),
  investigation_no: z.int(),
  attempt: z.int(),
});
export type Evidence = z.infer<typeof Evidence>;

/** The id follows from the place, so a step that runs again replaces its entry instead of adding one. */
export function evidenceId(place: { alertId: string; investigationNo: number; attempt: number; step: string }): string {
  return `${place.alertId}/${place.investigationNo}/${place.attempt}/${place.step}`;
}

export const TimelineEntry = z.object({
  at: z.int(),
  kind: z.enum(['opened', 'concluded', 'failed', 'reinvestigated', 'status', 'assignee', 'comment', 'verdict']),
  by: z.string().nullable().describe('Name of the principal; null for the service itself.'),
  text: z.string(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const CaseSummary = z.object({
  case_id: z.string().describe('`<org code>-CASE-<n>`'),
  alert_id: z.string().describe('The alert that opened the case.'),
  organization_code: z.string(),
  playbook: z.string().nullable(),
  status: CaseStatus,
  severity: Severity.nullable().describe('null until the investigation has ended.'),
  verdict: Verdict.nullable(),
  score: z.int().min(0).max(100).nullable(),
  confidence: z.int().min(0).max(100).nullable(),
  summary: z.string(),
  assignee: z.string().nullable(),
  analyst_verdict: Verdict.nullable(),
  analyst_verdict_reason: z.string().nullable(),
  opened_at: z.int(),
  modified_at: z.int(),
  closed_at: z.int().nullable(),
});
export type CaseSummary = z.infer<typeof CaseSummary>;

export const CaseDetail = CaseSummary.extend({
  alert_ids: z.array(z.string()),
  evidence: z.array(Evidence).describe('What the verdict follows from: the newest investigation, its newest attempt.'),
  earlier_evidence: z.array(Evidence).describe('Left by earlier attempts and investigations; scores nothing. The newest 500.'),
  timeline: z.array(TimelineEntry).describe('Oldest first; the newest 500 entries.'),
  waiting_on: z.array(Waiting).describe('What its investigations wait for.'),
});
export type CaseDetail = z.infer<typeof CaseDetail>;

export const UpdateCase = z
  .strictObject({
    status: CaseStatus,
    assignee: text(200).nullable(),
    comment: text(10_000),
    analyst_verdict: z.strictObject({ verdict: Verdict, reason: text(4000) }),
  })
  .partial()
  .refine((update) => Object.keys(update).length > 0, 'name at least one of status, assignee, comment, analyst_verdict');
export type UpdateCase = z.infer<typeof UpdateCase>;
