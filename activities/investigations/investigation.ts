import { findSkillKey } from '../../connectors/skill-index.js';
import { findSharedEntities } from '../../db/alerts/correlation.js';
import type { Topic } from '../../db/changes.js';
import type { Db, PgClient } from '../../db/client.js';
import { findOrganizationUuid, readEnding, readForInvestigation, recordEvidence } from '../../db/investigations/lifecycle.js';
import { findAnswer } from '../../db/skills/skill-results.js';
import { findExposure } from '../../domain/alert/exposure.js';
import { writeCaseTitle } from '../../domain/case/case-title.js';
import type { AlertFacts, InvestigationActivities } from '../../domain/investigation/investigation.js';
import { listOwn } from '../../domain/organization/own-entities.js';
import { prunePlan } from '../../domain/playbook/prune-plan.js';
import { readAnswer } from '../../domain/playbook/read-answer.js';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import type { Metrics } from '../../platform/metrics.js';
import { beginInvestigation } from '../../services/investigations/begin.js';
import { concludeInvestigation } from '../../services/investigations/conclude.js';
import { asInvestigator } from '../../services/investigations/context.js';
import { failInvestigation } from '../../services/investigations/fail.js';
import { behaviourRules, findBehaviours } from '../entities/behaviours.js';
import type { EntityExtractor } from '../entities/extractor.js';
import type { SkillSet } from '../skills/perform-skill.js';
import { createLikelyDomains } from './likely-domains.js';

/** Limits the part of an alert's content that a workflow history holds. */
const CONTENT_IN_HISTORY_CHARACTERS = 16_384;
const DAY_SECONDS = 24 * 3600;

export interface InvestigationDeps {
  readonly db: Db;
  readonly pg: PgClient;
  readonly entities: EntityExtractor;
  readonly metrics: Metrics;
  readonly reconnectWaitSeconds: number;
}

export function truncateForHistory(alert: Omit<AlertFacts, 'contentTruncated'>): AlertFacts {
  return {
    ...alert,
    content: alert.content.slice(0, CONTENT_IN_HISTORY_CHARACTERS).toWellFormed(),
    contentTruncated: alert.content.length > CONTENT_IN_HISTORY_CHARACTERS,
  };
}

/** Runs of earlier builds name a source only by its title. */
function withSkillKey(entry: EvidenceDraft): EvidenceDraft {
  const { source } = entry;
  return source === null ? entry : { ...entry, source: { ...source, skill_key: source.skill_key ?? findSkillKey(source.skill_id) } };
}

export const INVESTIGATION_ACTIVITY_TOPICS = {
  begin: ['alerts', 'cases'],
  recordEvidence: ['alerts', 'cases'],
  conclude: ['alerts', 'cases'],
  fail: ['alerts', 'cases'],
  readAnswer: [],
  correlate: [],
  findLikelyOwn: [],
} as const satisfies Record<keyof InvestigationActivities, readonly Topic[]>;

/** Each activity is idempotent. */
export function createInvestigationActivities(
  { catalogue }: Pick<SkillSet, 'catalogue'>,
  deps: InvestigationDeps,
): InvestigationActivities {
  const kinds = new Map(Object.entries(catalogue).map(([name, { kind }]) => [name, kind]));
  const { db, pg, entities, metrics, reconnectWaitSeconds } = deps;
  const context = asInvestigator(deps);
  const likelyDomains = createLikelyDomains(db);
  const isConnected = (skill: string, connections: object) => Object.hasOwn(connections, kinds.get(skill.split('.')[0] ?? '') ?? '');
  return {
    async begin({ playbookId, investigatorId = playbookId, planVersion: chosenVersion = null, playbookReason = null, ...run }) {
      const { attempt, build = null, ...ref } = run;
      const playbook = { playbookUuid: playbookId, planVersion: chosenVersion };
      const investigated = await readForInvestigation(pg, ref, playbook);
      if (!investigated) return { stale: true, ended: await readEnding(db, ref) };
      const { plan, planVersion, connections, knowledge, contentDigest, ...alert } = investigated;
      const found = await entities.extract(alert.content);
      const begun = await beginInvestigation(context, ref, {
        attempt,
        playbookUuid: investigatorId,
        planVersion,
        playbookReason,
        build,
        entities: found.entities,
        names: found.names,
        contentDigest,
        title: writeCaseTitle(alert.type, found.entities),
      });
      // The source of an alert can replace its content until the case opens. The retry of the activity reads it again.
      const isChanged = begun === null && (await readForInvestigation(pg, ref, playbook)) !== null;
      if (isChanged) throw new Error(`The content of ${ref.alertId} changed while it was read.`);
      if (begun === null) return { stale: true, ended: await readEnding(db, ref) };
      return {
        stale: false,
        alert: {
          ...truncateForHistory(alert),
          sourceSeverity: found.header.severity,
          exposure: findExposure(alert.content, found.activity),
          ruleName: found.header.ruleName,
          techniques: found.header.techniques,
        },
        entities: found.entities,
        entitiesIncomplete: found.incomplete,
        own: listOwn(found.entities, knowledge),
        behaviours: findBehaviours(found.activity, behaviourRules()),
        plan: plan && prunePlan(plan, new Set(found.entities.map(({ kind }) => kind)), (skill) => isConnected(skill, connections)),
        playbookReason,
        ...begun,
        connections: Object.fromEntries(Object.entries(connections).map(([kind, found]) => [kind, { ...found, reconnectWaitSeconds }])),
      };
    },

    async recordEvidence({ attempt, ...ref }, entries) {
      await recordEvidence(pg, ref, { attempt, at: context.now(), entries: entries.map(withSkillKey) });
    },

    async conclude({ attempt, ...ref }, result) {
      const written = await concludeInvestigation(context, ref, { attempt, ...result, evidence: result.evidence.map(withSkillKey) });
      if (written) metrics.investigations.inc({ status: 'Completed' });
      // A worker can stop after the commit, before Temporal knows of it. The retry returns the same answer.
      return written || (await readEnding(db, ref))?.status === 'Completed';
    },

    async fail({ attempt, ...ref }, reason) {
      const written = await failInvestigation(context, ref, 'fail', { attempt, reason });
      if (written) metrics.investigations.inc({ status: 'Failed' });
      return written;
    },

    async readAnswer({ alertId, resultId, question, alert }) {
      const stored = await findAnswer(pg, { resultUuid: resultId, alertId });
      return stored && readAnswer(question, stored.output, alert);
    },

    async correlate({ alertId, by, withinDays }) {
      return findSharedEntities(pg, { alertId, kinds: by, sinceSeconds: Date.now() / 1000 - withinDays * DAY_SECONDS });
    },

    async findLikelyOwn({ alertId, domains }) {
      const organizationUuid = await findOrganizationUuid(db, alertId);
      return organizationUuid === null ? [] : likelyDomains.findAmong(domains, organizationUuid);
    },
  };
}
