import { z } from 'zod';
import { Severity } from '../verdict/evidence.js';

/**
 * `alerts`: closed cases with their alerts, investigations, evidence, comments, proposals and answers. `answers`: answers of third
 * parties. `records`: copied records of third parties. `histories`: ended runs in Temporal.
 */
export const RetentionKind = z.enum(['alerts', 'answers', 'records', 'stream-events', 'histories', 'audit']);
export type RetentionKind = z.infer<typeof RetentionKind>;

export const RetentionRule = z.object({
  kind: RetentionKind,
  severity: Severity.nullable().describe('Only for the kind alerts. null: every severity without a rule of its own.'),
  days: z.int(),
});
export type RetentionRule = z.infer<typeof RetentionRule>;

export const LegalHold = z.object({
  placed_by: z.string(),
  placed_at: z.int(),
  reason: z.string(),
});
export type LegalHold = z.infer<typeof LegalHold>;

/** The ended runs of an organization in Temporal. Only investigations name it there; the database knows that of the others. */
export function historiesQuery(organizationCode: string, endedBefore: number): string[] {
  const isOld = `ExecutionStatus != 'Running' and CloseTime < '${new Date(endedBefore * 1000).toISOString()}'`;
  return [`${isOld} and Organization = '${organizationCode}'`, `${isOld} and WorkflowType in ('proposal', 'followUp', 'runSkill')`];
}

/** One batch of deletions. `more`: another batch may find more. */
export interface RetentionReport {
  /** Rows without an organization have no rule of their own for `invitations`. */
  readonly deleted: Record<RetentionKind | 'invitations', number>;
  readonly more: boolean;
}

export interface RetentionActivities {
  applyRetention(): Promise<RetentionReport>;
}
