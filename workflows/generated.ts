import { ApplicationFailure } from '@temporalio/workflow';
import type { Catalogue } from '../activities/connectors/define.js';
import type { PlanStep } from '../domain/playbook.js';
import { type PlaybookContext, playbook } from './playbook.js';

/** Runs the stored plan of a playbook that the service made itself; one workflow for all of them. */
export const generated = playbook({ alertTypes: [] }, async (context) => {
  if (context.plan === null) throw ApplicationFailure.nonRetryable('This playbook has no stored plan.', 'PlaybookWithoutPlan');
  for (const step of context.plan.steps) await runStep(step, context);
});

async function runStep(step: PlanStep, { entities, evidence, correlate }: PlaybookContext<Catalogue>): Promise<void> {
  switch (step.do) {
    case 'extract-indicators': {
      const found = entities.filter((entity) => step.of.includes(entity.kind));
      const named = found.slice(0, 20).map((entity) => `${entity.kind} ${entity.value}`);
      if (found.length > 0) evidence.note('Indicators in the alert', `${found.length} found: ${named.join(', ')}`, { step: step.do });
      else
        evidence.gap('No indicator in the alert', 'Its content names no address, hash, account or host that could be looked up.', {
          step: step.do,
        });
      return;
    }
    case 'correlate': {
      const shared = await correlate({ by: step.by, withinDays: step.withinDays });
      for (const entity of shared.slice(0, 10)) {
        evidence.finding(
          pointsForRepetition(entity.alertCount),
          `${entity.kind} ${entity.value} was seen before`,
          seenIn(entity, step.withinDays),
        );
      }
      if (shared.length === 0)
        evidence.note('Nothing shared with earlier alerts', `None within ${step.withinDays} days carries the same indicators.`, {
          step: step.do,
        });
      return;
    }
    case 'summarise':
      // The conclusion is the summary: the lifecycle writes it from the evidence.
      return;
  }
}

/** A repetition makes suspicious, never malicious: noise repeats too. */
function pointsForRepetition(alertCount: number): number {
  return Math.min(15, 5 + alertCount);
}

function seenIn(entity: { alertCount: number; alertIds: readonly string[] }, withinDays: number): string {
  return `In ${entity.alertCount} earlier alert${entity.alertCount === 1 ? '' : 's'} within ${withinDays} days: ${entity.alertIds.join(', ')}`;
}
