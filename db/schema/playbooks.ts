import { type AnyPgColumn, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { Category } from '../../domain/alert/category.js';
import { type Plan, PlaybookOrigin } from '../../domain/playbook/playbook.js';
import { Severity } from '../../domain/verdict/evidence.js';
import { epochSeconds, oneOf } from '../columns.js';
import { organizations, users } from './identity.js';

export const playbooks = pgTable(
  'playbooks',
  {
    playbookUuid: uuid().primaryKey(),
    /** null: for all organizations. */
    organizationUuid: uuid().references(() => organizations.organizationUuid),
    name: text().notNull(),
    origin: text().$type<PlaybookOrigin>().notNull(),
    workflowType: text().notNull(),
    severity: text().$type<Severity>(),
    /** The categories of alerts that a written playbook takes without a matching type. */
    categories: text().array().$type<Category[]>().notNull().default([]),
    /** The newest version of the plan; 1 for a written playbook. */
    version: integer().notNull().default(1),
    /** New investigations use this version; null: the newest. */
    pinnedVersion: integer(),
    /** The category whose alert types use the plan of this generated playbook. null: written, or for its own types only. */
    sharedFor: text(),
    /** The playbook of the category whose plan this one uses until a person edits it. null: it has its own. */
    planOf: uuid().references((): AnyPgColumn => playbooks.playbookUuid),
    createdAt: epochSeconds().notNull(),
    modifiedAt: epochSeconds().notNull(),
    /** It takes no more alerts and appears in no list. The row stays for the investigations that used it. */
    deletedAt: epochSeconds(),
  },
  (table) => [
    unique('playbooks_shared').on(table.organizationUuid, table.sharedFor),
    index('playbooks_by_creation').on(table.organizationUuid, table.createdAt),
    index('playbooks_by_plan').on(table.planOf),
    oneOf('playbooks', 'origin', PlaybookOrigin.options),
    oneOf('playbooks', 'severity', Severity.options),
  ],
);

/** Plans are immutable: an edit is a new version, and an investigation keeps its version. */
export const playbookPlans = pgTable(
  'playbook_plans',
  {
    playbookUuid: uuid()
      .notNull()
      .references(() => playbooks.playbookUuid),
    version: integer().notNull(),
    plan: jsonb().$type<Plan>().notNull(),
    /** The name of the principal; null for the service. */
    author: text(),
    authorUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    madeFrom: integer(),
    /** The digest of the planner; null for a person's plan. A newer planner may add a version. */
    planner: text(),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.playbookUuid, table.version] })],
);

/** The unique key allows only one playbook when two alerts bring a new type at the same moment. */
export const playbookAlertTypes = pgTable(
  'playbook_alert_types',
  {
    organizationUuid: uuid().references(() => organizations.organizationUuid),
    alertTypeKey: text().notNull(),
    alertType: text().notNull(),
    /** Its plan investigates the type. */
    playbookUuid: uuid()
      .notNull()
      .references(() => playbooks.playbookUuid, { onDelete: 'cascade' }),
    /** The playbook that is named after the type. null: a written playbook, or an earlier version of the service made the row. */
    investigatorUuid: uuid().references(() => playbooks.playbookUuid, { onDelete: 'cascade' }),
  },
  (table) => [
    unique('playbook_alert_types_key').on(table.alertTypeKey, table.organizationUuid).nullsNotDistinct(),
    index('playbook_alert_types_by_playbook').on(table.playbookUuid),
    index('playbook_alert_types_by_investigator').on(table.investigatorUuid),
  ],
);
