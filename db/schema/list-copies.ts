import { foreignKey, index, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { exactSeconds, unreferenced } from '../columns.js';
import { connections } from './connections.js';

/** The copy of a third party's list, which answers questions about single items. */
export const listCopies = pgTable(
  'list_copies',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    kind: text().notNull(),
    /** That of the connection: other settings or credentials may show another list. */
    generation: integer().notNull(),
    /** The copied period, as the connector numbers them. */
    period: smallint().notNull().default(0),
    /** null with `read_at`: the period has no limit on this side. */
    coveredFrom: exactSeconds(),
    coveredUntil: exactSeconds(),
    /** The copy shows the list of this time; null: there is no complete copy. */
    readAt: exactSeconds(),
    /** The last time that all items were read. */
    wholeAt: exactSeconds(),
    /** The list cannot be copied until then; questions go to the third party. */
    unusableUntil: exactSeconds(),
    lastError: text(),
    /** The worker that reads the list now; its turn ends at this time. */
    readingBy: text(),
    readingUntil: exactSeconds(),
    usedAt: exactSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.kind] }), index('list_copies_by_use').on(table.usedAt)],
);

export const copiedItems = pgTable(
  'copied_items',
  {
    connectionUuid: unreferenced('Part of a foreign key', uuid().notNull()),
    kind: text().notNull(),
    itemId: text().notNull(),
    at: exactSeconds(),
    item: jsonb().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionUuid, table.kind, table.itemId] }),
    foreignKey({
      name: 'copied_items_copy',
      columns: [table.connectionUuid, table.kind],
      foreignColumns: [listCopies.connectionUuid, listCopies.kind],
    }).onDelete('cascade'),
  ],
);

/** One row for each key of an item, so that a question finds it. */
export const copiedItemKeys = pgTable(
  'copied_item_keys',
  {
    connectionUuid: unreferenced('Part of a foreign key', uuid().notNull()),
    kind: text().notNull(),
    key: text().notNull(),
    itemId: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionUuid, table.kind, table.key, table.itemId] }),
    // The item first: otherwise Postgres could use it to find keys, and read all of the copy.
    index('copied_item_keys_by_item').on(table.itemId, table.connectionUuid, table.kind),
    foreignKey({
      name: 'copied_item_keys_item',
      columns: [table.connectionUuid, table.kind, table.itemId],
      foreignColumns: [copiedItems.connectionUuid, copiedItems.kind, copiedItems.itemId],
    }).onDelete('cascade'),
  ],
);
