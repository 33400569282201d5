import { createHash } from 'node:crypto';
import { catalogue } from '../../connectors/catalogue.js';
import { plannableSkills } from '../../connectors/kit/define.js';
import { CATEGORY_WORDS } from '../../domain/alert/category.js';
import { PLANNER_REVISION, type Planner, planFor } from '../../domain/playbook/planner.js';

const SKILLS = plannableSkills(catalogue);

/** All inputs of a plan besides the alert type. */
const KNOWLEDGE = [PLANNER_REVISION, SKILLS, Object.entries(CATEGORY_WORDS).map(([category, words]) => [category, words.source])];

/** Plans with every question and remedy that the connectors declare. */
export const planner: Planner = {
  digest: createHash('sha256').update(JSON.stringify(KNOWLEDGE)).digest('hex').slice(0, 16),
  planFor: (alertType, categories) => planFor(alertType, SKILLS, categories),
};
