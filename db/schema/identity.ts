import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Role } from '../../domain/identity/identity.js';
import { epochSeconds } from '../columns.js';

export const organizations = pgTable(
  'organizations',
  {
    organizationUuid: uuid().primaryKey(),
    organizationCode: text().notNull(),
    name: text().notNull(),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [uniqueIndex('organizations_code_key').on(sql`lower(${table.organizationCode})`)],
);

export const providers = pgTable(
  'providers',
  {
    providerUuid: uuid().primaryKey(),
    name: text().notNull(),
    segment: text().notNull(),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [uniqueIndex('providers_name_key').on(table.name), uniqueIndex('providers_segment_key').on(table.segment)],
);

export const apiKeys = pgTable(
  'api_keys',
  {
    keyUuid: uuid().primaryKey(),
    name: text().notNull(),
    role: text().$type<Role>().notNull(),
    organizationUuid: uuid().references(() => organizations.organizationUuid),
    /** The first half of the hash finds the row; the full hash is compared in constant time. */
    lookup: text().notNull(),
    hash: text().notNull(),
    createdAt: epochSeconds().notNull(),
    expiresAt: epochSeconds(),
    revokedAt: epochSeconds(),
  },
  (table) => [uniqueIndex('api_keys_lookup_key').on(table.lookup)],
);

/** Append-only: a trigger refuses updates and deletes, except by a retention rule and by a running erasure. */
export const auditLog = pgTable(
  'audit_log',
  {
    entryNo: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: epochSeconds().notNull(),
    principalUuid: uuid(),
    principalName: text().notNull(),
    organizationUuid: uuid(),
    action: text().notNull(),
    target: text().notNull(),
    details: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [
    index('audit_log_by_organization').on(table.organizationUuid, table.entryNo),
    // Most entries are `alert.create`. The partial indexes exclude them, so that the intake does not pay for them.
    index('audit_log_by_principal').on(table.principalName, table.entryNo).where(sql`action <> 'alert.create'`),
    index('audit_log_by_target').on(table.target, table.entryNo).where(sql`action <> 'alert.create'`),
    index('audit_log_by_action').on(table.action, table.entryNo).where(sql`action <> 'alert.create'`),
  ],
);
