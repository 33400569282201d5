import { ApplicationFailure } from '@temporalio/activity';
import { ActivityCancelledError, ActivityNotFoundError, type Client } from '@temporalio/client';
import { type FreeStep, listFreeSteps, removeStep } from '../../db/agents/agent-steps.js';
import type { Db, PgClient } from '../../db/client.js';
import { toFailureFacts } from '../../domain/connection/skill.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';

/** Steps that wait for an agent: those that nobody waits for are forgotten, those that no longer go through one are given back. */
export async function tidyParkedSteps({ db, pg, client }: { db: Db; pg: PgClient; client: Client }): Promise<void> {
  for (const step of await listFreeSteps(pg)) {
    if (!(await isStillParked(client, step))) await removeStep(db, step);
  }
}

async function isStillParked({ activity }: Client, step: FreeStep): Promise<boolean> {
  const token = Buffer.from(step.taskToken, 'base64');
  try {
    if (step.routed) await activity.heartbeat(token);
    else await activity.fail(token, ApplicationFailure.create(toFailureFacts(rerouted(), step)));
    return step.routed;
  } catch (error) {
    if (error instanceof ActivityNotFoundError) return false;
    if (!(error instanceof ActivityCancelledError)) throw error;
    await activity.reportCancellation(token);
    return false;
  }
}

/** A wait of a second: the workflow calls again, now past the agent, and none of its attempts is spent. */
function rerouted(): ThirdPartyError {
  return new ThirdPartyError('RateLimited', 'The connection is no longer routed through a remote agent.', { retryAfterSeconds: 1 });
}
