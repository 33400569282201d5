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

/** The parts of a reconciliation. Each has its own activity, so that one that is slow or fails does not keep the others. */
export const RECONCILE_PASSES = [
  'investigations',
  'proposals',
  'skill-runs',
  'due-follow-ups',
  'answerable-follow-ups',
  'waiters',
  'agent-steps',
  'housekeeping',
] as const;
export type ReconcilePass = (typeof RECONCILE_PASSES)[number];

export interface PassReport extends ReconciliationReport {
  /** Records that could not be handled. The next pass tries them again. */
  readonly problems: number;
  /** Where the next call continues; null: the pass is at its end. */
  readonly next: string | null;
}

export interface ReconciliationActivities {
  /** Works for about half a minute, beginning after the record with this key. */
  reconcilePass(call: { pass: ReconcilePass; after: string | null }): Promise<PassReport>;
  /** All passes, for runs of earlier builds. */
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
