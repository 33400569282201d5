import type { HistoryAndWorkflowId } from '@temporalio/client';
import { type ReplayResult, Worker } from '@temporalio/worker';
import { inject } from 'vitest';
import { WITHOUT_SDK_LIMIT } from '../../worker/workflow-threads.js';

/** Otherwise the SDK runs workflows in this thread, and from then on follows each promise of all later tests. */
const IN_A_THREAD = { debugMode: false };

/** Replays histories with the current code. One worker replays all of them, because each worker loads the whole bundle. */
export function replayHistories(histories: AsyncIterable<HistoryAndWorkflowId>): AsyncIterable<ReplayResult> {
  return Worker.runReplayHistories(
    { ...IN_A_THREAD, ...WITHOUT_SDK_LIMIT, workflowBundle: { codePath: inject('workflowBundlePath') } },
    histories,
  );
}
