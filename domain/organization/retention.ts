import { z } from 'zod';
import { Severity } from '../case/evidence.js';
import { text } from '../text.js';

/**
 * `alerts`: closed cases with their alerts, investigations, evidence, comments, proposals and answers. `answers`: answers of third
 * parties. `records`: copied records of third parties. `histories`: ended runs in Temporal.
 */
export const RetentionKind = z.enum(['alerts', 'answers', 'records', 'stream-events', 'histories', 'audit']);
export type RetentionKind = z.infer<typeof RetentionKind>;

const MAX_DAYS = 36_500;
/** An audit log of a few days would prove nothing. The database refuses less too. */
const MIN_AUDIT_DAYS = 90;

export const RetentionRule = z.object({
  kind: RetentionKind,
  severity: Severity.nullable().describe('Only for the kind alerts. null: every severity without a rule of its own.'),
  days: z.int(),
});
export type RetentionRule = z.infer<typeof RetentionRule>;

const SaveRetentionRule = z
  .strictObject({ ...RetentionRule.shape, severity: RetentionRule.shape.severity.default(null), days: z.int().min(1).max(MAX_DAYS) })
  .refine(({ kind, severity }) => severity === null || kind === 'alerts', {
    path: ['severity'],
    message: 'only the kind alerts has a severity; send null',
  })
  .refine(({ kind, days }) => kind !== 'audit' || days >= MIN_AUDIT_DAYS, {
    path: ['days'],
    message: `the audit log is kept for at least ${MIN_AUDIT_DAYS} days`,
  });

const SaveRetentionRules = z
  .array(SaveRetentionRule)
  .max(20)
  .refine(
    (rules) => new Set(rules.map(({ kind, severity }) => `${kind} ${severity}`)).size === rules.length,
    'has two rules for the same kind and severity; keep one of them',
  );

export const LegalHold = z.object({
  placed_by: z.string(),
  placed_at: z.int(),
  reason: z.string(),
});
export type LegalHold = z.infer<typeof LegalHold>;

export const PlaceLegalHold = z.strictObject({ reason: text(1000) });

export const Retention = z.object({
  organization_code: z.string(),
  rules: z.array(RetentionRule).describe('Data of a kind without a rule is kept. Copied records are then kept for 35 days.'),
  legal_hold: LegalHold.nullable().describe('While the organization has one, no data of it is deleted.'),
});
export type Retention = z.infer<typeof Retention>;

export const SaveRetention = z.strictObject({ rules: SaveRetentionRules });

export const RetentionDryRun = z.strictObject({
  rules: SaveRetentionRules.optional().describe('The rules to try. Default: the stored rules.'),
});

export const RetentionCount = z.object({
  kind: RetentionKind,
  severity: Severity.nullable(),
  days: z.int(),
  would_delete: z.int().nullable().describe('Cases for the kind alerts, otherwise rows or runs. null: Temporal does not answer.'),
  held: z.int().describe('Old enough, but kept by a legal hold. 0 for the kind histories, whose holds apply at the deletion.'),
  oldest_kept_at: z.int().nullable().describe('The time of the oldest item that stays, in epoch seconds. null: none stays, or unknown.'),
});
export type RetentionCount = z.infer<typeof RetentionCount>;

/** The ended runs of an organization in Temporal. Only investigations name it there; the database knows that of the others. */
export function historiesQuery(organizationCode: string, endedBefore: number): string[] {
  const isOld = `ExecutionStatus != 'Running' and CloseTime < '${new Date(endedBefore * 1000).toISOString()}'`;
  return [`${isOld} and Organization = '${organizationCode}'`, `${isOld} and WorkflowType in ('proposal', 'followUp', 'runSkill')`];
}

/** One batch of deletions. `more`: another batch may find more. */
export interface RetentionReport {
  readonly deleted: Readonly<Record<RetentionKind, number>>;
  readonly more: boolean;
}

export interface RetentionActivities {
  applyRetention(): Promise<RetentionReport>;
}
