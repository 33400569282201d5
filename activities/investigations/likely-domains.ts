import { LRUCache } from 'lru-cache';
import { ownNameSources } from '../../connectors/skill-index.js';
import type { Db } from '../../db/client.js';
import { readKnowledge } from '../../db/organization/knowledge.js';
import { readOwnNames } from '../../db/organization/suggestions.js';
import { listLikelyDomains } from '../../domain/organization/suggestions.js';

const MAX_ORGANIZATIONS = 1_000;
/** They change rarely, and reading them takes longer than other steps of an investigation. */
const READ_AGAIN_AFTER_MS = 10_000;

export interface LikelyDomains {
  /** Those of the given domains that likely belong to the organization. */
  findAmong(given: readonly string[], organizationUuid: string): Promise<string[]>;
}

/**
 * Knows the domains that several machines or people of an organization use, without those that an admin rejected. Only the first
 * reader waits. Later ones get the last list while it is read again.
 */
export function createLikelyDomains(db: Db): LikelyDomains {
  const cache = new LRUCache<string, readonly string[]>({
    max: MAX_ORGANIZATIONS,
    ttl: READ_AGAIN_AFTER_MS,
    allowStale: true,
    fetchMethod: async (organizationUuid) => {
      const [names, rejected] = await Promise.all([
        readOwnNames(db, organizationUuid, ownNameSources),
        readKnowledge(db, organizationUuid, { isRejected: true }),
      ]);
      return listLikelyDomains(names).filter((domain) => !rejected.some(({ value }) => value === domain));
    },
  });
  return {
    async findAmong(given, organizationUuid) {
      const own = (await cache.fetch(organizationUuid)) ?? [];
      return given.filter((domain) => own.some((each) => domain === each || domain.endsWith(`.${each}`)));
    },
  };
}
