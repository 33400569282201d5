import { pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { epochSeconds, USER_OR_KEY, unreferenced } from '../columns.js';
import { organizations } from './identity.js';

export const remoteAgents = pgTable(
  'remote_agents',
  {
    agentUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    name: text().notNull(),
    tokenHash: text().notNull(),
    version: text(),
    lastSeenAt: epochSeconds(),
    /** The reconciler noticed that the agent does not respond. Its next call resets it. */
    awaySince: epochSeconds(),
    createdAt: epochSeconds().notNull(),
    /** null: before the service stored it. Such an agent keeps the secrets that it had. */
    enrolledBy: unreferenced(USER_OR_KEY, uuid()),
    /** A person of the organization itself, or two people, confirmed it. null: it gets no new secrets. */
    confirmedAt: epochSeconds(),
    revokedAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('remote_agents_token_key').on(table.tokenHash),
    uniqueIndex('remote_agents_name_key').on(table.organizationUuid, table.name),
  ],
);
