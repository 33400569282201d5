import { proxyActivities } from '@temporalio/workflow';
import type { PollReport, SourceActivities } from '../domain/source.js';

const activities = proxyActivities<SourceActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
  summary: 'Read what the third party reports',
});

/** Started by the schedule of a connection that feeds the intake. */
export async function pollSource({ connectionId }: { connectionId: string }): Promise<PollReport> {
  return activities.pollSource(connectionId);
}
