import { catalogue } from './connectors/catalogue.js';
import { implementations } from './connectors/implementations.js';
import { createInvestigationActivities, type InvestigationDeps } from './investigation.js';
import { createReconciliationActivities, type ReconciliationDeps } from './reconcile.js';
import { createSkillActivities, type SkillSet } from './skill.js';

export type ActivityDeps = InvestigationDeps & ReconciliationDeps;

/** All that a worker can do; tests and benchmarks bring skills of their own. */
export function createActivities(deps: ActivityDeps, skills: SkillSet = { catalogue, implementations }) {
  return {
    ...createInvestigationActivities(deps),
    ...createReconciliationActivities(deps),
    ...createSkillActivities(skills, deps.metrics),
  };
}
