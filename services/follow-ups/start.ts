import type { InvestigationRef } from '../../db/investigations/lifecycle.js';
import { askAgainWorkflowId, followUpWorkflowId } from '../../domain/investigation/investigation.js';
import { toSearchAttributes } from '../../domain/search-attributes.js';
import type { ServiceContext } from '../context.js';

export interface StartedFollowUp extends InvestigationRef {
  readonly asksAgain: boolean;
}

export function toWorkflowId(followUp: StartedFollowUp): string {
  return followUp.asksAgain ? askAgainWorkflowId(followUp) : followUpWorkflowId(followUp);
}

/** Temporal delays the start, so no worker holds the run until it is due. The workflow id prevents a second start. */
export async function startFollowUp({ runner, now }: ServiceContext, followUp: StartedFollowUp, dueAt: number): Promise<void> {
  const { alertId, investigationNo } = followUp;
  const delaySeconds = dueAt - now();
  await runner.startOnce('followUp', {
    workflowId: toWorkflowId(followUp),
    args: [{ alertId, investigationNo }],
    staticSummary: `Follow-up of ${alertId}`,
    typedSearchAttributes: toSearchAttributes({ AlertId: alertId }),
    // A long database outage can fail a run. The retry policy starts it again.
    retry: { initialInterval: '10s', backoffCoefficient: 2, maximumInterval: '10m' },
    ...(delaySeconds > 0 ? { startDelay: delaySeconds * 1000 } : {}),
  });
}
