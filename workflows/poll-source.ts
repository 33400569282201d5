import { ApplicationFailure, ChildWorkflowFailure, executeChild, proxyActivities } from '@temporalio/workflow';
import { skillRunWorkflowId } from '../domain/connection/skill.js';
import type { PollReport, SourceActivities, SourceWindow } from '../domain/connection/source.js';
import { runSkill } from './run-skill.js';

const activities = proxyActivities<SourceActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
  summary: 'Read what the third party reports',
});
const { askForWindow, takeWindow, endPoll } = proxyActivities<SourceActivities>({
  startToCloseTimeout: '5m',
  retry: { maximumAttempts: 3 },
});

/** Started by the schedule of a connection that feeds the intake. */
export async function pollSource({ connectionId }: { connectionId: string }): Promise<PollReport> {
  const polled = await activities.pollSource(connectionId);
  return 'window' in polled ? readThroughAgent(connectionId, polled.window) : polled;
}

/** The same in steps that a remote agent performs, whenever it is there. */
async function readThroughAgent(connectionId: string, first: SourceWindow): Promise<PollReport> {
  const count = { taken: 0, noted: 0 };
  const windows = [first];
  let ended: string | null = null;
  try {
    for (let window = windows.shift(); window !== undefined; window = windows.shift()) {
      const runId = await askForWindow(connectionId, window);
      const { resultId } = await executeChild(runSkill, { workflowId: skillRunWorkflowId(runId), args: [{ runId }] });
      const { parts, ...report } = await takeWindow(connectionId, window, resultId);
      count.taken += report.taken;
      count.noted += report.noted;
      ended = report.ended ?? ended;
      windows.unshift(...parts);
    }
  } catch (error) {
    if (!(error instanceof ChildWorkflowFailure) || !(error.cause instanceof ApplicationFailure)) throw error;
    ended = error.cause.message;
  }
  await endPoll(connectionId, ended);
  return { ...count, ended };
}
