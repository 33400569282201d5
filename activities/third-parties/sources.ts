import { ApplicationFailure, Context } from '@temporalio/activity';
import { readForSource } from '../../db/connections/connection-calls.js';
import { endPoll, findFeed, readResult } from '../../db/sources/sources.js';
import type { SourceActivities } from '../../domain/alert/intake-source.js';
import { toSkillKey } from '../../domain/skill-key.js';
import { asService } from '../../services/context.js';
import { askForWindow } from '../../services/sources/ask-for-window.js';
import { pollSource } from '../../services/sources/poll.js';
import { listPolledSources, type PolledFeed } from '../../services/sources/polled-sources.js';
import { takeWindow } from '../../services/sources/take-window.js';
import { readList } from '../skills/list-reader.js';
import { listSkills, type RunnableSkill, type SkillSet } from '../skills/perform-skill.js';
import type { SkillDeps } from '../skills/skill-activity.js';

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
      return takeWindow(context, reading, window, await readResult(pg, connectionId, resultId));
    },

    endPoll: (connectionId, ended) => endPoll(pg, connectionId, ended),
  };
}
