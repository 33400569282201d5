import { z } from 'zod';

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
  reused: z.boolean().optional().describe('An earlier investigation asked it; this one used the answer again.'),
});
export type EvidenceSource = z.infer<typeof EvidenceSource>;

/** The call that an answer came from. */
export const AskedQuestion = z.object({
  input: z.unknown().describe('What was asked; a long question is cut and written as text.'),
  at: z.int(),
  duration_ms: z.int().nullable(),
  request_digest: z.string().describe('SHA-256 of the question, base64.'),
  reply_digest: z.string().nullable().describe('SHA-256 of the whole answer, base64.'),
});
export type AskedQuestion = z.infer<typeof AskedQuestion>;

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
  source: EvidenceSource.extend({ asked: AskedQuestion.optional() }).nullable(),
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
