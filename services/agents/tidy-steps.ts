import { ActivityCancelledError, ActivityNotFoundError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type FreeStep, listFreeSteps, removeExpiredSteps, removeStep } from '../../db/agents/agent-steps.js';
import type { Db, PgClient } from '../../db/client.js';
import { toFailureFacts } from '../../domain/connection/skill.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { type SweepRun, sweep } from '../reconciler/sweep.js';

/** Removes steps whose activity has ended, and returns steps that no remote agent will perform. */
export async function tidySteps({ db, pg, client }: { db: Db; pg: PgClient; client: Client }, run: SweepRun): Promise<string | null> {
  await removeExpiredSteps(pg);
  return sweep<FreeStep>(run, {
    list: (after, limit) => listFreeSteps(pg, { after, limit }),
    keyOf: ({ stepUuid }) => stepUuid,
    async handle(step) {
      if (!(await isStillParked(client, step))) await removeStep(db, step);
    },
  });
}

async function isStillParked({ activity }: Client, step: FreeStep): Promise<boolean> {
  const token = Buffer.from(step.taskToken, 'base64');
  try {
    const isParked = step.routed && step.brokenBecause === null;
    if (isParked) await activity.heartbeat(token);
    else await activity.fail(token, ApplicationFailure.create(toFailureFacts(createError(step), step)));
    return isParked;
  } catch (error) {
    if (error instanceof ActivityNotFoundError) return false;
    if (!(error instanceof ActivityCancelledError)) throw error;
    await activity.reportCancellation(token);
    return false;
  }
}

/** The workflow waits for a reconnect of a broken connection. Otherwise it calls again after a second without using an attempt. */
function createError({ brokenBecause }: FreeStep): ThirdPartyError {
  if (brokenBecause !== null)
    return new ThirdPartyError('CredentialsRejected', brokenBecause, { resolution: 'Choose another remote agent for the connection.' });
  return new ThirdPartyError('RateLimited', 'The connection no longer uses a remote agent.', { retryAfterSeconds: 1 });
}
