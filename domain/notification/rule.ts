import { z } from 'zod';
import { Severity, Verdict } from '../case/evidence.js';
import { storable, text } from '../text.js';
import { RULE_EVENTS, RuleEvent } from './event.js';

export const RULES_AT_MOST = 200;

export const SaveRule = z.strictObject({
  name: text(100),
  channel_id: z.uuid(),
  events: z.array(RuleEvent).min(1).max(RULE_EVENTS.length),
  min_severity: Severity.nullable().default(null).describe('Only cases of at least this severity. null: every event.'),
  verdicts: z.array(Verdict).max(4).default([]).describe('Only cases with one of these verdicts. Empty: every event.'),
  assignee: storable(200).nullable().default(null).describe('Only cases of this person. null: every event.'),
  is_enabled: z.boolean().default(true),
});
export type SaveRule = z.infer<typeof SaveRule>;

export const CreateRule = SaveRule.extend({ organization_code: storable(32) });

export const Rule = z.object({
  ...SaveRule.shape,
  rule_id: z.uuid(),
  organization_code: z.string(),
  created_at: z.int(),
  modified_at: z.int(),
});
export type Rule = z.infer<typeof Rule>;

/** People who were asked to decide also see the decision: a message channel needs no event of its own for it. */
export function withDecisions(events: readonly RuleEvent[]): RuleEvent[] {
  return events.includes('proposal.waiting') ? [...new Set([...events, 'proposal.decided' as const])] : [...events];
}

const SEVERITIES: readonly string[] = Severity.options;

/** An event without a case, such as that of a connection, matches only a rule without conditions on cases. */
export function matchesRule(
  rule: Pick<Rule, 'events' | 'min_severity' | 'verdicts' | 'assignee'>,
  event: { readonly name: string; readonly data: Readonly<Record<string, unknown>> },
): boolean {
  const { severity, verdict, assignee } = event.data;
  if (!rule.events.some((name) => name === event.name)) return false;
  if (rule.min_severity !== null && SEVERITIES.indexOf(String(severity)) < SEVERITIES.indexOf(rule.min_severity)) return false;
  if (rule.verdicts.length > 0 && !rule.verdicts.some((wanted) => wanted === verdict)) return false;
  return rule.assignee === null || rule.assignee === assignee;
}
