import type { CallableConnection } from '../../db/connections/connection-calls.js';
import { readForRecords } from '../../db/connections/connection-calls.js';
import { type CopyQuestion, type ListCopy, NextQuestion } from '../../domain/record/list-copy.js';
import { toSkillKey } from '../../domain/skill-key.js';
import { type CopiedAnswer, createCopier } from '../../services/copies/answer-from-copy.js';
import { readList } from './list-reader.js';
import { listSkills, type RunnableSkill, type SkillSet } from './perform-skill.js';
import type { SkillDeps } from './skill-deps.js';

/** The part of a skill's time that the read of a list may take, so that the third party can still be asked. */
const READING_SHARE = 0.4;
const MAX_READING_MS = 30_000;

/** Answers from the copy of a list. null: ask the third party. */
export type CopiedAnswers = (
  skill: RunnableSkill,
  asked: { readonly input: unknown; readonly connection: CallableConnection },
  signal: AbortSignal,
) => Promise<CopiedAnswer | null>;

interface KnownCopy {
  readonly source: ListCopy;
  readonly verb: string;
  readonly listSkill: RunnableSkill;
  readonly ofConnector: readonly ListCopy[];
}

export function createCopiedAnswers(skills: SkillSet, deps: SkillDeps): CopiedAnswers {
  const known = listCopies(skills);
  const lists = new Map([...known.values()].map(({ source, listSkill }) => [source, listSkill]));
  const answerFromCopy = createCopier({
    pg: deps.pg,
    async list({ connectionUuid }, source, input, signal) {
      const listSkill = lists.get(source);
      if (!listSkill) throw new Error(`The list ${source.verb} has no implementation.`);
      const connection = await readForRecords(deps.pg, connectionUuid, listSkill.skillKey);
      return readList(listSkill, connection, { ...input }, deps, { operationKey: `copy ${connectionUuid}`, signal });
    },
  });
  return async ({ skillKey, contract }, { input, connection }, signal) => {
    const copy = known.get(skillKey);
    // A remote agent reads only what an investigation asks.
    if (!copy || connection.remoteAgentUuid !== null || !isRecord(input)) return null;
    const question = copy.source.questions[copy.verb]?.(input, Date.now() / 1000) ?? null;
    if (question === null) return null;
    const { connectionUuid, generation } = connection;
    const patienceMs = Math.min(MAX_READING_MS, contract.timeoutSeconds * 1000 * READING_SHARE);
    const ask = async (source: ListCopy, asked: CopyQuestion): Promise<CopiedAnswer | null> => {
      const place = { connectionUuid, generation, kind: source.kind };
      const copied = await answerFromCopy({ place, source, question: asked, signal, patienceMs });
      const next = copied?.output;
      if (copied === null || !(next instanceof NextQuestion)) return copied;
      const other = copy.ofConnector.find(({ kind }) => kind === next.kind);
      const answered = other ? await ask(other, next.question) : null;
      return answered && { ...answered, copiedAt: Math.min(answered.copiedAt, copied.copiedAt) };
    };
    const copied = await ask(copy.source, question);
    const output = contract.output.safeParse(copied?.output);
    return copied !== null && output.success ? { ...copied, output: output.data } : null;
  };
}

/** By the key of the skill whose questions they answer. */
function listCopies(skills: SkillSet): ReadonlyMap<string, KnownCopy> {
  const runnable = new Map(listSkills(skills).map((skill) => [skill.skillKey, skill]));
  return new Map(
    Object.entries(skills.implementations).flatMap(([name, { copies = [] }]) =>
      copies.flatMap((source) => {
        const listSkill = runnable.get(toSkillKey(name, source.verb));
        if (!listSkill) throw new Error(`The connector ${name} has no skill ${source.verb} to copy.`);
        return Object.keys(source.questions).map((verb): [string, KnownCopy] => [
          toSkillKey(name, verb),
          { source, verb, listSkill, ofConnector: copies },
        ]);
      }),
    ),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
