import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { RetentionKind } from '../../domain/organization/retention.js';
import { Severity } from '../../domain/verdict/evidence.js';
import { epochSeconds, oneOf } from '../columns.js';
import { cases } from './cases.js';
import { organizations, users } from './identity.js';

/**
 * How long an organization keeps a kind of data. Without a row it keeps everything. The row without an organization has the setting
 * `SHARED_RETENTION_DAYS`.
 */
export const retentionRules = pgTable(
  'retention_rules',
  {
    organizationUuid: uuid().references(() => organizations.organizationUuid),
    kind: text().$type<RetentionKind>().notNull(),
    /** null: cases of every severity that has no rule of its own. */
    severity: text().$type<Severity>(),
    days: integer().notNull(),
  },
  (table) => [
    unique('retention_rules_key').on(table.organizationUuid, table.kind, table.severity).nullsNotDistinct(),
    // The trigger of the audit log trusts these rules.
    check('retention_rules_days', sql`days >= case kind when 'audit' then 90 else 1 end`),
    oneOf('retention_rules', 'kind', RetentionKind.options),
    oneOf('retention_rules', 'severity', Severity.options),
  ],
);

/** While a row exists, retention and erasure delete nothing that it covers. */
export const legalHolds = pgTable(
  'legal_holds',
  {
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    /** null: the whole organization. */
    caseUuid: uuid().references(() => cases.caseUuid),
    reason: text().notNull(),
    placedBy: text().notNull(),
    placedByUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    placedAt: epochSeconds().notNull(),
  },
  (table) => [unique('legal_holds_key').on(table.caseUuid, table.organizationUuid).nullsNotDistinct()],
);

/** While one runs, the trigger of the audit log allows it to replace text in the entries of its organization and of none. */
export const erasures = pgTable('erasures', {
  erasureUuid: uuid().primaryKey(),
  organizationUuid: uuid()
    .notNull()
    .references(() => organizations.organizationUuid),
  begunAt: epochSeconds().notNull(),
  endedAt: epochSeconds(),
});
