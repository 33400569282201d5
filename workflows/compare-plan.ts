import { proxyActivities } from '@temporalio/workflow';
import type { ComparisonActivities } from '../domain/playbook/comparison.js';

const { comparePlan: compare } = proxyActivities<ComparisonActivities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '30s',
  retry: { maximumAttempts: 2 },
  summary: 'Run the plan over past alerts',
});

/** Shows the effect of a plan that is not stored yet. */
export async function comparePlan(...asked: Parameters<ComparisonActivities['comparePlan']>) {
  return compare(...asked);
}
