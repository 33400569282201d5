import { ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { catalogue } from '../activities/connectors/catalogue.js';
import { type Catalogue, skillActivityName } from '../activities/connectors/kit/define.js';
import type { SkillRequest } from '../domain/connection/skill.js';
import { findAffectedAssets } from './lib/affected-assets.js';
import { createBookkeeping } from './lib/bookkeeping.js';
import { callSkill } from './lib/call-skill.js';
import { toRunError } from './lib/skill-failure.js';
import { WriteHold } from './lib/write-hold.js';

/** One skill that a person asked for: the same way out as an investigation's, with the same waiting and the same books. */
export async function runSkill({ runId }: { runId: string }): Promise<{ resultId: string }> {
  const bookkeeping = createBookkeeping();
  const hold = new WriteHold((because) => bookkeeping.holdSkillRun(runId, because));
  const run = await bookkeeping.readSkillRun(runId);
  if (run === null) throw ApplicationFailure.nonRetryable('There is no such run.', 'NotFound');
  const connectors: Catalogue = catalogue;
  const skills = connectors[run.connector]?.skills ?? {};
  const contract = skills[run.verb];
  if (!contract) throw ApplicationFailure.nonRetryable(`There is no skill ${run.connector}.${run.verb}.`, 'UnknownSkill');
  const request = (input: unknown): SkillRequest => ({
    connectionId: run.connection.connectionId,
    operationKey: runId,
    alertId: null,
    runId,
    input,
  });
  const call = (verb: string, input: unknown) => {
    const called = skills[verb];
    if (!called) throw ApplicationFailure.nonRetryable(`There is no skill ${run.connector}.${verb}.`, 'UnknownSkill');
    return callSkill({
      activityName: skillActivityName(run.connector, verb),
      contract: called,
      connection: run.connection,
      request: request(input),
      retryCount: 0,
      // A person is told at once that the credentials are refused.
      waiter: null,
      hold,
    });
  };
  if (contract.effect === 'write' && run.isGuarded) {
    const touched = await findAffectedAssets(contract, run.input, async (verb, input) => {
      const { output, truncated } = await call(verb, input);
      return { output, isWhole: !truncated };
    });
    // Started again under the same id when somebody has.
    if (!(await bookkeeping.guardSkillRun(runId, touched)))
      throw ApplicationFailure.nonRetryable('A second person has to approve it.', 'SecondPersonNeeded');
  }
  try {
    const { resultId } = await call(run.verb, run.input);
    await bookkeeping.endSkillRun(runId, { resultId });
    return { resultId };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const failure = toRunError(error);
    await bookkeeping.endSkillRun(runId, { error: failure });
    throw ApplicationFailure.nonRetryable(failure.message, failure.code);
  }
}
