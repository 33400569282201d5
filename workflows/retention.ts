import { proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../domain/organization/retention.js';

const { applyRetention } = proxyActivities<RetentionActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
  summary: 'Delete data by the retention rules',
});

/** The schedule starts the next run soon. A history with few events stays readable. */
const MAX_BATCHES = 100;

/** A schedule starts this workflow. */
export async function retention() {
  for (let batches = 0; batches < MAX_BATCHES; batches += 1) {
    const { more } = await applyRetention();
    if (!more) return;
  }
}
