import { randomUUID } from 'node:crypto';
import { isGrpcServiceError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { TestService } from '../../support/service.js';

interface Call {
  readonly activity: string;
  readonly args: readonly unknown[];
}

/** The type and message of an activity's failure; null: it succeeded. */
export type Refusal = { readonly type: string; readonly message: string } | null;

/** EVENT_TYPE and COMMAND_TYPE of Temporal's API. */
const SCHEDULE_ACTIVITY = 1;
const COMPLETE_WORKFLOW = 4;
/** A status code of gRPC. */
const NOT_FOUND = 5;
const POLL_MS = 60_000;

/** Runs a workflow that belongs to no code of the service, as everybody can who reaches the port of Temporal. */
export async function callAsForeigner(
  { temporal, settings }: Pick<TestService, 'temporal' | 'settings'>,
  calls: readonly Call[],
  workflowId: string = `foreign-${randomUUID()}`,
): Promise<Refusal[]> {
  const { namespace } = temporal.options;
  const { workflowService } = temporal;
  const taskQueue = { name: `foreign-${randomUUID()}` };
  const handle = await temporal.workflow.start('foreign', { workflowId, taskQueue: taskQueue.name });
  const takeTask = async () => {
    const poll = () => workflowService.pollWorkflowTaskQueue({ namespace, taskQueue, identity: 'foreign' });
    return (await temporal.connection.withDeadline(Date.now() + POLL_MS, poll)).taskToken;
  };
  const answer = async (commands: object[]) =>
    workflowService.respondWorkflowTaskCompleted({ namespace, taskToken: await takeTask(), identity: 'foreign', commands });
  await answer(
    calls.map(({ activity, args }, index) => ({
      commandType: SCHEDULE_ACTIVITY,
      scheduleActivityTaskCommandAttributes: {
        activityId: String(index),
        activityType: { name: activity },
        taskQueue: { name: settings.TEMPORAL_TASK_QUEUE },
        input: { payloads: args.map((arg) => defaultPayloadConverter.toPayload(arg)) },
        scheduleToCloseTimeout: { seconds: 30 },
        startToCloseTimeout: { seconds: 30 },
        heartbeatTimeout: { seconds: 30 },
        retryPolicy: { maximumAttempts: 1 },
      },
    })),
  );
  const ended = new Map<number, Refusal>();
  for (let isClosed = false; !isClosed; ) {
    // The next task follows an ended activity.
    const taskToken = await takeTask();
    const events = (await handle.fetchHistory()).events ?? [];
    const scheduled = new Map(
      events.flatMap(({ eventId, activityTaskScheduledEventAttributes: of }) => (of ? [[String(eventId), Number(of.activityId)]] : [])),
    );
    for (const {
      activityTaskFailedEventAttributes: failed,
      activityTaskCompletedEventAttributes: completed,
      activityTaskTimedOutEventAttributes: late,
    } of events) {
      const index = scheduled.get(String((failed ?? completed ?? late)?.scheduledEventId));
      if (index === undefined) continue;
      const { applicationFailureInfo, message } = failed?.failure ?? {};
      ended.set(index, completed ? null : { type: applicationFailureInfo?.type ?? 'none', message: message ?? '' });
    }
    const commands = ended.size < calls.length ? [] : [{ commandType: COMPLETE_WORKFLOW, completeWorkflowExecutionCommandAttributes: {} }];
    try {
      await workflowService.respondWorkflowTaskCompleted({ namespace, taskToken, identity: 'foreign', commands });
      isClosed = commands.length > 0;
    } catch (error) {
      // The server fails a task itself when more than 100 events arrive during it, and gives out another.
      if (!isGrpcServiceError(error) || error.code !== NOT_FOUND) throw error;
    }
  }
  return calls.map((_, index) => ended.get(index) ?? null);
}
