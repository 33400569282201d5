import { ApplicationFailure, ChildWorkflowFailure, executeChild, proxyActivities } from '@temporalio/workflow';
import type { PollReport, SourceActivities, SourceWindow } from '../domain/alert/intake-source.js';
import { skillRunWorkflowId } from '../domain/connection/skill.js';
import { runSkill } from './run-skill.js';

const activities = proxyActivities<SourceActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
  summary: 'Read new alerts from the third party',
});
const { askForWindow, takeWindow, endPoll } = proxyActivities<SourceActivities>({
  startToCloseTimeout: '5m',
  retry: { maximumAttempts: 3 },
});

/** The schedule of a polled connection starts this workflow. */
export async function pollSource({ connectionId }: { connectionId: string }): Promise<PollReport> {
  const polled = await activities.pollSource(connectionId);
  return 'window' in polled ? readThroughAgent(connectionId, polled.window) : polled;
}

/** A remote agent reads each window as a skill run of its own. */
async function readThroughAgent(connectionId: string, first: SourceWindow): Promise<PollReport> {
  const counts = { taken: 0, noted: 0 };
  const windows = [first];
  let ended: string | null = null;
  try {
    for (let window = windows.shift(); window !== undefined; window = windows.shift()) {
      const runId = await askForWindow(connectionId, window);
      const outcome = await executeChild(runSkill, { workflowId: skillRunWorkflowId(runId), args: [{ runId }] });
      if ('notSent' in outcome) throw ApplicationFailure.nonRetryable(outcome.notSent);
      const { parts, ...report } = await takeWindow(connectionId, window, outcome.resultId);
      counts.taken += report.taken;
      counts.noted += report.noted;
      ended = report.ended ?? ended;
      windows.unshift(...parts);
    }
  } catch (error) {
    const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
    if (!(cause instanceof ApplicationFailure)) throw error;
    ended = cause.message;
  }
  await endPoll(connectionId, ended);
  return { ...counts, ended };
}
