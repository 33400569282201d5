import { z } from 'zod';
import { LegalHold, RetentionKind, RetentionRule } from '../../domain/organization/retention.js';
import { Severity } from '../../domain/verdict/evidence.js';

const MAX_DAYS = 36_500;
/** An audit log of a few days would prove nothing. The database refuses less too. */
const MIN_AUDIT_DAYS = 90;

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
export type RetentionDryRun = z.infer<typeof RetentionDryRun>;

export const RetentionCount = z.object({
  kind: RetentionKind,
  severity: Severity.nullable(),
  days: z.int(),
  would_delete: z.int().nullable().describe('Cases for the kind alerts, otherwise rows or runs. null: Temporal does not answer.'),
  held: z.int().describe('Old enough, but kept by a legal hold. 0 for the kind histories, whose holds apply at the deletion.'),
  oldest_kept_at: z.int().nullable().describe('The time of the oldest item that stays, in epoch seconds. null: none stays, or unknown.'),
});
export type RetentionCount = z.infer<typeof RetentionCount>;
