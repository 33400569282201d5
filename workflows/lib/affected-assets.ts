import { isCancellation } from '@temporalio/workflow';
import type { SkillContract } from '../../activities/connectors/kit/define.js';
import type { AffectedAssets } from '../../domain/response/affected-assets.js';
import { fillInput, readAffectedAssets } from '../../domain/response/write.js';

interface Answer {
  readonly output: unknown;
  readonly isWhole: boolean;
}

/** Calls the reads that the contract names. Returns null if the assets are unknown, which requires more caution. */
export async function findAffectedAssets(
  { touches }: SkillContract,
  input: unknown,
  ask: (verb: string, input: Record<string, unknown>) => Promise<Answer | null>,
): Promise<AffectedAssets | null> {
  const answers: Answer[] = [];
  for (const { verb, input: sources } of touches ?? []) {
    const answer = await ask(verb, fillInput(sources, { input })).catch((error: unknown) => {
      if (isCancellation(error)) throw error;
      return null;
    });
    if (answer === null) return null;
    answers.push({ ...answer, isWhole: answer.isWhole && !isPartialList(answer.output) });
  }
  return readAffectedAssets(touches, answers);
}

/** A list skill sets `cut` if it stopped before the end of the list. */
function isPartialList(output: unknown): boolean {
  return typeof output === 'object' && output !== null && 'cut' in output && output.cut !== null;
}
