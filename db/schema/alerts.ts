import { sql } from 'drizzle-orm';
import { bigint, customType, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { EntityKind, EntityRole } from '../../domain/entity/entity.js';
import { NAME_FAMILIES, type NameFamily } from '../../domain/entity/names.js';
import { epochSeconds, int64, oneOf, PER_ALERT, USER_OR_KEY, unreferenced } from '../columns.js';

const INTAKE =
  'The intake writes thousands of rows a second for a few parents, and each would lock its parent row. Parents are never deleted';

export const alerts = pgTable(
  'alerts',
  {
    alertUuid: uuid().primaryKey(),
    alertId: text().notNull(),
    organizationUuid: unreferenced(INTAKE, uuid().notNull()),
    providerUuid: unreferenced(INTAKE, uuid().notNull()),
    alertType: text().notNull(),
    alertTypeKey: text().notNull(),
    alertContent: text().notNull(),
    createdAtSource: int64(),
    createdBy: unreferenced(INTAKE, uuid().notNull()),
    createdAt: epochSeconds().notNull(),
    modifiedAt: epochSeconds().notNull(),
    investigationStatus: smallint().notNull().default(0),
    investigationRetryCount: integer().notNull().default(0),
    investigationNo: integer().notNull().default(1),
    /** The last investigation that Temporal accepted. While it is below `investigation_no`, the row is in the outbox. */
    dispatchedNo: integer().notNull().default(0),
    leaseUntil: epochSeconds(),
    requeueCount: smallint().notNull().default(0),
    /** The retries of earlier runs of this investigation, which Temporal lost. */
    retriesBeforeRun: integer().notNull().default(0),
    playbookUuid: unreferenced(PER_ALERT, uuid()),
    /** The plan version of the newest investigation. */
    planVersion: integer(),
    /** Why this playbook investigates the alert. */
    playbookReason: text(),
    /** A re-run from a step uses the answers again that were stored before this result. */
    reuseBefore: unreferenced('A position among the answers, which retention deletes', uuid()),
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
    // Partial, so that the intake does not pay for it.
    index('alerts_by_completion').on(table.completedAt, table.alertUuid).where(sql`completed_at is not null`),
  ],
);

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** The search index, written when the case is opened: indexing the text costs more than the rest of the intake. */
export const alertTexts = pgTable(
  'alert_texts',
  {
    alertUuid: uuid().primaryKey(),
    words: tsvector().notNull(),
    /** The block of the alert, see `searchBlocks`. */
    blockNo: integer().notNull(),
  },
  // Each search reads the index once for a block, and would read all pending entries each time.
  (table) => [index('alert_texts_by_word').using('gin', sql`block_words(${table.blockNo}, ${table.words})`).with({ fastupdate: false })],
);

/**
 * Some thousand alerts that follow each other. The index has each word once for a block, so that the newest matches of a search are found
 * without the older ones. A block begins with this id and ends before the next one. Earlier alerts
 * belong to block 0.
 */
export const searchBlocks = pgTable(
  'search_blocks',
  {
    blockNo: integer().primaryKey(),
    firstAlertUuid: unreferenced('A position among the alerts, which retention deletes', uuid().notNull()),
  },
  (table) => [uniqueIndex('search_blocks_first_alert_key').on(table.firstAlertUuid)],
);

export const alertSequences = pgTable(
  'alert_sequences',
  {
    organizationUuid: unreferenced(INTAKE, uuid().notNull()),
    providerUuid: unreferenced(INTAKE, uuid().notNull()),
    lastNumber: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.providerUuid] })],
);

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    principalUuid: unreferenced(USER_OR_KEY, uuid().notNull()),
    key: text().notNull(),
    bodyDigest: text().notNull(),
    alertUuid: unreferenced(INTAKE, uuid().notNull()),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.principalUuid, table.key] }), index('idempotency_keys_by_age').on(table.createdAt)],
);

export const alertEntities = pgTable(
  'alert_entities',
  {
    alertUuid: unreferenced(PER_ALERT, uuid().notNull()),
    organizationUuid: unreferenced(PER_ALERT, uuid().notNull()),
    kind: text().$type<EntityKind>().notNull(),
    value: text().notNull(),
    /** The role that the alert states; null where it states none. */
    role: text().$type<EntityRole>(),
    /** A value may be too long for an index entry. */
    digest: uuid().notNull().generatedAlwaysAs(sql`md5(value)::uuid`),
  },
  (table) => [
    primaryKey({ columns: [table.alertUuid, table.kind, table.digest] }),
    index('alert_entities_by_value').on(table.organizationUuid, table.kind, table.digest, table.alertUuid),
    oneOf('alert_entities', 'kind', EntityKind.options),
    oneOf('alert_entities', 'role', EntityRole.options),
  ],
);

/** Each entity of an organization once, so that a part of a value is found without reading the alerts. */
export const entityValues = pgTable(
  'entity_values',
  {
    organizationUuid: unreferenced(PER_ALERT, uuid().notNull()),
    kind: text().$type<EntityKind>().notNull(),
    value: text().notNull(),
    /** As in `alert_entities`. */
    digest: uuid().notNull().generatedAlwaysAs(sql`md5(value)::uuid`),
  },
  (table) => [
    primaryKey({ columns: [table.organizationUuid, table.kind, table.digest] }),
    index('entity_values_by_part').using('gin', table.value.op('gin_trgm_ops')),
    index('entity_values_by_name').on(table.organizationUuid, nameOf(table)).where(sql`kind in ('host', 'user', 'email')`),
    oneOf('entity_values', 'kind', EntityKind.options),
  ],
);

/** The short name that all spellings of a host or an account share: `readSharedName` in SQL. */
export function nameOf({ kind, value }: { readonly kind: unknown; readonly value: unknown }) {
  return sql`lower(left(case when ${kind} = 'host' then split_part(${value}, '.', 1) else split_part(regexp_replace(${value}, '^.*\\\\', ''), '@', 1) end, 200))`;
}

/** A short and a full name that an alert or a record of a third party states for one host or account. */
export const provenNames = pgTable(
  'proven_names',
  {
    organizationUuid: unreferenced(PER_ALERT, uuid().notNull()),
    family: text().$type<NameFamily>().notNull(),
    /** The short name without the domain of an account. */
    name: text().notNull(),
    short: text().notNull(),
    full: text().notNull(),
    statedAt: epochSeconds().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationUuid, table.family, table.name, table.short, table.full] }),
    oneOf('proven_names', 'family', NAME_FAMILIES),
  ],
);
