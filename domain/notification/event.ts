import { z } from 'zod';
import { RULE_CHANGES, RuleChangeKind } from '../response/rule-change.js';
import { SkillKeyText } from '../skill-key.js';
import { ClockKind } from '../sla/clock.js';
import { Severity, Verdict } from '../verdict/evidence.js';

/** The case of an event, as it was when the change was committed. Events have no content of alerts. */
const CaseFacts = z.object({
  case_id: z.string(),
  severity: Severity.nullable().describe('null: under investigation.'),
  verdict: Verdict.nullable().describe("The analyst's verdict, or else the service's own. null: under investigation."),
  assignee: z.string().nullable(),
});
/** Events of earlier versions have no key. */
const NamedSkill = { skill_id: z.string(), skill_key: SkillKeyText.optional() };
const ProposalFacts = CaseFacts.extend({ alert_id: z.string(), proposal_id: z.uuid(), ...NamedSkill });
const ConnectionFacts = z.object({ connection_id: z.uuid(), connector: z.string(), instance_name: z.string() });
const RunFacts = ConnectionFacts.extend({ run_id: z.uuid(), ...NamedSkill, requested_by: z.string() });
const RuleFacts = z.object({
  change: RuleChangeKind,
  target_id: z.uuid().describe('The organization, the protected asset, the connection, the proposal or the remote agent.'),
  value: z.int().nullable().describe('The new hourly limit; null for other changes.'),
  requested_by: z.string(),
});
const ClockFacts = CaseFacts.extend({ clock: ClockKind, due_at: z.int() });

/** The data of each event by its name. Names and fields stay compatible. */
export const EVENT_DATA = {
  'alert.failed': CaseFacts.extend({ alert_id: z.string() }),
  'case.opened': CaseFacts.extend({ alert_id: z.string() }),
  'case.verdict_changed': CaseFacts.extend({ previous_verdict: Verdict.nullable(), previous_severity: Severity.nullable() }),
  'case.assigned': CaseFacts.extend({ previous_assignee: z.string().nullable(), assigned_by: z.string().nullable().default(null) }),
  'case.commented': CaseFacts.extend({ author: z.string().nullable(), mentions: z.array(z.string()).default([]) }),
  'proposal.waiting': ProposalFacts,
  'proposal.decided': ProposalFacts.extend({ decision: z.enum(['approved', 'refused', 'expired', 'withdrawn']) }),
  'action.failed': ProposalFacts,
  'run.waiting': RunFacts,
  'run.decided': RunFacts.extend({ decision: z.enum(['approved', 'refused']) }),
  'connection.broken': ConnectionFacts,
  'connection.restored': ConnectionFacts,
  'agent.away': z.object({ agent_id: z.uuid(), name: z.string(), last_seen_at: z.int() }),
  'secret.expiring': ConnectionFacts.extend({ expires_on: z.iso.date() }),
  'sla.due_soon': ClockFacts,
  'sla.breached': ClockFacts,
  'rule.change_requested': RuleFacts,
  'rule.relaxed': RuleFacts,
  'notification.test': z.object({ channel_id: z.uuid() }),
} as const satisfies Record<string, z.ZodType>;

export type EventName = keyof typeof EVENT_DATA;

/** The events that a rule can select. A test goes to the tested channel only. */
export const RULE_EVENTS = [
  'alert.failed',
  'case.opened',
  'case.verdict_changed',
  'case.assigned',
  'case.commented',
  'proposal.waiting',
  'proposal.decided',
  'action.failed',
  'run.waiting',
  'run.decided',
  'connection.broken',
  'connection.restored',
  'agent.away',
  'secret.expiring',
  'sla.due_soon',
  'sla.breached',
  'rule.change_requested',
  'rule.relaxed',
] as const satisfies readonly EventName[];
export const RuleEvent = z.enum(RULE_EVENTS);
export type RuleEvent = z.infer<typeof RuleEvent>;

/** An event with the data of its name. */
export type NotificationEvent = {
  [Name in EventName]: {
    /** Constant: a repeated delivery has the same id. */
    readonly id: string;
    readonly name: Name;
    readonly organization: string;
    /** Rises with each event of the same case, run, connection or agent. */
    readonly sequence: number;
    readonly at: number;
    readonly data: z.infer<(typeof EVENT_DATA)[Name]>;
  };
}[EventName];

/** Throws if the data does not match the schema of the event's name. */
export function parseEvent(stored: Omit<NotificationEvent, 'name' | 'data'> & { name: string; data: unknown }): NotificationEvent {
  const schema = Object.entries(EVENT_DATA).find(([name]) => name === stored.name)?.[1];
  if (!schema) throw new Error(`This version of the service does not know the event ${stored.name}.`);
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the schema of the name has checked the data.
  return { ...stored, data: schema.parse(stored.data) } as NotificationEvent;
}

/** Events with the same key are states of one thing: a later one updates the message of an earlier one. null: on its own. */
export function findCorrelationKey({ name, data }: NotificationEvent): string | null {
  switch (name) {
    case 'case.opened':
    case 'case.verdict_changed':
    case 'case.assigned':
      return `case ${data.case_id}`;
    case 'proposal.waiting':
    case 'proposal.decided':
    case 'action.failed':
      return toCorrelationKey('proposal', data.proposal_id);
    case 'run.waiting':
    case 'run.decided':
      return toCorrelationKey('run', data.run_id);
    case 'connection.broken':
    case 'connection.restored':
      return `connection ${data.connection_id}`;
    case 'sla.due_soon':
    case 'sla.breached':
      return `${data.clock} ${data.case_id}`;
    default:
      return null;
  }
}

/** People decide about the writes that an investigation proposes, and about the runs that another person requests. */
export type DecisionKind = 'proposal' | 'run';

export function toCorrelationKey(kind: DecisionKind, id: string): string {
  return `${kind} ${id}`;
}

/** A headline without content of alerts, and the page of the dashboard that shows more. */
export function describeEvent(event: NotificationEvent): { readonly title: string; readonly path: string } {
  const { name, data } = event;
  switch (name) {
    case 'alert.failed':
      return { title: `The investigation of alert ${data.alert_id} failed`, path: casePath(data.case_id) };
    case 'case.opened':
      return { title: `Case ${data.case_id} opened`, path: casePath(data.case_id) };
    case 'case.verdict_changed':
      return { title: `Case ${data.case_id}: ${[data.verdict, data.severity].join(', ')}`, path: casePath(data.case_id) };
    case 'case.assigned':
      return {
        title: data.assignee === null ? `Case ${data.case_id} has no assignee` : `Case ${data.case_id} is assigned to ${data.assignee}`,
        path: casePath(data.case_id),
      };
    case 'case.commented':
      return { title: `New comment on case ${data.case_id}`, path: casePath(data.case_id) };
    case 'proposal.waiting':
      return { title: `Case ${data.case_id}: ${data.skill_id} needs approval`, path: proposalPath(data) };
    case 'proposal.decided':
      return { title: `Case ${data.case_id}: ${data.skill_id} is ${data.decision}`, path: proposalPath(data) };
    case 'action.failed':
      return { title: `Case ${data.case_id}: ${data.skill_id} failed`, path: proposalPath(data) };
    case 'run.waiting':
      return { title: `${data.skill_id} on ${data.instance_name} needs approval`, path: runPath(data) };
    case 'run.decided':
      return { title: `${data.skill_id} on ${data.instance_name} is ${data.decision}`, path: runPath(data) };
    case 'connection.broken':
      return { title: `The connection ${data.instance_name} is broken`, path: connectorPath(data.connector) };
    case 'connection.restored':
      return { title: `The connection ${data.instance_name} works again`, path: connectorPath(data.connector) };
    case 'agent.away':
      return { title: `The remote agent ${data.name} does not respond`, path: '/settings?tab=remote-agents' };
    case 'secret.expiring':
      return { title: `${data.instance_name} credentials expire soon`, path: connectorPath(data.connector) };
    case 'sla.due_soon':
      return { title: `Case ${data.case_id} is due soon: ${data.clock} it`, path: casePath(data.case_id) };
    case 'sla.breached':
      return { title: `Case ${data.case_id} is overdue: ${data.clock} it`, path: casePath(data.case_id) };
    case 'rule.change_requested':
      return { title: `A second admin has to confirm: ${describeRuleChange(data)}`, path: '/settings?tab=response' };
    case 'rule.relaxed':
      return { title: `Rules for writes relaxed: ${describeRuleChange(data)}`, path: '/settings?tab=response' };
    case 'notification.test':
      return { title: 'Notification channel test', path: '/settings?tab=notifications' };
  }
}

function describeRuleChange({ change, value, requested_by: by }: z.infer<typeof RuleFacts>): string {
  return `${by} asked to ${RULE_CHANGES[change]}${value === null ? '' : ` to ${value}`}`;
}

function casePath(caseId: string): string {
  return `/cases/${encodeURIComponent(caseId)}`;
}

/** The case page shows the proposal. The address has no token: the page requires a sign-in. */
function proposalPath({ case_id: caseId, proposal_id: proposalId }: { case_id: string; proposal_id: string }): string {
  return `${casePath(caseId)}?proposal=${proposalId}`;
}

/** The page of the connector shows the run. */
function runPath({ connector, run_id: runId }: { connector: string; run_id: string }): string {
  return `${connectorPath(connector)}?tab=skills&run=${runId}`;
}

function connectorPath(connector: string): string {
  return `/integrations/${encodeURIComponent(connector)}`;
}
