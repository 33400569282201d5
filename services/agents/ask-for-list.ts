import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { readRecordStep, removeRecordStep } from '../../db/agents/agent-steps.js';
import { findPresence } from '../../db/agents/remote-agents.js';
import type { PgClient } from '../../db/client.js';
import type { CallableConnection } from '../../db/connections/connection-calls.js';
import { AGENT_SILENCE_SECONDS, ReportedError, toError } from '../../domain/connection/remote-agent.js';
import { requireUsable } from '../../domain/connection/skill-call.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import type { SkillKey } from '../../domain/skill-key.js';
import type { WorkContext } from '../context.js';
import { handOverStep } from './hand-over-step.js';

/** An agent that does not take the step within this time is busy or away. */
const CLAIM_WITHIN_MS = 15_000;
/** The caller gives up earlier, and then removes the step. */
const WANTED_SECONDS = 300;
const LOOK_EVERY_MS = 200;

const ListAnswer = z.union([z.strictObject({ output: z.unknown() }), z.strictObject({ error: ReportedError })]);

interface ListQuestion {
  readonly agentUuid: string;
  readonly skillKey: SkillKey;
  readonly skillId: string;
  readonly input: Record<string, unknown>;
  readonly signal: AbortSignal;
}

/**
 * Lets a remote agent read a list for a copy of records. Any agent that knows the skill can do so: the step is one like those of
 * investigations. Waits for the answer in this process, because the copy is shared by many investigations.
 */
export async function askForList(
  context: WorkContext & { readonly pg: PgClient },
  given: CallableConnection,
  { agentUuid, skillKey, skillId, input, signal }: ListQuestion,
): Promise<unknown> {
  const { connectionUuid, instanceName } = requireUsable(given);
  const agent = await findPresence(context.pg, agentUuid, AGENT_SILENCE_SECONDS);
  if (agent?.isThere !== true) throw createUnavailable(`The remote agent ${agent?.name ?? ''} of ${instanceName} is away.`);
  const activityKey = `records/${connectionUuid}/${randomUUID()}`;
  const operationKey = `records ${connectionUuid}`;
  await handOverStep(context, {
    agentUuid,
    connectionUuid,
    activityKey,
    taskToken: '',
    request: { connectionId: connectionUuid, operationKey, alertId: null, runId: null, input, attempt: 1 },
    skillKey,
    skillId,
    alertUuid: null,
    wantedUntil: context.now() + WANTED_SECONDS,
  });
  try {
    return await waitForAnswer(context.pg, activityKey, `The remote agent ${agent.name} has no time for ${skillId}.`, signal);
  } finally {
    await removeRecordStep(context.pg, activityKey);
  }
}

async function waitForAnswer(pg: PgClient, activityKey: string, tooBusy: string, signal: AbortSignal): Promise<unknown> {
  for (const claimUntilMs = Date.now() + CLAIM_WITHIN_MS; ; ) {
    const step = await readRecordStep(pg, activityKey);
    if (step === null) throw createUnavailable('The connection was deleted.');
    if (step.answer !== null) {
      const answer = ListAnswer.parse(step.answer);
      if ('error' in answer) throw toError(answer.error);
      return answer.output;
    }
    if (!step.isClaimed && Date.now() > claimUntilMs) throw createUnavailable(tooBusy);
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

function createUnavailable(message: string): ThirdPartyError {
  return new ThirdPartyError('Unavailable', message, { mayHaveHappened: false });
}
