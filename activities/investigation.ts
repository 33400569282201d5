import { findSharedEntities } from '../db/alerts/correlation.js';
import type { Db, PgClient } from '../db/client.js';
import * as lifecycle from '../db/investigations/lifecycle.js';
import type { AlertFacts, InvestigationActivities } from '../domain/investigation/investigation.js';
import type { Metrics } from '../platform/metrics.js';
import type { EntityExtractor } from './entities/extractor.js';

/** A workflow's history carries this much of an alert's content, whatever its size. */
const CONTENT_IN_HISTORY_CHARACTERS = 16_384;
const DAY_SECONDS = 24 * 3600;

export interface InvestigationDeps {
  readonly db: Db;
  readonly pg: PgClient;
  readonly entities: EntityExtractor;
  readonly metrics: Metrics;
  readonly reconnectWaitSeconds: number;
}

/** The alert as a playbook sees it. */
export function truncateForHistory(alert: Omit<AlertFacts, 'contentTruncated'>): AlertFacts {
  return {
    ...alert,
    content: alert.content.slice(0, CONTENT_IN_HISTORY_CHARACTERS).toWellFormed(),
    contentTruncated: alert.content.length > CONTENT_IN_HISTORY_CHARACTERS,
  };
}

/** The books of an investigation: each of these may run twice and leaves the same rows. */
export function createInvestigationActivities(deps: InvestigationDeps): InvestigationActivities {
  const { db, pg, entities, metrics, reconnectWaitSeconds } = deps;
  return {
    async begin({ playbookId, planVersion: chosenVersion = null, attempt, ...ref }) {
      const playbook = { playbookUuid: playbookId, planVersion: chosenVersion };
      const investigated = await lifecycle.readForInvestigation(pg, ref, playbook);
      if (!investigated) return { stale: true, ended: await lifecycle.readEnding(db, ref) };
      const { plan, planVersion, connections, ...alert } = investigated;
      const found = await entities.extract(alert.content);
      const begun = await lifecycle.begin(pg, ref, { attempt, playbookUuid: playbookId, planVersion, entities: found.entities });
      if (!begun) return { stale: true, ended: await lifecycle.readEnding(db, ref) };
      return {
        stale: false,
        alert: truncateForHistory(alert),
        entities: found.entities,
        entitiesIncomplete: found.incomplete,
        plan,
        connections: Object.fromEntries(Object.entries(connections).map(([kind, found]) => [kind, { ...found, reconnectWaitSeconds }])),
      };
    },

    async recordEvidence({ attempt, ...ref }, entries) {
      await lifecycle.recordEvidence(pg, ref, attempt, entries);
    },

    async conclude({ attempt, ...ref }, result) {
      const written = await lifecycle.conclude({ db, pg }, ref, { attempt, ...result });
      if (written) metrics.investigations.inc({ status: 'Completed' });
      // A worker that died after the commit has done it already: told again, it is the same answer.
      return written || (await lifecycle.readEnding(db, ref))?.status === 'Completed';
    },

    async fail({ attempt, ...ref }, reason) {
      const written = await lifecycle.fail(db, ref, 'fail', { attempt, reason });
      if (written) metrics.investigations.inc({ status: 'Failed' });
      return written;
    },

    async correlate({ alertId, by, withinDays }) {
      return findSharedEntities(pg, { alertId, kinds: by, sinceSeconds: Date.now() / 1000 - withinDays * DAY_SECONDS });
    },
  };
}
