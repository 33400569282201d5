import type { catalogue } from '../../connectors/catalogue.js';
import { findStandardPlan } from '../../connectors/standard-plans.js';
import { type Category, findCategories } from '../../domain/alert/category.js';
import { prunePlan } from '../../domain/playbook/prune-plan.js';
import type { PlaybookContext } from '../playbook.js';
import { runPlan } from './run-plan.js';

/**
 * Asks every connected third party what it knows about the entities of the alert, gives the answers their points by the
 * common rules and proposes responses, like a generated plan. A written playbook adds what is special about its alerts. The category
 * selects the questions; without one, the alert type does.
 */
export async function askStandardQuestions(context: PlaybookContext<typeof catalogue>, category?: Category): Promise<void> {
  const categories = [...new Set([...(category ? [category] : []), ...findCategories(context.alert.type)])];
  const kinds = new Set(context.entities.map(({ kind }) => kind));
  const isConnected = (skill: string) => context.isConnected(skill.split('.')[0] ?? '');
  await runPlan(context, prunePlan(findStandardPlan(categories), kinds, isConnected));
}
