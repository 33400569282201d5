import { Context } from '@temporalio/activity';
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy, WorkflowNotFoundError } from '@temporalio/client';
import { findSkillKey } from '../../connectors/skill-index.js';
import type { Topic } from '../../db/changes.js';
import type { Db } from '../../db/client.js';
import { endFollowUp, listAnswerableFollowUps, listFollowUpsOf, listOverdueFollowUps } from '../../db/investigations/follow-ups.js';
import type { InvestigationRef } from '../../db/investigations/lifecycle.js';
import { askAgainWorkflowId, type FollowUpActivities, followUpWorkflowId } from '../../domain/investigation/investigation.js';
import { toSearchAttributes } from '../../domain/search-attributes.js';
import { asService, readClock } from '../../services/context.js';
import { beginFollowUp } from '../../services/follow-ups/begin.js';
import { planFollowUp } from '../../services/follow-ups/plan.js';
import { planToAskAgain } from '../../services/follow-ups/plan-to-ask-again.js';

export interface FollowUpDeps {
  readonly db: Db;
  readonly client: Client;
}

const MIN_HOURS = 1;
const MAX_HOURS = 90 * 24;

export const FOLLOW_UP_ACTIVITY_TOPICS = {
  planFollowUp: ['alerts', 'cases'],
  askAgain: ['alerts', 'cases'],
  beginFollowUp: ['alerts', 'cases'],
} as const satisfies Record<keyof FollowUpActivities, readonly Topic[]>;

/** Each activity is idempotent. */
export function createFollowUpActivities({ db, client }: FollowUpDeps): FollowUpActivities {
  const context = asService(db);
  return {
    async planFollowUp({ afterHours, reason, ...ref }) {
      const hours = Math.max(MIN_HOURS, Math.min(MAX_HOURS, Math.round(afterHours)));
      const planned = await planFollowUp(context, ref, { afterHours: hours, reason });
      if (planned === null) return false;
      await startFollowUp(client, Context.current().info.taskQueue, { ...ref, asksAgain: false }, planned.dueAt);
      return planned.isNew;
    },

    async askAgain({ unanswered, ...ref }) {
      const planned = await planToAskAgain(
        context,
        ref,
        unanswered.map((question) => ({ ...question, skillKey: question.skillKey ?? findSkillKey(question.skillId) })),
      );
      if (planned === null) return false;
      await startFollowUp(client, Context.current().info.taskQueue, { ...ref, asksAgain: true }, planned.dueAt);
      return planned.isNew;
    },

    beginFollowUp: (ref) => beginFollowUp(context, ref),
  };
}

interface PlannedFollowUp extends InvestigationRef {
  readonly asksAgain: boolean;
}

function toWorkflowId(followUp: PlannedFollowUp): string {
  return followUp.asksAgain ? askAgainWorkflowId(followUp) : followUpWorkflowId(followUp);
}

/** Temporal delays the start, so no worker holds the run until it is due. The workflow id prevents a second start. */
async function startFollowUp(client: Client, taskQueue: string, ref: PlannedFollowUp, dueAt: number): Promise<void> {
  const { alertId, investigationNo } = ref;
  const delayMs = dueAt * 1000 - Date.now();
  try {
    await client.workflow.start('followUp', {
      taskQueue,
      workflowId: toWorkflowId(ref),
      args: [{ alertId, investigationNo }],
      staticSummary: `Follow-up of ${alertId}`,
      typedSearchAttributes: toSearchAttributes({ AlertId: alertId }),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      // A long database outage can fail a run. The retry policy starts it again.
      retry: { initialInterval: '10s', backoffCoefficient: 2, maximumInterval: '10m' },
      ...(delayMs > 0 ? { startDelay: delayMs } : {}),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

const PAGE_SIZE = 200;

/** Begins follow-ups whose third party answers again, before they are due. Their own runs then find nothing left to do. */
export async function beginAnswerableFollowUps({ db }: Pick<FollowUpDeps, 'db'>, heartbeat: () => void): Promise<void> {
  for (const followUp of await listAnswerableFollowUps(db, PAGE_SIZE)) {
    heartbeat();
    await beginFollowUp(asService(db), followUp);
  }
}

/** Begins all follow-ups that wait for the connection, after a passed connection test. */
export async function beginFollowUpsOf({ db }: Pick<FollowUpDeps, 'db'>, connectionUuid: string): Promise<number> {
  let begun = 0;
  for (;;) {
    const waiting = await listFollowUpsOf(db, connectionUuid, PAGE_SIZE);
    for (const followUp of waiting) await beginFollowUp(asService(db), followUp);
    begun += waiting.length;
    if (waiting.length < PAGE_SIZE) return begun;
  }
}

/** Starts follow-ups without a run, and abandons those whose run a person ended in Temporal. */
export async function repairFollowUps(
  { db, client }: FollowUpDeps,
  options: { taskQueue: string; untouchedForSeconds: number; heartbeat: () => void },
): Promise<void> {
  for (const followUp of await listOverdueFollowUps(db, options.untouchedForSeconds, PAGE_SIZE)) {
    options.heartbeat();
    try {
      const { status } = await client.workflow.getHandle(toWorkflowId(followUp)).describe();
      if (status.name === 'RUNNING') continue;
      const outcome = `The run ended in Temporal (${status.name.toLowerCase()}).`;
      await endFollowUp(db, followUp, { at: readClock(), outcome });
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      await startFollowUp(client, options.taskQueue, followUp, 0);
    }
  }
}
