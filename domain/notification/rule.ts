import { z } from 'zod';
import { Severity, Verdict } from '../case/evidence.js';
import { storable, text } from '../text.js';
import type { ChannelKind } from './channel.js';
import { RULE_EVENTS, RuleEvent } from './event.js';
import { Digest, QuietHours, SaveDigest, SaveQuietHours } from './schedule.js';

export const RULES_AT_MOST = 200;

export const SaveRule = z.strictObject({
  name: text(100),
  channel_id: z.uuid(),
  events: z.array(RuleEvent).min(1).max(RULE_EVENTS.length),
  min_severity: Severity.nullable().default(null).describe('Only cases of at least this severity. null: every event.'),
  verdicts: z.array(Verdict).max(4).default([]).describe('Only cases with one of these verdicts. Empty: every event.'),
  assignee: storable(200).nullable().default(null).describe('Only cases of this person. null: every event.'),
  is_enabled: z.boolean().default(true),
  quiet_hours: SaveQuietHours.nullable().default(null).describe('Events wait until their end. null: none.'),
  digest: SaveDigest.nullable()
    .default(null)
    .describe('Collects events in one message. E-mail, Slack and Teams only. null: each event at once.'),
  critical_at_once: z.boolean().default(false).describe('Events of critical cases wait neither for quiet hours nor for a digest.'),
});
export type SaveRule = z.infer<typeof SaveRule>;

export const CreateRule = SaveRule.extend({ organization_code: storable(32) });

export const Rule = z.object({
  ...SaveRule.shape,
  quiet_hours: QuietHours.nullable(),
  digest: Digest.nullable(),
  rule_id: z.uuid(),
  organization_code: z.string(),
  created_at: z.int(),
  modified_at: z.int(),
});
export type Rule = z.infer<typeof Rule>;

/** People who were asked to decide also see the decision: a message channel needs no event of its own for it. */
export function withDecisions(events: readonly RuleEvent[]): RuleEvent[] {
  const decisions = [
    ...(events.includes('proposal.waiting') ? ['proposal.decided' as const] : []),
    ...(events.includes('run.waiting') ? ['run.decided' as const] : []),
  ];
  return [...new Set([...events, ...decisions])];
}

/** Channels for people. Programs get each event on its own. */
export const DIGEST_KINDS: readonly ChannelKind[] = ['email', 'slack', 'teams'];

const SEVERITIES: readonly string[] = Severity.options;

/** Whether the case of an event has at least this severity. null: every event. */
export function isAtLeast(severity: Severity | null, { data }: { readonly data: Readonly<Record<string, unknown>> }): boolean {
  return severity === null || SEVERITIES.indexOf(String(data['severity'])) >= SEVERITIES.indexOf(severity);
}

/** An event without a case, such as that of a connection, matches only a rule without conditions on cases. */
export function matchesRule(
  rule: Pick<Rule, 'events' | 'min_severity' | 'verdicts' | 'assignee'>,
  event: { readonly name: string; readonly data: Readonly<Record<string, unknown>> },
): boolean {
  const { verdict, assignee } = event.data;
  if (!rule.events.some((name) => name === event.name)) return false;
  if (!isAtLeast(rule.min_severity, event)) return false;
  if (rule.verdicts.length > 0 && !rule.verdicts.some((wanted) => wanted === verdict)) return false;
  return rule.assignee === null || rule.assignee === assignee;
}
