import { sql } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { WorkingHours } from '../../domain/sla/calendar.js';
import { ClockKind, type StoredClock } from '../../domain/sla/clock.js';
import type { SlaTarget } from '../../domain/sla/policy.js';
import { epochSeconds, oneOf, unreferenced } from '../columns.js';
import { cases } from './cases.js';
import { organizations } from './identity.js';

export const slaPolicies = pgTable('sla_policies', {
  organizationUuid: uuid()
    .primaryKey()
    .references(() => organizations.organizationUuid),
  timeZone: text().notNull(),
  hours: jsonb().$type<WorkingHours[]>().notNull(),
  holidays: jsonb().$type<string[]>().notNull(),
  warnPercent: smallint().notNull(),
  targets: jsonb().$type<SlaTarget[]>().notNull(),
  modifiedAt: epochSeconds().notNull(),
});

/** Commands start, stop and resume the clocks; the timekeeper computes the due times and marks warnings and breaches. */
export const caseClocks = pgTable(
  'case_clocks',
  {
    caseUuid: uuid()
      .notNull()
      .references(() => cases.caseUuid, { onDelete: 'cascade' }),
    kind: text().$type<ClockKind>().notNull(),
    organizationUuid: unreferenced('That of the case, which has a foreign key', uuid().notNull()),
    startedAt: epochSeconds().notNull(),
    stoppedAt: epochSeconds(),
    pauses: jsonb().$type<StoredClock['pauses']>().notNull().default([]),
    /** The due times have to be computed. */
    isStale: boolean().notNull().default(false),
    warnAt: epochSeconds(),
    dueAt: epochSeconds(),
    warnedAt: epochSeconds(),
    /** The due time, once it has passed. */
    breachedAt: epochSeconds(),
  },
  (table) => [
    primaryKey({ columns: [table.caseUuid, table.kind] }),
    index('case_clocks_stale').on(table.caseUuid).where(sql`is_stale`),
    index('case_clocks_to_warn').on(table.warnAt).where(sql`stopped_at is null and warned_at is null and breached_at is null`),
    index('case_clocks_to_breach').on(table.dueAt).where(sql`stopped_at is null and breached_at is null`),
    index('case_clocks_by_stop').on(table.stoppedAt).where(sql`stopped_at is not null`),
    index('case_clocks_by_breach').on(table.breachedAt).where(sql`breached_at is not null`),
    index('case_clocks_warned').on(table.caseUuid).where(sql`warned_at is not null and stopped_at is null and breached_at is null`),
    oneOf('case_clocks', 'kind', ClockKind.options),
  ],
);
