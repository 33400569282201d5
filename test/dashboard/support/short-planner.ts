import type { Planner } from '../../../domain/playbook/planner.js';
import { planner } from '../../../services/playbooks/planner.js';

/** The plan of the service has eighty steps. One with some steps of each kind has the same pages, and takes a fraction of the time. */
export const shortPlanner: Planner = {
  digest: 'short',
  planFor: (alertType, categories) => ({
    steps: planner
      .planFor(alertType, categories)
      .steps.filter((step) => !('skill' in step) || /list-machines-host$|enrichment-ip$|indicator-ip-address$/.test(step.id)),
  }),
};
