import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { epochSeconds, USER_OR_KEY, unreferenced } from '../columns.js';
import { organizations, users } from './identity.js';

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
    /** As in `api_keys`. Not `enrolledBy`, who counts as one of the two people that confirm: a hand-over must not change that. */
    holderUuid: uuid().references(() => users.userUuid),
    /** A person of the organization itself, or two people, confirmed it. null: it gets no new secrets. */
    confirmedAt: epochSeconds(),
    revokedAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('remote_agents_token_key').on(table.tokenHash),
    uniqueIndex('remote_agents_name_key').on(table.organizationUuid, table.name),
    index('remote_agents_by_holder').on(table.holderUuid).where(sql`revoked_at is null`),
  ],
);
