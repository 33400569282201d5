import { z } from 'zod';
import { EntityKind } from '../alert/entity.js';
import { Waiting } from '../connection/connection.js';
import { InvestigationChange } from '../investigation/evidence-diff.js';
import { LegalHold } from '../organization/retention.js';
import { Proposal } from '../response/proposal.js';
import { CaseSla } from '../sla/clock.js';
import { storable, text } from '../text.js';
import { CASE_TITLE_LENGTH } from './case-title.js';
import { CLASSIFICATIONS } from './classification.js';
import { Evidence, Severity, Verdict, VerdictReason } from './evidence.js';
import { Tags } from './tags.js';

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
  proposals: z.array(Proposal).describe('Proposed writes: pending, decided and ended.'),
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

export const UpdateCase = z
  .strictObject({
    title: text(CASE_TITLE_LENGTH),
    status: CaseStatus,
    classification: ClassificationSchema.describe(
      'Closes the case and sets the analyst verdict. A false or benign positive also withdraws the proposed writes that are not sent yet.',
    ),
    assignee: text(200).nullable().describe('The name of an active key of an analyst or an admin, of the organization or of its provider.'),
    comment: text(10_000),
    analyst_verdict: z
      .strictObject({ verdict: Verdict, reason: text(4000) })
      .nullable()
      .describe('null removes it.'),
    tags: Tags.describe('Replaces all tags. The service stores them in lower case.'),
    add_tags: Tags.describe('Adds tags and keeps the others.'),
  })
  .partial()
  .refine(
    (update) => Object.keys(update).length > 0,
    'name at least one of title, status, classification, assignee, comment, analyst_verdict, tags, add_tags',
  )
  .refine(({ tags, add_tags: added }) => tags === undefined || added === undefined, {
    error: 'leave it out, because tags replaces all tags',
    path: ['add_tags'],
  })
  .refine(({ classification, status }) => classification === undefined || status === undefined || status === 'closed', {
    error: 'must be closed, because a classification closes the case',
    path: ['status'],
  })
  .refine(({ classification, analyst_verdict: verdict }) => classification === undefined || verdict === undefined, {
    error: 'leave it out, because the classification sets it',
    path: ['analyst_verdict'],
  });
export type UpdateCase = z.infer<typeof UpdateCase>;

export const MergeCase = z.strictObject({ into: storable(100).describe('The case that takes its alerts.'), reason: text(1000) });
export const UnmergeCase = z.strictObject({ reason: text(1000) });
