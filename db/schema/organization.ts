import { boolean, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { KnowledgeKind } from '../../domain/organization/knowledge.js';
import { epochSeconds, oneOf } from '../columns.js';
import { organizations, users } from './identity.js';

/** What an organization knows about itself, and the suggestions that it rejected. */
export const organizationKnowledge = pgTable(
  'organization_knowledge',
  {
    knowledgeUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    kind: text().$type<KnowledgeKind>().notNull(),
    value: text().notNull(),
    note: text().notNull(),
    /** A rejected suggestion has no effect; it is not suggested again. */
    isRejected: boolean().notNull().default(false),
    createdBy: text().notNull(),
    createdByUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [
    uniqueIndex('organization_knowledge_key').on(table.organizationUuid, table.kind, table.value),
    oneOf('organization_knowledge', 'kind', KnowledgeKind.options),
  ],
);

/**
 * Values that so many different people or machines share that an investigation counted them for none. Each is a suggestion until
 * `organization_knowledge` has the value, as an entry or as rejected.
 */
export const sharedValues = pgTable(
  'shared_values',
  {
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    kind: text().$type<KnowledgeKind>().notNull(),
    value: text().notNull(),
    records: integer().notNull(),
    people: integer().notNull(),
    machines: integer().notNull(),
    cases: integer().notNull(),
    days: integer().notNull(),
    /** When an investigation found it last. */
    foundAt: epochSeconds().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationUuid, table.kind, table.value] }),
    oneOf('shared_values', 'kind', KnowledgeKind.options),
  ],
);
