import { CATEGORIES, type Category } from '../domain/alert/category.js';
import { planFor } from '../domain/playbook/planner.js';
import type { Plan } from '../domain/playbook/playbook.js';
import { catalogue } from './catalogue.js';
import { plannableSkills } from './kit/define.js';

const SKILLS = plannableSkills(catalogue);

/** Made once for each worker, because planning takes a noticeable part of a short investigation. */
const PLANS: ReadonlyMap<Category, Plan> = new Map(CATEGORIES.map((category) => [category, createPlan([category])]));

/** The plan of the questions that every connector can answer for these categories. */
export function findStandardPlan(categories: readonly Category[]): Plan {
  const [category] = categories;
  const isSingle = categories.length === 1 && category !== undefined;
  return (isSingle && PLANS.get(category)) || createPlan(categories);
}

function createPlan(categories: readonly Category[]): Plan {
  return planFor('', SKILLS, categories);
}
