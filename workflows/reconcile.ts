import { proxyActivities } from '@temporalio/workflow';
import type { ReconciliationActivities } from '../domain/investigation/reconciliation.js';

const { reconcileAlerts } = proxyActivities<ReconciliationActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
  summary: 'Find alerts whose investigation is gone',
});

/** Started by a schedule: mends what a lost run left behind. */
export async function reconcile() {
  return reconcileAlerts();
}
