import { ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { catalogue } from '../activities/connectors/catalogue.js';
import { type Catalogue, skillActivityName } from '../activities/connectors/define.js';
import type { SkillRunError } from '../domain/skill.js';
import { openBooks } from './books.js';
import { callSkill, skillFailureOf } from './skills.js';

/** One skill that a person asked for: the same way out as an investigation's, with the same waiting and the same books. */
export async function runSkill({ runId }: { runId: string }): Promise<{ resultId: string }> {
  const books = openBooks();
  const run = await books.readSkillRun(runId);
  if (run === null) throw ApplicationFailure.nonRetryable('There is no such run.', 'NotFound');
  const connectors: Catalogue = catalogue;
  const contract = connectors[run.connector]?.skills[run.verb];
  if (!contract) throw ApplicationFailure.nonRetryable(`There is no skill ${run.connector}.${run.verb}.`, 'UnknownSkill');
  try {
    const { resultId } = await callSkill({
      activityName: skillActivityName(run.connector, run.verb),
      contract,
      connection: run.connection,
      request: { connectionId: run.connection.connectionId, operationKey: runId, alertId: null, runId, input: run.input },
      retryCount: 0,
      // A person is told at once that the credentials are refused.
      waiting: null,
    });
    await books.endSkillRun(runId, { resultId });
    return { resultId };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const failure = errorOf(error);
    await books.endSkillRun(runId, { error: failure });
    throw ApplicationFailure.nonRetryable(failure.message, failure.code);
  }
}

function errorOf(error: unknown): SkillRunError {
  const failure = skillFailureOf(error);
  return {
    code: failure?.code ?? 'UnexpectedError',
    message: failure?.message ?? String(error),
    third_party_status: failure?.facts?.status ?? null,
    resolution: failure?.facts?.resolution ?? null,
  };
}
