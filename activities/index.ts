import { catalogue } from './connectors/catalogue.js';
import type { Catalogue } from './connectors/define.js';
import { implementations } from './connectors/implementations.js';
import { createInvestigationActivities, type InvestigationDeps } from './investigation.js';
import { createReconciliationActivities, type ReconciliationDeps } from './reconcile.js';
import { createSkillActivities, type Implementations } from './skill.js';

export type ActivityDeps = InvestigationDeps & ReconciliationDeps;

/** A connector set of its own, for tests and benchmarks; everything else is the product's. */
export interface SkillSet<Connectors extends Catalogue = Catalogue> {
  readonly catalogue: Connectors;
  readonly implementations: Implementations<Connectors>;
}

/** All that a worker can do. */
export function createActivities(deps: ActivityDeps, skills: SkillSet = { catalogue, implementations }) {
  return {
    ...createInvestigationActivities(deps),
    ...createReconciliationActivities(deps),
    ...createSkillActivities(skills.catalogue, skills.implementations, deps.metrics),
  };
}
