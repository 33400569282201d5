import { sql } from 'drizzle-orm';
import { bigint, boolean, date, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { ConnectionState } from '../../domain/connection/connection.js';
import type { SkillKey } from '../../domain/skill-key.js';
import { epochSeconds, exactSeconds, oneOf, USER_OR_KEY, unreferenced } from '../columns.js';
import { remoteAgents } from './agents.js';
import { alerts } from './alerts.js';
import { organizations, users } from './identity.js';

/** A connection without its credentials. */
export interface ConnectionDefinition {
  readonly organizationUuid: string;
  /** The connector's kind (`endpoint-detection`). */
  readonly connectorKind: string;
  readonly instanceName: string;
  readonly description: string;
  readonly settings: Record<string, unknown>;
  readonly remoteAgentUuid: string | null;
  /** null: not chosen. */
  readonly needsSecondPerson: boolean | null;
  readonly feedsIntake: boolean;
}

/** An organization's account at a third party. `connection_secrets` has its encrypted secrets. */
export const connections = pgTable(
  'connections',
  {
    connectionUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    /** The connector's kind (`endpoint-detection`). */
    connectorKind: text().notNull(),
    instanceName: text().notNull(),
    description: text().notNull().default(''),
    settings: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Credential fields that are not secret, such as a tenant id. */
    plainCredentials: jsonb().$type<Record<string, unknown>>().notNull(),
    remoteAgentUuid: uuid().references(() => remoteAgents.agentUuid),
    /** For playbooks that name no connection. */
    isDefault: boolean().notNull().default(false),
    /** Writes need the approval of a second person. null: not chosen, so only sensitive ones do. */
    needsSecondPerson: boolean(),
    feedsIntake: boolean().notNull().default(false),
    state: text().$type<ConnectionState>().notNull().default('untested'),
    stateReason: text(),
    stateSince: epochSeconds().notNull(),
    /** Rises with new settings or credentials, and when a broken connection works again. */
    generation: integer().notNull().default(1),
    blockedUntil: exactSeconds(),
    blockReason: text(),
    failuresInARow: integer().notNull().default(0),
    /** Replies 429 without a success in between. */
    throttledInARow: integer().notNull().default(0),
    secretsSetAt: epochSeconds().notNull(),
    /** The day in UTC on which the third party stops accepting the secret; null: not known. */
    secretExpiresOn: date(),
    /** The last such day that the service announced, so that it announces each day once. */
    announcedExpiryOn: date(),
    testedAt: epochSeconds(),
    createdBy: unreferenced(USER_OR_KEY, uuid().notNull()),
    createdAt: epochSeconds().notNull(),
    modifiedAt: epochSeconds().notNull(),
  },
  (table) => [
    uniqueIndex('connections_instance_name_key').on(table.organizationUuid, table.instanceName),
    uniqueIndex('connections_default_key').on(table.organizationUuid, table.connectorKind).where(sql`is_default`),
    index('connections_by_organization').on(table.organizationUuid, table.connectionUuid),
    index('connections_by_agent').on(table.remoteAgentUuid),
    oneOf('connections', 'state', ConnectionState.options),
  ],
);

export const connectionSecrets = pgTable(
  'connection_secrets',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    field: text().notNull(),
    /** The master key that wraps the data key. */
    masterKeyId: text().notNull(),
    wrappedKey: text().notNull(),
    ciphertext: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.field] }), index('connection_secrets_by_key').on(table.masterKeyId)],
);

/** A link with which a customer hands over credentials once. The customer's address has the token; the row has only its hash. */
export const credentialLinks = pgTable(
  'credential_links',
  {
    linkUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    tokenHash: text().notNull(),
    /** null: the credentials create `newConnection`. */
    connectionUuid: uuid().references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    newConnection: jsonb().$type<ConnectionDefinition>(),
    createdBy: text().notNull(),
    createdByUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    holderUuid: uuid().references(() => users.userUuid),
    createdAt: epochSeconds().notNull(),
    expiresAt: epochSeconds().notNull(),
    usedAt: epochSeconds(),
    revokedAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('credential_links_token_key').on(table.tokenHash),
    index('credential_links_by_organization').on(table.organizationUuid, table.linkUuid),
    index('credential_links_by_connection').on(table.connectionUuid),
    index('credential_links_by_holder').on(table.holderUuid).where(sql`used_at is null and revoked_at is null`),
  ],
);

/** Requests of a connection by second, so that its rate limit holds for all workers. The SQL function `acquire_slot` counts. */
export const rateLimitBuckets = pgTable(
  'rate_limit_buckets',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    second: bigint({ mode: 'number' }).notNull(),
    taken: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.second] })],
);

/** A skill that the third party does not permit. A passed test of the connection deletes the row. */
export const connectionRefusals = pgTable(
  'connection_refusals',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    skillKey: text().$type<SkillKey>().notNull(),
    /** The title, see `skill_results`. */
    skillId: text().notNull(),
    reason: text().notNull(),
    resolution: text(),
    since: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.skillKey] })],
);

/** Workflows that wait for a broken connection; `generation` is the one that failed. */
export const connectionWaiters = pgTable(
  'connection_waiters',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    workflowId: text().notNull(),
    alertUuid: uuid().references(() => alerts.alertUuid, { onDelete: 'cascade' }),
    skillKey: text().$type<SkillKey>().notNull(),
    /** The title, see `skill_results`. */
    skillId: text().notNull(),
    generation: integer().notNull(),
    reason: text().notNull(),
    since: epochSeconds().notNull(),
    until: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.workflowId] }), index('connection_waiters_by_alert').on(table.alertUuid)],
);

/** A permanent uuid for a key that must stay secret. */
export const keyUuids = pgTable('key_uuids', {
  digest: text().primaryKey(),
  keyUuid: unreferenced('The id of this row', uuid().notNull()),
});
