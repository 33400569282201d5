import { condition, proxyActivities, type WorkflowInterceptors } from '@temporalio/workflow';
import type { WaitingPlaceActivities } from '../../domain/playbook/error-place.js';
import { describeFullHistory, isHistoryFull } from './run-limits.js';

/** The activities, timers and child workflows of the run that have not ended. */
let openCount = 0;

function watch<Result>(work: Promise<Result>): Promise<Result> {
  openCount += 1;
  const end = () => {
    openCount -= 1;
  };
  work.then(end, end);
  return work;
}

/** The bundler registers it for each run. */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      scheduleActivity: (input, next) => watch(next(input)),
      scheduleLocalActivity: (input, next) => watch(next(input)),
      startTimer: (input, next) => watch(next(input)),
      startChildWorkflowExecution(input, next) {
        const started = next(input);
        void watch(started.then(([, result]) => result));
        return started;
      },
    },
  ],
});

const { findWaitingPlace } = proxyActivities<WaitingPlaceActivities>({
  startToCloseTimeout: '30s',
  retry: { maximumAttempts: 3 },
  summary: 'Find the line that waits',
});

/**
 * Rejects when the run waits, but for nothing that can happen: no activity, timer or child workflow. Such a run would stay open for
 * ever. A condition without a timeout does not count: only the lifecycle takes signals, and its conditions have one. Rejects also when
 * the history of the run is nearly full: Temporal would end the run without a place.
 */
export async function whenStuck(isEnded: () => boolean): Promise<never> {
  // The SDK also checks conditions before the first promises of the run continue, when the playbook has not asked anything yet.
  let havePromisesContinued = false;
  await condition(() => {
    if (!havePromisesContinued)
      void Promise.resolve().then(() => {
        havePromisesContinued = true;
      });
    return havePromisesContinued && !isEnded() && (openCount === 0 || isHistoryFull());
  });
  const message = openCount === 0 ? 'The playbook waits for a promise that nothing resolves.' : describeFullHistory();
  throw new StuckError(message, await findWaitingPlace().catch(() => null));
}

/** An error whose place is not in its stack. */
export class StuckError extends Error {
  override readonly name = 'StuckError';
  readonly place: string | null;

  constructor(message: string, place: string | null) {
    super(message);
    this.place = place;
  }
}
