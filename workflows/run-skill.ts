import { ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { catalogue } from '../connectors/catalogue.js';
import type { Catalogue } from '../connectors/kit/define.js';
import type { SkillRequest } from '../domain/connection/skill.js';
import { toSkillKey } from '../domain/skill-key.js';
import { findAffectedAssets } from './lib/affected-assets.js';
import { createBookkeeping } from './lib/bookkeeping.js';
import { callSkill } from './lib/call-skill.js';
import { toRunError } from './lib/skill-failure.js';
import { WriteHold } from './lib/write-hold.js';

/** What Temporal Web shows as the result. */
type RunSkillOutcome = { readonly resultId: string } | { readonly notSent: string };

/** Runs one read for a person or a source. Earlier versions also ran writes here, and their histories must replay. */
export async function runSkill({ runId }: { runId: string }): Promise<RunSkillOutcome> {
  const bookkeeping = createBookkeeping();
  const hold = new WriteHold((because) => bookkeeping.holdSkillRun(runId, because));
  const run = await bookkeeping.readSkillRun(runId);
  if (run === null) throw ApplicationFailure.nonRetryable('The skill run does not exist.', 'NotFound');
  const connectors: Catalogue = catalogue;
  const skills = connectors[run.connector]?.skills ?? {};
  const contract = skills[run.verb];
  if (!contract) throw ApplicationFailure.nonRetryable(`Unknown skill ${run.connector}.${run.verb}.`, 'UnknownSkill');
  const createRequest = (input: unknown): SkillRequest => ({
    connectionId: run.connection.connectionId,
    operationKey: runId,
    alertId: null,
    runId,
    input,
  });
  const call = (verb: string, input: unknown) => {
    const called = skills[verb];
    if (!called) throw ApplicationFailure.nonRetryable(`Unknown skill ${run.connector}.${verb}.`, 'UnknownSkill');
    return callSkill({
      skillKey: toSkillKey(run.connector, verb),
      contract: called,
      connection: run.connection,
      request: createRequest(input),
      retryCount: 0,
      // The person sees at once that the third party rejects the credentials.
      waiter: null,
      hold,
    });
  };
  if (contract.effect === 'write' && run.isGuarded) {
    const assets = await findAffectedAssets(contract, run.input, async (verb, input) => {
      const { output, truncated } = await call(verb, input);
      return { output, isComplete: !truncated };
    });
    // The approval starts the run again under the same workflow id.
    if (!(await bookkeeping.guardSkillRun(runId, assets))) return { notSent: 'A second person must approve this run.' };
  }
  try {
    const { resultId } = await call(run.verb, run.input);
    await bookkeeping.endSkillRun(runId, { resultId });
    return { resultId };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const failure = toRunError(error);
    // The state of the run already shows that it waits for a person, or that one refused it.
    if (failure.code === 'NotApproved') return { notSent: failure.message };
    await bookkeeping.endSkillRun(runId, { error: failure });
    throw ApplicationFailure.nonRetryable(failure.message, failure.code);
  }
}
