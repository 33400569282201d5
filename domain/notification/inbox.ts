import { z } from 'zod';
import type { Role } from '../identity/identity.js';
import { Severity } from '../verdict/evidence.js';
import type { RuleEvent } from './event.js';
import { isAtLeast } from './rule.js';

/** People choose by groups of events what reaches their inbox. */
export const EventGroup = z.enum(['assignments', 'comments', 'cases', 'approvals', 'actions', 'connections']);
export type EventGroup = z.infer<typeof EventGroup>;

/** Every admin sees these, whatever the preferences are: another admin relaxes a rule that protects the organization. */
const ADMIN_EVENTS = ['rule.change_requested', 'rule.relaxed'] as const satisfies readonly RuleEvent[];

const EVENT_GROUPS: Readonly<Record<Exclude<RuleEvent, (typeof ADMIN_EVENTS)[number]>, EventGroup>> = {
  'alert.failed': 'cases',
  'case.opened': 'cases',
  'case.verdict_changed': 'cases',
  'case.assigned': 'assignments',
  'case.commented': 'comments',
  'proposal.waiting': 'approvals',
  'proposal.decided': 'actions',
  'action.failed': 'actions',
  'run.waiting': 'approvals',
  'run.decided': 'actions',
  'connection.broken': 'connections',
  'connection.restored': 'connections',
  'agent.away': 'connections',
  'secret.expiring': 'connections',
  'sla.due_soon': 'assignments',
  'sla.breached': 'assignments',
};

/** A common event reaches at most so many inboxes of an organization: those of the people who signed in last. */
export const MAX_INBOXES = 100;

const preferenceFields = {
  wanted: z
    .enum(['none', 'mine', 'all'])
    .describe('`mine`: cases assigned to you, comments that mention you, and, for admins, connections and agents.'),
  min_severity: Severity.nullable().default(null).describe('Only cases of at least this severity. null: every event.'),
};
const GroupPreference = z.object(preferenceFields);
export type GroupPreference = z.infer<typeof GroupPreference>;

const isShown = z.boolean().describe('Whether an open dashboard shows new entries as notifications of the browser.');

export const InboxPreferences = z.object({
  groups: z.object({
    assignments: GroupPreference,
    comments: GroupPreference,
    cases: GroupPreference,
    approvals: GroupPreference,
    actions: GroupPreference,
    connections: GroupPreference,
  } satisfies Record<EventGroup, z.ZodType>),
  browser_notifications: isShown,
});
export type InboxPreferences = z.infer<typeof InboxPreferences>;

function byDefault(wanted: GroupPreference['wanted']) {
  return z.strictObject(preferenceFields).default({ wanted, min_severity: null });
}

/** The defaults are modest: people stop reading an inbox that is always full. */
export const SaveInboxPreferences = z.strictObject({
  groups: z
    .strictObject({
      assignments: byDefault('mine'),
      comments: byDefault('mine'),
      cases: byDefault('none'),
      approvals: byDefault('all'),
      actions: byDefault('none'),
      connections: byDefault('mine'),
    } satisfies Record<EventGroup, z.ZodType>)
    .describe('A missing group has its default.'),
  browser_notifications: isShown.default(false),
});

/** null: the user has saved nothing. Preferences that this version does not understand count as none, so that events still arrive. */
export function completePreferences(saved: unknown): InboxPreferences {
  const parsed = SaveInboxPreferences.safeParse(saved);
  return parsed.success ? parsed.data : SaveInboxPreferences.parse({ groups: {} });
}

/** A user of the organization. */
export interface InboxOwner {
  readonly name: string;
  readonly role: Role;
  readonly preferences: InboxPreferences;
}

interface StoredEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The people whom an event names: their inboxes come before the limit. */
export function listNamed({ data: { assignee, requested_by: requestedBy, mentions } }: StoredEvent): string[] {
  return [assignee, requestedBy, ...(Array.isArray(mentions) ? mentions : [])].flatMap((name) => (typeof name === 'string' ? [name] : []));
}

/** Whether the preferences of a user ask for the event. People hear nothing of their own comments, assignments and requests. */
export function isForInbox({ name, role, preferences }: InboxOwner, event: StoredEvent): boolean {
  if (ADMIN_EVENTS.some((each) => each === event.name)) return role === 'admin' && event.data['requested_by'] !== name;
  const group = findGroup(event.name);
  if (group === null) return false;
  const { wanted, min_severity: severity } = preferences.groups[group];
  const { author, assigned_by: assignedBy, requested_by: requestedBy } = event.data;
  const isOwn = [author, assignedBy, event.name === 'run.waiting' ? requestedBy : null].includes(name);
  if (wanted === 'none' || isOwn || !isAtLeast(severity, event)) return false;
  if (wanted === 'all') return true;
  return group === 'connections' ? role === 'admin' : listNamed(event).includes(name);
}

function findGroup(name: string): EventGroup | null {
  return Object.entries(EVENT_GROUPS).find(([event]) => event === name)?.[1] ?? null;
}
