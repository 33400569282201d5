import { CancellationScope, isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type { ReconcileInput, ReconciliationActivities, ReconciliationReport } from '../domain/investigation/reconciliation.js';

const { reconcileAlerts } = proxyActivities<ReconciliationActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
  summary: 'Recover orphaned investigations',
});

/**
 * The schedule starts this workflow whenever none is open. A run that fails, that a person ends, or whose build is replaced is
 * followed by the next one at the next tick. Without input it makes one pass.
 */
export async function reconcile(input: ReconcileInput = { everySeconds: 0, passes: 1 }): Promise<ReconciliationReport> {
  for (let pass = 1; ; pass += 1) {
    // A cancelled run ends between two passes.
    const report = await CancellationScope.nonCancellable(() => reconcileAlerts());
    if (pass >= input.passes) return report;
    try {
      await sleep(input.everySeconds * 1000, { summary: `Next pass (${pass + 1} of ${input.passes})` });
    } catch (error) {
      if (isCancellation(error)) return report;
      throw error;
    }
  }
}
