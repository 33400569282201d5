import { Severity, type Verdict } from '../verdict/evidence.js';
import type { RuleEvent } from './event.js';

/** People who were asked to decide also see the decision: a message channel needs no event of its own for it. */
export function withDecisions(events: readonly RuleEvent[]): RuleEvent[] {
  const decisions = [
    ...(events.includes('proposal.waiting') ? ['proposal.decided' as const] : []),
    ...(events.includes('run.waiting') ? ['run.decided' as const] : []),
  ];
  return [...new Set([...events, ...decisions])];
}

const SEVERITIES: readonly string[] = Severity.options;

/** Whether the case of an event has at least this severity. null: every event. */
export function isAtLeast(severity: Severity | null, { data }: { readonly data: Readonly<Record<string, unknown>> }): boolean {
  return severity === null || SEVERITIES.indexOf(String(data['severity'])) >= SEVERITIES.indexOf(severity);
}

interface RuleConditions {
  readonly events: readonly RuleEvent[];
  /** null and an empty list match every event. */
  readonly min_severity: Severity | null;
  readonly verdicts: readonly Verdict[];
  readonly assignee: string | null;
}

/** An event without a case, such as that of a connection, matches only a rule without conditions on cases. */
export function matchesRule(
  rule: RuleConditions,
  event: { readonly name: string; readonly data: Readonly<Record<string, unknown>> },
): boolean {
  const { verdict, assignee } = event.data;
  if (!rule.events.some((name) => name === event.name)) return false;
  if (!isAtLeast(rule.min_severity, event)) return false;
  if (rule.verdicts.length > 0 && !rule.verdicts.some((wanted) => wanted === verdict)) return false;
  return rule.assignee === null || rule.assignee === assignee;
}
