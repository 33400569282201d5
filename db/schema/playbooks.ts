import { index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { Severity } from '../../domain/case/evidence.js';
import type { Plan, PlaybookOrigin } from '../../domain/playbook/playbook.js';
import { epochSeconds } from '../columns.js';
import { organizations } from './identity.js';

export const playbooks = pgTable('playbooks', {
  playbookUuid: uuid().primaryKey(),
  /** null: serves every organization. */
  organizationUuid: uuid().references(() => organizations.organizationUuid),
  name: text().notNull(),
  origin: text().$type<PlaybookOrigin>().notNull(),
  workflowType: text().notNull(),
  severity: text().$type<Severity>(),
  /** The newest version of the plan; 1 for a written playbook. */
  version: integer().notNull().default(1),
  /** New investigations take this version; null: the newest. */
  pinnedVersion: integer(),
  createdAt: epochSeconds().notNull(),
  modifiedAt: epochSeconds().notNull(),
});

/** Plans are never changed: an edit is a new version, and an investigation keeps the one it began with. */
export const playbookPlans = pgTable(
  'playbook_plans',
  {
    playbookUuid: uuid()
      .notNull()
      .references(() => playbooks.playbookUuid),
    version: integer().notNull(),
    plan: jsonb().$type<Plan>().notNull(),
    /** Name of the principal; null where the service made it. */
    author: text(),
    madeFrom: integer(),
    /** Which planner made it; another one may make a better plan. null for a person's. */
    planner: text(),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.playbookUuid, table.version] })],
);

/** The unique key makes one playbook of two alerts that bring a new type at the same moment. */
export const playbookAlertTypes = pgTable(
  'playbook_alert_types',
  {
    organizationUuid: uuid(),
    alertTypeKey: text().notNull(),
    alertType: text().notNull(),
    playbookUuid: uuid().notNull(),
  },
  (table) => [
    unique('playbook_alert_types_key').on(table.alertTypeKey, table.organizationUuid).nullsNotDistinct(),
    index('playbook_alert_types_by_playbook').on(table.playbookUuid),
  ],
);
