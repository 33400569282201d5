import { isDeepStrictEqual } from 'node:util';
import { catalogue } from '../../connectors/catalogue.js';
import type { Catalogue, SkillContract } from '../../connectors/kit/define.js';
import { findSkillTitle } from '../../connectors/skill-index.js';
import { findSharedEntities } from '../../db/alerts/correlation.js';
import type { Topic } from '../../db/changes.js';
import type { Db, PgClient } from '../../db/client.js';
import {
  listPastInvestigations,
  type PastFilter,
  type PastInvestigation,
  readStoredAnswers,
} from '../../db/investigations/past-investigations.js';
import { alertTime } from '../../domain/alert/source-time.js';
import type { Entity } from '../../domain/entity/entity.js';
import type { BehaviourFound } from '../../domain/investigation/behaviour.js';
import type { AlertFacts, SharedEntity } from '../../domain/investigation/investigation.js';
import type { OwnEntity } from '../../domain/organization/knowledge.js';
import { listOwn } from '../../domain/organization/own-entities.js';
import { type AuthorRun, type Comparison, type ComparisonActivities, isChanged, MAX_COMPARED } from '../../domain/playbook/comparison.js';
import type { Plan } from '../../domain/playbook/playbook.js';
import type { RecordAnswer } from '../../domain/record/record.js';
import type { SkillKey } from '../../domain/skill-key.js';
import { selectCounted } from '../../domain/verdict/verdict.js';
import { listCopiedSources, listCopies } from '../../services/records/copies.js';
import { searchCopies } from '../../services/records/search-copies.js';
import { behaviourRules, findBehaviours } from '../entities/behaviours.js';
import type { EntityExtractor } from '../entities/extractor.js';
import { truncateForHistory } from './investigation.js';
import { createLikelyDomains } from './likely-domains.js';

const DAY_SECONDS = 86_400;

/** The facts of one past alert, and the answers that its third parties gave. */
interface PastAlert {
  readonly alert: AlertFacts;
  readonly entities: readonly Entity[];
  readonly own: readonly OwnEntity[];
  readonly behaviours: readonly BehaviourFound[];
  isConnected(connector: string): boolean;
  answer(skill: { skillKey: SkillKey; contract: SkillContract }, input: unknown): object | 'unknown' | null;
  searchRecords(values: readonly string[]): Promise<RecordAnswer>;
  findLikelyOwn(domains: string[]): Promise<string[]>;
  correlate(question: { by: Entity['kind'][]; withinDays: number }): Promise<SharedEntity[]>;
}

export interface ComparisonDeps {
  readonly db: Db;
  readonly pg: PgClient;
  readonly entities: EntityExtractor;
  /** Runs a plan outside of a workflow: activities do not import workflow code. */
  runPlan(given: PastAlert & { plan: Plan }): Promise<AuthorRun>;
}

export const COMPARISON_ACTIVITY_TOPICS = { comparePlan: [] } as const satisfies Record<keyof ComparisonActivities, readonly Topic[]>;

export function createComparisonActivities(deps: ComparisonDeps): ComparisonActivities {
  return {
    async comparePlan({ playbookId, organizationUuid, plan }) {
      const filter = { playbookUuids: [playbookId], typeKeys: [], organizationUuid, limit: MAX_COMPARED };
      const comparisons = await compareWithPast(deps, filter, (past) => deps.runPlan({ ...past, plan }));
      return { compared: comparisons.length, changed: comparisons.filter(isChanged) };
    },
  };
}

/** Runs a playbook over the recorded answers of past investigations. Only reads, and asks no third party. */
export async function compareWithPast(
  { db, pg, entities }: Omit<ComparisonDeps, 'runPlan'>,
  filter: PastFilter,
  run: (past: PastAlert) => Promise<AuthorRun>,
): Promise<Comparison[]> {
  const likelyDomains = createLikelyDomains(db);
  const comparisons: Comparison[] = [];
  for (const past of await listPastInvestigations(pg, filter)) {
    const { conclusion, evidence, proposals } = await run(await readPastAlert(past));
    const [deciding] = selectCounted(evidence).sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
    comparisons.push({
      alert_id: past.alert.id,
      before: { ...past.judgement, proposals: sortedTitles(past.judgement.proposals.map(findSkillTitle)) },
      after: {
        verdict: conclusion.verdict,
        score: conclusion.score,
        gaps: sortedTitles(evidence.filter(({ kind }) => kind === 'gap').map(({ title }) => title)),
        proposals: sortedTitles(proposals),
      },
      decided_by: deciding ? `${deciding.points > 0 ? '+' : ''}${deciding.points} ${deciding.title}` : 'no finding',
    });
  }
  return comparisons;

  async function readPastAlert({ alertUuid, organizationUuid, alert }: PastInvestigation): Promise<PastAlert> {
    const { answers, unknown, connected, knowledge } = await readStoredAnswers(pg, alertUuid);
    const found = await entities.extract(alert.content);
    const facts = truncateForHistory(alert);
    const connectors: Catalogue = catalogue;
    return {
      alert: facts,
      entities: found.entities,
      own: listOwn(found.entities, knowledge),
      behaviours: findBehaviours(found.activity, behaviourRules()),
      isConnected: (name) => connected.has(connectors[name]?.kind ?? ''),
      answer({ skillKey, contract }, input) {
        const asked = contract.input.safeParse(input);
        const stored = answers.find((each) => each.skillKey === skillKey && isDeepStrictEqual(each.input, asked.data));
        if (!stored && unknown.some((each) => each.skillKey === skillKey)) return 'unknown';
        const output = stored && contract.output.safeParse(stored.output);
        return output?.data ?? null;
      },
      async searchRecords(values) {
        const copies = await listCopies(pg, listCopiedSources(catalogue), alert.id);
        return { ...(await searchCopies(pg, copies, { alertId: alert.id, values, around: alertTime(facts) })), problems: [] };
      },
      findLikelyOwn: (domains) => likelyDomains.findAmong(domains, organizationUuid),
      correlate: ({ by, withinDays }) =>
        findSharedEntities(pg, { alertId: alert.id, kinds: by, sinceSeconds: alert.createdAt - withinDays * DAY_SECONDS }),
    };
  }
}

function sortedTitles(titles: readonly string[]): string[] {
  return [...new Set(titles)].sort();
}
