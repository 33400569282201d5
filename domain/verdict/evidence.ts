import { z } from 'zod';
import { SkillKeyText } from '../skill-key.js';
import { Fact } from './fact.js';

const VERDICTS = ['malicious', 'suspicious', 'benign', 'inconclusive'] as const;
export const Verdict = z.enum(VERDICTS);
export type Verdict = z.infer<typeof Verdict>;

const SEVERITIES = ['informational', 'low', 'medium', 'high', 'critical'] as const;
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

export const EvidenceKind = z.enum(['finding', 'gap', 'note']);
export type EvidenceKind = z.infer<typeof EvidenceKind>;

/** The third party that gave the answer; null for our own findings. */
export const EvidenceSource = z.object({
  connector: z.string(),
  connection: z.string().nullable(),
  skill_id: z.string(),
  skill_key: SkillKeyText.optional(),
  result_id: z.string().optional().describe('The full answer: `GET /platformapi/skill-results/{result_id}`.'),
  reused: z.boolean().optional().describe('The answer comes from an earlier investigation, or from a recent one of another alert.'),
  copied_at: z
    .number()
    .optional()
    .describe('The answer comes from a copy of the third party’s list. The copy shows the list of this time.'),
});
export type EvidenceSource = z.infer<typeof EvidenceSource>;

/** The call that gave the answer. */
export const AskedQuestion = z.object({
  input: z.unknown().describe('The input of the call; a long input is truncated and written as text.'),
  at: z.int(),
  alert_id: z.string().nullable().describe('The alert that the question was asked for; null: an analyst asked it.'),
  duration_ms: z.int().nullable(),
  request_digest: z.string().describe('SHA-256 of the input, base64.'),
  reply_digest: z.string().nullable().describe('SHA-256 of the full answer, base64.'),
});
export type AskedQuestion = z.infer<typeof AskedQuestion>;

/** A value that so many different people or machines share that it identifies none of them. */
export const SharedValue = z.object({
  /** The kind of the entity. */
  kind: z.string(),
  value: z.string(),
  records: z.int(),
  people: z.int(),
  machines: z.int(),
  cases: z.int(),
  days: z.int(),
});
export type SharedValue = z.infer<typeof SharedValue>;

/** The beginning of the step of a note about a shared value. */
export const SHARED_VALUE_STEP = 'shared-value';

/** Evidence as a playbook writes it; the lifecycle adds investigation and attempt. */
export const EvidenceDraft = z.object({
  step: z.string().min(1).max(100),
  kind: EvidenceKind,
  source: EvidenceSource.nullable(),
  title: z.string().min(1).max(300),
  points: z.int().min(-100).max(100),
  reason: z.string().max(4000),
  techniques: z.array(z.string().regex(/^T\d{4}(\.\d{3})?$/)).max(50),
  fact: Fact.optional().describe('The meaning of a finding for the verdict.'),
  shared: SharedValue.optional().describe('The value that a note suggests as own knowledge.'),
});
export type EvidenceDraft = z.infer<typeof EvidenceDraft>;

export const Evidence = EvidenceDraft.omit({ fact: true, shared: true }).extend({
  source: EvidenceSource.extend({ asked: AskedQuestion.optional() }).nullable(),
  evidence_id: z.string(),
  at: z.int(),
  alert_id: z.string(),
  investigation_no: z.int(),
  attempt: z.int(),
});
export type Evidence = z.infer<typeof Evidence>;

/** The id is derived from the step, so that a repeated step replaces its entry. */
export function evidenceId(place: { alertId: string; investigationNo: number; attempt: number; step: string }): string {
  return `${place.alertId}/${place.investigationNo}/${place.attempt}/${place.step}`;
}

/** A line of the summary: a finding with its points, or the list of questions that stayed open. */
export const VerdictReason = z.object({ points: z.int().nullable().describe('null: it does not affect the score.'), text: z.string() });
export type VerdictReason = z.infer<typeof VerdictReason>;

/** The reasons of the verdict and of the severity, as one list that is stored. */
export type StoredReason = VerdictReason & { readonly about?: 'severity' };
