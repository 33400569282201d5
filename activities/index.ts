import { catalogue } from '../connectors/catalogue.js';
import { implementations } from '../connectors/implementations.js';
import type { Topic } from '../db/changes.js';
import type { SourceActivities } from '../domain/alert/intake-source.js';
import { createFollowUpActivities, FOLLOW_UP_ACTIVITY_TOPICS } from './investigations/follow-ups.js';
import { createInvestigationActivities, INVESTIGATION_ACTIVITY_TOPICS, type InvestigationDeps } from './investigations/investigation.js';
import { COMPARISON_ACTIVITY_TOPICS, type ComparisonDeps, createComparisonActivities } from './investigations/playbook-comparison.js';
import {
  createReconciliationActivities,
  RECONCILIATION_ACTIVITY_TOPICS,
  type ReconciliationDeps,
} from './investigations/reconciliation.js';
import { createWaitingPlaceActivities, WAITING_PLACE_ACTIVITY_TOPICS } from './investigations/waiting-place.js';
import { createRetentionActivities, RETENTION_ACTIVITY_TOPICS, type RetentionDeps } from './lifecycle/retention.js';
import { createNotificationActivities, NOTIFICATION_ACTIVITY_TOPICS, type NotificationDeps } from './notifications/deliver.js';
import { createProposalActivities, PROPOSAL_ACTIVITY_TOPICS, type ProposalDeps } from './response/proposals.js';
import type { SkillSet } from './skills/perform-skill.js';
import { createSkillActivities } from './skills/skill-activity.js';
import { CONNECTION_ACTIVITY_TOPICS, type ConnectionDeps, createConnectionActivities } from './third-parties/connections.js';
import { createRecordActivities, RECORD_ACTIVITY_TOPICS } from './third-parties/records.js';
import { createSourceActivities } from './third-parties/sources.js';

export type ActivityDeps = InvestigationDeps &
  ReconciliationDeps &
  ConnectionDeps &
  ProposalDeps &
  RetentionDeps &
  NotificationDeps &
  ComparisonDeps;

/** All activities of a worker. Tests and benchmarks pass their own skills. */
export function createActivities(deps: ActivityDeps, skills: SkillSet = { catalogue, implementations }) {
  return {
    ...createInvestigationActivities(skills, deps),
    ...createFollowUpActivities(deps),
    ...createComparisonActivities(deps),
    ...createReconciliationActivities(deps),
    ...createWaitingPlaceActivities(deps),
    ...createRetentionActivities(deps),
    ...createNotificationActivities(deps),
    ...createConnectionActivities(skills, deps),
    ...createProposalActivities(skills, deps),
    ...createSkillActivities(skills, deps),
    ...createSourceActivities(skills, deps),
    ...createRecordActivities(skills, deps),
  };
}

const SOURCE_ACTIVITY_TOPICS = {
  pollSource: ['alerts', 'connections'],
  askForWindow: ['proposals'],
  takeWindow: ['alerts', 'connections'],
  endPoll: ['connections'],
} as const satisfies Record<keyof SourceActivities, readonly Topic[]>;

const ACTIVITY_TOPICS: ReadonlyMap<string, readonly Topic[]> = new Map(
  Object.entries({
    ...INVESTIGATION_ACTIVITY_TOPICS,
    ...FOLLOW_UP_ACTIVITY_TOPICS,
    ...COMPARISON_ACTIVITY_TOPICS,
    ...RECONCILIATION_ACTIVITY_TOPICS,
    ...WAITING_PLACE_ACTIVITY_TOPICS,
    ...RETENTION_ACTIVITY_TOPICS,
    ...NOTIFICATION_ACTIVITY_TOPICS,
    ...CONNECTION_ACTIVITY_TOPICS,
    ...PROPOSAL_ACTIVITY_TOPICS,
    ...SOURCE_ACTIVITY_TOPICS,
    ...RECORD_ACTIVITY_TOPICS,
  } satisfies Record<BookkeepingActivity, readonly Topic[]>),
);

/** Every activity that is not a skill. The activity that records a skill's answer announces the change. */
type BookkeepingActivity = keyof (ReturnType<typeof createInvestigationActivities> &
  ReturnType<typeof createFollowUpActivities> &
  ReturnType<typeof createComparisonActivities> &
  ReturnType<typeof createReconciliationActivities> &
  ReturnType<typeof createWaitingPlaceActivities> &
  ReturnType<typeof createRetentionActivities> &
  ReturnType<typeof createNotificationActivities> &
  ReturnType<typeof createConnectionActivities> &
  ReturnType<typeof createProposalActivities> &
  ReturnType<typeof createSourceActivities> &
  ReturnType<typeof createRecordActivities>);

/** Returns the topics whose pages show a change that the activity makes. */
export function listChangedTopics(activityName: string): readonly Topic[] {
  return ACTIVITY_TOPICS.get(activityName) ?? [];
}
