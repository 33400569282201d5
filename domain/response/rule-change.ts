import { z } from 'zod';

/** A change that relaxes a rule, or ends a write early. It waits for a second person where the rule needs one. */
export const RuleChangeKind = z.enum([
  'resume-writes',
  'raise-limit',
  'unprotect-asset',
  'drop-second-person',
  'release-action',
  'confirm-agent',
]);
export type RuleChangeKind = z.infer<typeof RuleChangeKind>;

/** Each change, after the words "asked to". */
export const RULE_CHANGES: Readonly<Record<RuleChangeKind, string>> = {
  'resume-writes': 'resume changes',
  'raise-limit': 'raise the hourly limit',
  'unprotect-asset': "remove an asset's protection",
  'drop-second-person': "remove a connection's second-approval rule",
  'release-action': 'end an action early',
  'confirm-agent': 'let a remote agent receive credentials',
};

/** A second person has to repeat the request within this time. */
export const RULE_CHANGE_EXPIRES_AFTER_HOURS = 24;

export const PendingRuleChange = z.object({
  change: RuleChangeKind,
  target: z.uuid().describe('The id of the organization, the protected asset, the connection, the proposal or the remote agent.'),
  value: z.int().nullable().describe('The new hourly limit; null for other changes.'),
  asked_by: z.string(),
  asked_at: z.int(),
  expires_at: z
    .int()
    .describe('The change takes effect if another admin sends the same request before this time; keys of the same person do not count.'),
  not_counted: z.string().nullable().describe('Why the request does not count as one of two people. null: it counts.'),
});
export type PendingRuleChange = z.infer<typeof PendingRuleChange>;
