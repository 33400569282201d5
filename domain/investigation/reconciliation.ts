export interface ReconciliationReport {
  readonly looked: number;
  readonly requeued: number;
  readonly failed: number;
}

export interface ReconcileInput {
  readonly everySeconds: number;
  /** One run makes many passes, so that the runs of a day fit on one page of Temporal Web. */
  readonly passes: number;
}

export interface ReconciliationActivities {
  reconcileAlerts(): Promise<ReconciliationReport>;
}

export type RunState = 'running' | 'gone' | 'completed' | 'failed' | 'cancelled' | 'terminated' | 'timed-out';

export type Remedy = { readonly do: 'leave' } | { readonly do: 'requeue' } | { readonly do: 'fail'; readonly reason: string };

const MAX_REQUEUES = 3;

/**
 * A person ends a run on purpose, so its alert fails. A lost run is started again a few times. A run that failed before it could save
 * status 20 had no database, so it counts as lost.
 */
export function remedyFor(run: { state: RunState; reason?: string | undefined }, requeueCount: number): Remedy {
  switch (run.state) {
    case 'running':
      return { do: 'leave' };
    case 'cancelled':
    case 'terminated':
      return { do: 'fail', reason: `The run was ${run.state} in Temporal${run.reason ? `: ${run.reason}` : '.'}` };
    case 'failed':
    case 'gone':
    case 'completed':
    case 'timed-out':
      if (requeueCount < MAX_REQUEUES) return { do: 'requeue' };
      return {
        do: 'fail',
        reason: `The run was lost ${requeueCount + 1} times (last: ${run.state})${run.reason ? `: ${run.reason}` : '.'}`,
      };
  }
}
