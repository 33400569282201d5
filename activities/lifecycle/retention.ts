import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { Topic } from '../../db/changes.js';
import type { Db, PgClient } from '../../db/client.js';
import type { RetentionActivities } from '../../domain/organization/retention.js';
import type { Logger } from '../../platform/log.js';
import { applyRules } from '../../services/retention/apply-rules.js';

export interface RetentionDeps {
  readonly db: Db;
  readonly pg: PgClient;
  readonly client: Client;
  readonly log: Logger;
  readonly sharedRetentionDays: number;
}

export const RETENTION_ACTIVITY_TOPICS = {
  applyRetention: ['alerts', 'cases', 'proposals'],
} as const satisfies Record<keyof RetentionActivities, readonly Topic[]>;

export function createRetentionActivities(deps: RetentionDeps): RetentionActivities {
  return {
    async applyRetention() {
      const applied = await applyRules({ ...deps, heartbeat: () => Context.current().heartbeat() });
      const { deleted } = applied;
      if (Object.values(deleted).some((count) => count > 0)) deps.log.info({ deleted }, 'retention deleted data');
      return applied;
    },
  };
}
