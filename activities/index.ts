import { type ConnectionDeps, createConnectionActivities } from './connections.js';
import { catalogue } from './connectors/catalogue.js';
import { implementations } from './connectors/implementations.js';
import { createFollowUpActivities, type FollowUpDeps } from './follow-ups.js';
import { createInvestigationActivities, type InvestigationDeps } from './investigation.js';
import { createProposalActivities, type ProposalDeps } from './proposals.js';
import { createReconciliationActivities, type ReconciliationDeps } from './reconciliation.js';
import type { SkillSet } from './skills/perform-skill.js';
import { createSkillActivities } from './skills/skill-activity.js';
import { createSourceActivities } from './sources.js';

export type ActivityDeps = InvestigationDeps & ReconciliationDeps & ConnectionDeps & ProposalDeps & FollowUpDeps;

/** All that a worker can do; tests and benchmarks bring skills of their own. */
export function createActivities(deps: ActivityDeps, skills: SkillSet = { catalogue, implementations }) {
  return {
    ...createInvestigationActivities(deps),
    ...createFollowUpActivities(deps),
    ...createReconciliationActivities(deps),
    ...createConnectionActivities(skills, deps),
    ...createProposalActivities(skills, deps),
    ...createSkillActivities(skills, deps),
    ...createSourceActivities(skills, deps),
  };
}
