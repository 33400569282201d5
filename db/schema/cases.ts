import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { CaseStatus, TimelineEntry } from '../../domain/case/case.js';
import type { Classification } from '../../domain/case/classification.js';
import type { Severity, Verdict } from '../../domain/case/evidence.js';
import { epochSeconds } from '../columns.js';

export const caseSequences = pgTable('case_sequences', {
  organizationUuid: uuid().primaryKey(),
  lastNumber: bigint({ mode: 'number' }).notNull(),
});

export const cases = pgTable(
  'cases',
  {
    caseUuid: uuid().primaryKey(),
    caseId: text().notNull(),
    organizationUuid: uuid().notNull(),
    /** The alert that opened the case; `case_alerts` has all alerts. */
    alertUuid: uuid().notNull(),
    /** Empty for a case from before cases had titles: the type of its alert stands for it. */
    title: text().notNull().default(''),
    status: text().$type<CaseStatus>().notNull().default('open'),
    severity: text().$type<Severity>(),
    verdict: text().$type<Verdict>(),
    score: smallint(),
    confidence: smallint(),
    summary: text().notNull().default(''),
    assignee: text(),
    analystVerdict: text().$type<Verdict>(),
    analystVerdictReason: text(),
    /** How a person closed the case. null: open, or closed without a classification. */
    classification: text().$type<Classification>(),
    /** After a merge: the case that has the alerts, and the status before. */
    mergedInto: uuid(),
    statusBeforeMerge: text().$type<CaseStatus>(),
    openedAt: epochSeconds().notNull(),
    modifiedAt: epochSeconds().notNull(),
    closedAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('cases_case_id_key').on(table.caseId),
    index('cases_by_organization').on(table.organizationUuid, table.caseUuid),
    index('cases_by_organization_status').on(table.organizationUuid, table.status, table.caseUuid),
    index('cases_by_status').on(table.status, table.caseUuid),
    index('cases_by_severity').on(table.severity, table.caseUuid),
    index('cases_by_verdict').on(table.verdict, table.caseUuid),
    index('cases_by_assignee').on(table.assignee, table.caseUuid),
    index('cases_by_merge').on(table.mergedInto).where(sql`merged_into is not null`),
    index('cases_by_closing').on(table.organizationUuid, table.closedAt).where(sql`status = 'closed' and merged_into is null`),
    index('cases_by_analyst_verdict').on(table.caseUuid).where(sql`analyst_verdict is not null`),
  ],
);

/** The primary key guarantees that an alert is in exactly one case. */
export const caseAlerts = pgTable(
  'case_alerts',
  {
    alertUuid: uuid().primaryKey(),
    caseUuid: uuid()
      .notNull()
      .references(() => cases.caseUuid),
    /** The case that was opened for the alert, for unmerging. null: the same case. */
    homeCaseUuid: uuid(),
  },
  (table) => [index('case_alerts_by_case').on(table.caseUuid)],
);

export const caseTimeline = pgTable(
  'case_timeline',
  {
    entryNo: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    caseUuid: uuid()
      .notNull()
      .references(() => cases.caseUuid),
    at: epochSeconds().notNull(),
    kind: text().$type<TimelineEntry['kind']>().notNull(),
    by: text(),
    text: text().notNull(),
  },
  (table) => [index('case_timeline_by_case').on(table.caseUuid, table.entryNo)],
);
