import { sql } from 'drizzle-orm';
import { bigint, customType, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { epochSeconds } from '../columns.js';
import { cases } from './cases.js';
import { organizations, users } from './identity.js';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** What people still have to do for a case. */
export const caseTasks = pgTable(
  'case_tasks',
  {
    taskUuid: uuid().primaryKey(),
    caseUuid: uuid()
      .notNull()
      .references(() => cases.caseUuid),
    title: text().notNull(),
    createdBy: text().notNull(),
    createdByUuid: uuid().references(() => users.userUuid),
    createdAt: epochSeconds().notNull(),
    /** null: not done. */
    doneBy: text(),
    doneByUuid: uuid().references(() => users.userUuid),
    doneAt: epochSeconds(),
  },
  (table) => [index('case_tasks_by_case').on(table.caseUuid, table.taskUuid)],
);

/** The tasks that the cases of an alert type usually need. */
export const taskTemplates = pgTable(
  'task_templates',
  {
    templateUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    alertType: text().notNull(),
    tasks: text().array().notNull(),
    changedBy: text().notNull(),
    changedByUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    changedAt: epochSeconds().notNull(),
  },
  (table) => [uniqueIndex('task_templates_key').on(table.organizationUuid, sql`lower(${table.alertType})`)],
);

/** Files that people add to a case. Lists leave out the content. */
export const caseAttachments = pgTable(
  'case_attachments',
  {
    attachmentUuid: uuid().primaryKey(),
    caseUuid: uuid()
      .notNull()
      .references(() => cases.caseUuid),
    name: text().notNull(),
    size: integer().notNull(),
    /** Of the content, in hexadecimal digits. */
    sha256: text().notNull(),
    addedBy: text().notNull(),
    addedByUuid: uuid().references(() => users.userUuid),
    addedAt: epochSeconds().notNull(),
    content: bytes().notNull(),
  },
  (table) => [index('case_attachments_by_case').on(table.caseUuid, table.attachmentUuid)],
);

/** The people whom a comment mentions. */
export const caseMentions = pgTable(
  'case_mentions',
  {
    /** The comment in `case_timeline`. */
    entryNo: bigint({ mode: 'number' }).notNull(),
    caseUuid: uuid()
      .notNull()
      .references(() => cases.caseUuid),
    name: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.caseUuid, table.entryNo, table.name] })],
);
