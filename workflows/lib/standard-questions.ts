import { catalogue } from '../../activities/connectors/catalogue.js';
import { plannableSkills } from '../../activities/connectors/kit/define.js';
import { type Category, findCategories } from '../../domain/alert/category.js';
import { planFor } from '../../domain/playbook/planner.js';
import type { PlaybookContext } from '../playbook.js';
import { runPlan } from './run-plan.js';

const SKILLS = plannableSkills(catalogue);

/**
 * Asks every connected third party what it knows about the entities of the alert, gives the answers their points by the
 * common rules and proposes responses, like a generated plan. A written playbook adds what is special about its alerts. The category
 * selects the questions; without one, the alert type does.
 */
export async function askStandardQuestions(context: PlaybookContext<typeof catalogue>, category?: Category): Promise<void> {
  const { type } = context.alert;
  await runPlan(context, planFor(type, SKILLS, [...new Set([...(category ? [category] : []), ...findCategories(type)])]));
}
