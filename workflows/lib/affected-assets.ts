import { isCancellation, patched } from '@temporalio/workflow';
import type { SkillContract } from '../../connectors/kit/define.js';
import type { AffectedAssets } from '../../domain/connection/affected-assets.js';
import { readCut } from '../../domain/playbook/conditions.js';
import { type AffectedAnswer, fillInput, readAffectedAssets, selectReads } from '../../domain/response/write.js';

interface Answer {
  readonly output: unknown;
  readonly isComplete: boolean;
}

/** Calls the reads that the contract names. Returns null if the assets are unknown, which requires more caution. */
export async function findAffectedAssets(
  contract: SkillContract,
  input: unknown,
  ask: (verb: string, input: Record<string, unknown>) => Promise<Answer | null>,
): Promise<AffectedAssets | null> {
  const answers: AffectedAnswer[] = [];
  for (const read of selectReads(contract.touches, input)) {
    // Running investigations of an earlier version did not have reads that depend on the input.
    if (read.when !== undefined && !patched('affected-by-input')) continue;
    if (read.whenHost !== undefined && !patched('affected-by-named-host')) continue;
    const answer = await ask(read.verb, fillInput(read.input, { input })).catch((error: unknown) => {
      if (isCancellation(error)) throw error;
      return null;
    });
    if (answer === null) return null;
    answers.push({ read, output: answer.output, isComplete: answer.isComplete && readCut(answer.output) === null });
  }
  return readAffectedAssets(contract, input, answers);
}
