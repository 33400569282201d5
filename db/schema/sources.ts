import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { epochSeconds, unreferenced } from '../columns.js';
import { connections } from './connections.js';

/** The position up to which a source was read. */
export const sourceWatermarks = pgTable('source_watermarks', {
  connectionUuid: uuid()
    .primaryKey()
    .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
  readUntil: epochSeconds().notNull(),
  lastReadAt: epochSeconds(),
  lastError: text(),
});

/** Items taken from a source, by the third party's id. The primary key prevents a second alert for one item. */
export const sourceItems = pgTable(
  'source_items',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    sourceId: text().notNull(),
    /** Changes when the third party changes the item. */
    revision: text().notNull(),
    alertUuid: unreferenced('An item outlives its alert, so that a source does not bring the alert again', uuid().notNull()),
    takenAt: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.sourceId] })],
);

/** Stream events, stored before they are acknowledged. */
export const streamEvents = pgTable(
  'stream_events',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    eventKey: text().notNull(),
    at: epochSeconds().notNull(),
    event: jsonb().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionUuid, table.eventKey] }),
    index('stream_events_by_time').on(table.connectionUuid, table.at),
  ],
);
