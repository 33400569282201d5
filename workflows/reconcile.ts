import { proxyActivities } from '@temporalio/workflow';
import type { ReconciliationActivities } from '../domain/investigation/reconciliation.js';

const { reconcileAlerts } = proxyActivities<ReconciliationActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
  summary: 'Recover orphaned investigations',
});

/** A schedule starts this workflow. */
export async function reconcile() {
  return reconcileAlerts();
}
