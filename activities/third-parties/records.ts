import { Context } from '@temporalio/activity';
import type { Topic } from '../../db/changes.js';
import { readForRecords } from '../../db/connections/connection-calls.js';
import { patienceSecondsOf } from '../../domain/investigation/retry-policy.js';
import type { RecordActivities } from '../../domain/record/record.js';
import { askForList } from '../../services/agents/ask-for-list.js';
import { asService } from '../../services/context.js';
import { listCopiedSources, listCopies } from '../../services/records/copies.js';
import { createRefresher, type RecordTimings } from '../../services/records/refresh-copies.js';
import { searchCopies } from '../../services/records/search-copies.js';
import { readList } from '../skills/list-reader.js';
import { listSkills, type SkillSet } from '../skills/perform-skill.js';
import type { SkillDeps } from '../skills/skill-deps.js';

export const RECORD_ACTIVITY_TOPICS = { searchRecords: [] } as const satisfies Record<keyof RecordActivities, readonly Topic[]>;

export function createRecordActivities(skills: SkillSet, deps: SkillDeps, timings?: RecordTimings): RecordActivities {
  const sources = listCopiedSources(skills.catalogue);
  const known = new Map(listSkills(skills).map((skill) => [skill.skillKey, skill]));
  const refresh = createRefresher({
    pg: deps.pg,
    ...(timings === undefined ? {} : { timings }),
    async list({ connection: { connectionUuid }, skillKey }, input, signal) {
      const skill = known.get(skillKey);
      if (!skill) throw new Error(`The skill ${skillKey} has no implementation.`);
      const callable = await readForRecords(deps.pg, connectionUuid, skillKey);
      if (callable !== null && callable.remoteAgentUuid !== null) {
        const question = { agentUuid: callable.remoteAgentUuid, skillKey, skillId: skill.contract.title, input, signal };
        return askForList({ ...asService(deps.db), pg: deps.pg }, callable, question);
      }
      return readList(skill, callable, input, deps, { operationKey: `records ${connectionUuid}`, signal });
    },
  });
  return {
    async searchRecords({ alertId, patienceSeconds = patienceSecondsOf(0), ...search }) {
      const copies = await listCopies(deps.pg, sources, alertId);
      const problems = await refresh(copies, {
        around: search.around,
        patienceSeconds,
        signal: Context.current().cancellationSignal,
      });
      return { ...(await searchCopies(deps.pg, copies, { alertId, ...search })), problems };
    },
  };
}
