import { workflowInfo } from '@temporalio/workflow';
import { patched } from './patched.js';

/** No alert needs as many questions. A call takes about ten events of the history. */
const MAX_CALLS = 1_000;
/** Temporal ends a run at 51,200 events or 50 MB, without a place. The end of a run must fit into the rest. */
const MAX_EVENTS = 30_000;
const MAX_HISTORY_BYTES = 30 * 1024 * 1024;
/** From this size on, a call that waits becomes a gap, so that the investigation can still conclude. */
const MAX_SHARE_OF_WAITS = 0.75;

export class RunLimitError extends Error {
  override readonly name = 'RunLimitError';
}

/** Counts the calls of an author's code: a loop of calls would fill the history of the run. */
export class CallLimit {
  #count = 0;

  countCall(): void {
    this.#count += 1;
    // A run that began under an earlier build keeps its steps.
    if (this.#count > MAX_CALLS && patched('limited-calls'))
      throw new RunLimitError(`The playbook called skills more than ${MAX_CALLS} times in one investigation.`);
  }
}

interface HistorySize {
  readonly historyLength: number;
  readonly historySize: number;
}

function isOver({ historyLength, historySize }: HistorySize, share: number): boolean {
  return historyLength > MAX_EVENTS * share || historySize > MAX_HISTORY_BYTES * share;
}

/** Whether the run must end before Temporal ends it. */
export function isHistoryFull(): boolean {
  return isOver(workflowInfo(), 1) && patched('limited-history');
}

/** Whether a call of an investigation may wait and be repeated. */
export function mayWaitLonger(): boolean {
  return !(isOver(workflowInfo(), MAX_SHARE_OF_WAITS) && patched('limited-history'));
}

export function describeFullHistory({ historyLength, historySize }: HistorySize = workflowInfo()): string {
  return `The run is too long: Temporal stored ${historyLength} steps of it (${Math.round(historySize / 1024 / 1024)} MiB). Make fewer calls and waits.`;
}
