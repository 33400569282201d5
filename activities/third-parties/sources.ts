import { isDeepStrictEqual } from 'node:util';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { readForSource } from '../../db/connections/connection-calls.js';
import { endPoll, findFeed, readAnswer, type SourceAnswer } from '../../db/sources/sources.js';
import type { SourceActivities, SourceWindow } from '../../domain/alert/intake-source.js';
import { parseSkillInput } from '../../domain/connection/skill-io.js';
import { toSkillKey } from '../../domain/skill-key.js';
import { asService } from '../../services/context.js';
import { askForWindow } from '../../services/sources/ask-for-window.js';
import { pollSource } from '../../services/sources/poll.js';
import { listPolledSources, type PolledFeed } from '../../services/sources/polled-sources.js';
import { takeWindow } from '../../services/sources/take-window.js';
import { readList } from '../skills/list-reader.js';
import { listSkills, type RunnableSkill, type SkillSet } from '../skills/perform-skill.js';
import type { SkillDeps } from '../skills/skill-deps.js';

const NO_SOURCE = 'The connection does not feed the intake. Set feeds_intake on the connection.';

interface Reading extends PolledFeed {
  readonly skill: RunnableSkill;
}

export function createSourceActivities(skills: SkillSet, deps: SkillDeps): SourceActivities {
  const { db, pg } = deps;
  const context = { ...asService(db), pg };
  const known = new Map(listSkills(skills).map((skill) => [skill.skillKey, skill]));
  const sources = listPolledSources(skills.catalogue);
  const find = async (connectionId: string): Promise<Reading | null> => {
    const feed = await findFeed(pg, connectionId);
    const source = sources.find(({ kind }) => kind === feed?.connector);
    const skill = source && known.get(toSkillKey(source.connector, source.intake.verb));
    return feed && source && skill ? { feed, source, skill } : null;
  };
  const requireReading = async (connectionId: string): Promise<Reading> => {
    const reading = await find(connectionId);
    if (!reading) throw ApplicationFailure.nonRetryable(NO_SOURCE);
    return reading;
  };
  return {
    async pollSource(connectionId) {
      const reading = await find(connectionId);
      if (!reading) return { taken: 0, noted: 0, ended: NO_SOURCE };
      const { skill } = reading;
      const signal = Context.current().cancellationSignal;
      const list = async (input: Record<string, unknown>) =>
        readList(skill, await readForSource(pg, connectionId, skill.skillKey), input, deps, {
          operationKey: `poll ${connectionId}`,
          signal,
        });
      return pollSource(context, reading, list, signal);
    },

    async askForWindow(connectionId, window) {
      const reading = await requireReading(connectionId);
      return askForWindow(context, reading, reading.skill.contract, window);
    },

    async takeWindow(connectionId, window, resultId) {
      const reading = await requireReading(connectionId);
      const answer = await readAnswer(pg, connectionId, resultId);
      if (!isAnswerOf(window, answer, reading)) throw ApplicationFailure.nonRetryable('The answer is not about this window of the source.');
      return takeWindow(context, reading, window, answer.output);
    },

    endPoll: (connectionId, ended) => endPoll(pg, connectionId, ended),
  };
}

/** The watermark follows the window, so a workflow must not name another one than the source asked for. */
function isAnswerOf(window: SourceWindow, answer: SourceAnswer | null, { source, skill }: Reading): answer is SourceAnswer {
  if (answer === null) return false;
  return isDeepStrictEqual(parseSkillInput(skill.contract, source.intake.buildInput(window, answer.askedAt)), answer.input);
}
