import { z } from 'zod';

/** A change that relaxes the rules for writes. It waits for a second person where writes need one. */
export const RuleChangeKind = z.enum(['resume-writes', 'raise-limit', 'unprotect-asset', 'drop-second-person']);
export type RuleChangeKind = z.infer<typeof RuleChangeKind>;

/** A second person has to repeat the request within this time. */
export const RULE_CHANGE_EXPIRES_AFTER_HOURS = 24;

export const PendingRuleChange = z.object({
  change: RuleChangeKind,
  target: z.uuid().describe('The id of the organization, the protected asset or the connection.'),
  value: z.int().nullable().describe('The new hourly limit; null for other changes.'),
  asked_by: z.string(),
  asked_at: z.int(),
  expires_at: z
    .int()
    .describe('The change takes effect if another admin sends the same request before this time; keys of the same person do not count.'),
});
export type PendingRuleChange = z.infer<typeof PendingRuleChange>;
