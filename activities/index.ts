import { type ConnectionDeps, createConnectionActivities } from './connections.js';
import { catalogue } from './connectors/catalogue.js';
import { implementations } from './connectors/implementations.js';
import { createInvestigationActivities, type InvestigationDeps } from './investigation.js';
import type { SkillSet } from './perform.js';
import { createReconciliationActivities, type ReconciliationDeps } from './reconcile.js';
import { createSkillActivities } from './skill.js';
import { createSourceActivities } from './sources.js';

export type ActivityDeps = InvestigationDeps & ReconciliationDeps & ConnectionDeps;

/** All that a worker can do; tests and benchmarks bring skills of their own. */
export function createActivities(deps: ActivityDeps, skills: SkillSet = { catalogue, implementations }) {
  return {
    ...createInvestigationActivities(deps),
    ...createReconciliationActivities(deps),
    ...createConnectionActivities(skills, deps),
    ...createSkillActivities(skills, deps),
    ...createSourceActivities(skills, deps),
  };
}
