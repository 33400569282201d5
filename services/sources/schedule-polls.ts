import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { catalogue } from '../../connectors/catalogue.js';
import type { PgClient } from '../../db/client.js';
import { listFeeds } from '../../db/sources/sources.js';
import { listPolledSources } from './polled-sources.js';

const POLL_EVERY = '1m';
const SCHEDULE_PREFIX = 'source-';

/** Creates the missing schedules of connections that feed the intake, and deletes the schedules of all others. */
export async function schedulePolls({ pg, client }: { pg: PgClient; client: Client }, taskQueue: string): Promise<void> {
  const unscheduled = new Set(
    await listFeeds(
      pg,
      listPolledSources(catalogue).map(({ kind }) => kind),
    ),
  );
  for await (const { scheduleId, memo } of client.schedule.list()) {
    // Other installations may share the namespace.
    if (!scheduleId.startsWith(SCHEDULE_PREFIX) || memo?.['taskQueue'] !== taskQueue) continue;
    if (!unscheduled.delete(scheduleId.slice(SCHEDULE_PREFIX.length))) await removeSchedule(client, scheduleId);
  }
  for (const connectionId of unscheduled) await addSchedule(client, taskQueue, connectionId);
}

async function addSchedule(client: Client, taskQueue: string, connectionId: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: `${SCHEDULE_PREFIX}${connectionId}`,
      spec: { intervals: [{ every: POLL_EVERY }] },
      action: {
        type: 'startWorkflow',
        workflowType: 'pollSource',
        workflowId: `poll-source-${connectionId}`,
        args: [{ connectionId }],
        taskQueue,
        // Longer than the default time that a step waits for a remote agent.
        workflowExecutionTimeout: '25h',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
      state: { triggerImmediately: true },
      memo: { taskQueue },
    });
  } catch (error) {
    // The list of schedules is eventually consistent.
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

async function removeSchedule(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
