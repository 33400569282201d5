import { type ConditionFacts, readCut } from '../../domain/playbook/conditions.js';
import { type AnswerFacts, type AnswerQuestion, readAnswer } from '../../domain/playbook/read-answer.js';
import { findSource, isRead, isTruncated, noteRead } from './answer-source.js';
import type { EvidenceLog } from './evidence-log.js';
import { patched } from './patched.js';
import type { Answer } from './skills.js';

/** Reads the whole of an answer, also if the history holds only a part of it. An incomplete list leaves a gap. */
export type ReadAnswer = (answer: object, question: AnswerQuestion) => AnswerFacts | Promise<AnswerFacts>;

interface Given {
  readonly alert: ConditionFacts;
  readonly evidence: EvidenceLog;
  /** Reads the stored answer. Null: it was deleted. Absent if every answer is whole, as in a test. */
  readonly readStored?: (question: { resultId: string; question: AnswerQuestion; alert: ConditionFacts }) => Promise<AnswerFacts | null>;
}

export function createAnswerReader({ alert, evidence, readStored }: Given): ReadAnswer {
  const noteCut = (answer: object, cut: string | null) => {
    // Earlier builds had no gap here, and a gap is saved by a step of its own.
    if (cut !== null && patched('gap-of-cut-list')) evidence.gap(titleOfCut(answer), cut, { from: answer });
  };
  const readPart = (answer: object, question: AnswerQuestion) => {
    const cut = 'The service deleted the rest of this large answer before the investigation read it.';
    noteCut(answer, cut);
    return readAnswer({ ...question, cut }, answer, alert);
  };
  return (answer, question) => {
    noteRead(answer);
    const { proves = [], takes = [] } = question;
    if (proves.length + takes.length > 0) noteCut(answer, readCut(answer));
    const resultId = findSource(answer)?.result_id;
    if (!isTruncated(answer) || !readStored || resultId === undefined || !patched('whole-answers'))
      return readAnswer(question, answer, alert);
    return readStored({ resultId, question, alert }).then((facts) => facts ?? readPart(answer, question));
  };
}

function titleOfCut(answer: object): string {
  return `${findSource(answer)?.skill_id ?? 'List'}: the list is incomplete`;
}

/** For the answers that the code of a playbook used without the reader: it saw only a part of them. */
export function addGapsOfParts(answers: readonly Answer[], evidence: EvidenceLog): void {
  for (const { output } of answers) {
    if (typeof output !== 'object' || output === null || isRead(output)) continue;
    const reason = readCut(output) ?? (isTruncated(output) ? 'The playbook used only the first part of a large answer.' : null);
    if (reason !== null && patched('gap-of-cut-list')) evidence.gap(titleOfCut(output), reason, { from: output });
  }
}
