import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { epochSeconds, unreferenced } from '../columns.js';
import { connections } from './connections.js';

/** How far the copy of a connection's records reaches. */
export const recordCopies = pgTable(
  'record_copies',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    kind: text().notNull(),
    coveredFrom: epochSeconds(),
    coveredUntil: epochSeconds(),
    /** The worker that reads the third party now; others wait for it until this time. */
    readingUntil: epochSeconds(),
    lastError: text(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.kind] })],
);

/** A third party's alert, incident or investigation in a common form. */
export const thirdPartyRecords = pgTable(
  'third_party_records',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    recordId: text().notNull(),
    /** Part of the cursor of the list: the third party's id has any form. */
    recordUuid: unreferenced('The id of this row', uuid().notNull().defaultRandom()),
    organizationUuid: unreferenced('That of the connection, which has a foreign key', uuid().notNull()),
    kind: text().notNull(),
    title: text().notNull(),
    severity: text(),
    isOpen: boolean().notNull(),
    conclusion: text(),
    state: text().notNull(),
    happenedAt: epochSeconds(),
    updatedAt: epochSeconds(),
    mergedInto: text(),
    alsoKnownAs: text().array().notNull(),
    techniques: text().array().notNull(),
    values: text().array().notNull(),
    copiedAt: epochSeconds().notNull(),
    /** The order of the list. Records without a time come last. */
    listedAt: epochSeconds().notNull().generatedAlwaysAs(sql`coalesce(updated_at, happened_at, to_timestamp(0))`),
  },
  (table) => [
    primaryKey({ columns: [table.connectionUuid, table.kind, table.recordId] }),
    uniqueIndex('third_party_records_newest').on(table.listedAt, table.recordUuid),
    index('third_party_records_newest_of_organization').on(table.organizationUuid, table.listedAt, table.recordUuid),
    index('third_party_records_newest_of_copy').on(table.connectionUuid, table.kind, table.listedAt, table.recordUuid),
    index('third_party_records_by_word').using('gin', sql`to_tsvector('simple', title)`),
    index('third_party_records_by_copy_time').on(table.copiedAt),
  ],
);

/** One row for each value of a record, so that an alert finds the records that share it. */
export const recordValues = pgTable(
  'record_values',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    value: text().notNull(),
    kind: text().notNull(),
    recordId: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionUuid, table.value, table.kind, table.recordId] }),
    index('record_values_by_record').on(table.connectionUuid, table.kind, table.recordId),
  ],
);
