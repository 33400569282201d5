import { Context } from '@temporalio/activity';
import type { Topic } from '../../db/changes.js';
import {
  type PassReport,
  RECONCILE_PASSES,
  type ReconciliationActivities,
  type ReconciliationReport,
} from '../../domain/investigation/reconciliation.js';
import { PASSES, type PassDeps } from '../../services/reconciler/passes.js';
import { type CommandDeps, serviceContext } from '../service-context.js';

export type ReconciliationDeps = PassDeps & CommandDeps;

/** A longer pass is continued by the next call. */
const CALL_MS = 30_000;

/** The reconciler runs each minute and mostly changes nothing, so it announces nothing. */
export const RECONCILIATION_ACTIVITY_TOPICS = {
  reconcilePass: [],
  reconcileAlerts: [],
} as const satisfies Record<keyof ReconciliationActivities, readonly Topic[]>;

export function createReconciliationActivities(deps: ReconciliationDeps): ReconciliationActivities {
  const context = serviceContext(deps);
  const reconcilePass: ReconciliationActivities['reconcilePass'] = async ({ pass, after }): Promise<PassReport> => {
    const { info } = Context.current();
    const counts = { looked: 0, requeued: 0, failed: 0, problems: 0 };
    const run = {
      after,
      untilMs: Date.now() + CALL_MS,
      heartbeat: () => Context.current().heartbeat(),
      onError(key: string, error: unknown) {
        counts.problems += 1;
        deps.log.error({ pass, record: key, err: error }, 'the reconciler could not handle a record');
      },
    };
    const next = await PASSES[pass]({ deps, context, taskQueue: info.taskQueue, run, counts });
    return { ...counts, next };
  };
  return {
    reconcilePass,

    async reconcileAlerts(): Promise<ReconciliationReport> {
      const total = { looked: 0, requeued: 0, failed: 0 };
      const failures: unknown[] = [];
      for (const pass of RECONCILE_PASSES)
        try {
          for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
            const { next, looked, requeued, failed } = await reconcilePass({ pass, after });
            after = next;
            total.looked += looked;
            total.requeued += requeued;
            total.failed += failed;
          }
        } catch (error) {
          failures.push(error);
        }
      if (failures.length > 0) throw failures[0];
      return total;
    },
  };
}
