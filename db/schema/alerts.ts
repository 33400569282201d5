import { sql } from 'drizzle-orm';
import { bigint, customType, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { EntityKind } from '../../domain/alert/entity.js';
import { epochSeconds, int64 } from '../columns.js';

/**
 * Intake writes thousands of rows a second that share a few parents: a foreign key would lock the same parent row in every
 * transaction. Parents are never deleted, so none is needed.
 */
export const alerts = pgTable(
  'alerts',
  {
    alertUuid: uuid().primaryKey(),
    alertId: text().notNull(),
    organizationUuid: uuid().notNull(),
    providerUuid: uuid().notNull(),
    alertType: text().notNull(),
    alertTypeKey: text().notNull(),
    alertContent: text().notNull(),
    createdAtSource: int64(),
    createdBy: uuid().notNull(),
    createdAt: epochSeconds().notNull(),
    modifiedAt: epochSeconds().notNull(),
    investigationStatus: smallint().notNull().default(0),
    investigationRetryCount: integer().notNull().default(0),
    investigationNo: integer().notNull().default(1),
    /** The investigation that Temporal last accepted; behind `investigation_no`, the row waits in the outbox. */
    dispatchedNo: integer().notNull().default(0),
    leaseUntil: epochSeconds(),
    requeueCount: smallint().notNull().default(0),
    playbookUuid: uuid(),
    /** The version of the generated plan that its newest investigation began with. */
    planVersion: integer(),
    /** Set by a re-run from a step: answers that were stored before this result are used again instead of asked again. */
    reuseBefore: uuid(),
    completedAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('alerts_alert_id_key').on(table.alertId),
    index('alerts_outbox').on(table.organizationUuid, table.alertUuid).where(sql`dispatched_no < investigation_no`),
    index('alerts_by_organization').on(table.organizationUuid, table.alertUuid),
    index('alerts_by_organization_status').on(table.organizationUuid, table.investigationStatus, table.alertUuid),
    index('alerts_by_status').on(table.investigationStatus, table.alertUuid),
    index('alerts_by_provider').on(table.providerUuid, table.alertUuid),
    index('alerts_by_type').on(table.alertTypeKey, table.alertUuid),
    index('alerts_by_creator').on(table.createdBy, table.alertUuid),
  ],
);

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * The words an alert can be found by, written when its case is opened: indexing text costs more than all the rest of an
 * alert's row, and intake should not wait for it.
 */
export const alertTexts = pgTable(
  'alert_texts',
  {
    alertUuid: uuid().primaryKey(),
    words: tsvector().notNull(),
  },
  (table) => [index('alert_texts_by_word').using('gin', table.words)],
);

export const alertSequences = pgTable(
  'alert_sequences',
  {
    organizationUuid: uuid().notNull(),
    providerUuid: uuid().notNull(),
    lastNumber: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.providerUuid] })],
);

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    principalUuid: uuid().notNull(),
    key: text().notNull(),
    bodyDigest: text().notNull(),
    alertUuid: uuid().notNull(),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.principalUuid, table.key] }), index('idempotency_keys_by_age').on(table.createdAt)],
);

export const alertEntities = pgTable(
  'alert_entities',
  {
    alertUuid: uuid().notNull(),
    organizationUuid: uuid().notNull(),
    kind: text().$type<EntityKind>().notNull(),
    value: text().notNull(),
    /** A value may be longer than an index entry can be. */
    digest: uuid().notNull().generatedAlwaysAs(sql`md5(value)::uuid`),
  },
  (table) => [
    primaryKey({ columns: [table.alertUuid, table.kind, table.digest] }),
    index('alert_entities_by_value').on(table.organizationUuid, table.kind, table.digest, table.alertUuid),
  ],
);
