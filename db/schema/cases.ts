import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { CaseStatus, TimelineEntry } from '../../domain/case/case.js';
import { CLASSIFICATIONS, type Classification } from '../../domain/case/classification.js';
import { ViewedList } from '../../domain/case/viewed-list.js';
import { Severity, type StoredReason, Verdict } from '../../domain/verdict/evidence.js';
import { epochSeconds, oneOf, PER_ALERT, USER_OR_KEY, unreferenced } from '../columns.js';
import { organizations, users } from './identity.js';

export const caseSequences = pgTable('case_sequences', {
  organizationUuid: uuid().primaryKey(),
  lastNumber: bigint({ mode: 'number' }).notNull(),
});

export const cases = pgTable(
  'cases',
  {
    caseUuid: uuid().primaryKey(),
    caseId: text().notNull(),
    organizationUuid: unreferenced(PER_ALERT, uuid().notNull()),
    /** The alert that opened the case; `case_alerts` has all alerts. */
    alertUuid: unreferenced(PER_ALERT, uuid().notNull()),
    /** Empty for a case from before cases had titles: the type of its alert stands for it. */
    title: text().notNull().default(''),
    status: text().$type<CaseStatus>().notNull().default('open'),
    severity: text().$type<Severity>(),
    /** The order of the severities. 0: under investigation. */
    severityRank: smallint()
      .notNull()
      .generatedAlwaysAs(
        sql`case severity when 'critical' then 5 when 'high' then 4 when 'medium' then 3 when 'low' then 2 when 'informational' then 1 else 0 end`,
      ),
    verdict: text().$type<Verdict>(),
    score: smallint(),
    confidence: smallint(),
    summary: text().notNull().default(''),
    /** null: under investigation, or an older version wrote the row. */
    reasons: jsonb().$type<readonly StoredReason[]>(),
    assignee: text(),
    assigneeUuid: uuid().references(() => users.userUuid),
    analystVerdict: text().$type<Verdict>(),
    analystVerdictReason: text(),
    /** How a person closed the case. null: open, or closed without a classification. */
    classification: text().$type<Classification>(),
    /** After a merge: the case that has the alerts, and the status before. */
    mergedInto: uuid().references((): AnyPgColumn => cases.caseUuid),
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
    index('cases_by_assignee_name').on(table.assignee, table.caseUuid).where(sql`assignee_uuid is null`),
    index('cases_by_assigned_user').on(table.assigneeUuid, table.caseUuid).where(sql`assignee_uuid is not null`),
    index('cases_by_merge').on(table.mergedInto).where(sql`merged_into is not null`),
    index('cases_by_closing').on(table.organizationUuid, table.closedAt).where(sql`status = 'closed' and merged_into is null`),
    index('cases_by_title').using('gin', table.title.op('gin_trgm_ops')),
    index('cases_by_analyst_verdict').on(table.caseUuid).where(sql`analyst_verdict is not null`),
    // A search finds alerts by their words, and then their cases.
    index('cases_by_opening_alert').on(table.alertUuid),
    index('cases_by_severity_rank').on(table.severityRank, table.caseUuid),
    index('cases_by_organization_severity_rank').on(table.organizationUuid, table.severityRank, table.caseUuid),
    index('cases_by_change').on(table.modifiedAt),
    index('cases_by_organization_change').on(table.organizationUuid, table.modifiedAt),
    oneOf('cases', 'status', CaseStatus.options),
    oneOf('cases', 'severity', Severity.options),
    oneOf('cases', 'verdict', Verdict.options),
    oneOf('cases', 'analyst_verdict', Verdict.options),
    oneOf('cases', 'classification', CLASSIFICATIONS),
    oneOf('cases', 'status_before_merge', CaseStatus.options),
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
    homeCaseUuid: uuid().references(() => cases.caseUuid),
  },
  (table) => [
    index('case_alerts_by_case').on(table.caseUuid),
    index('case_alerts_by_home_case').on(table.homeCaseUuid).where(sql`home_case_uuid is not null`),
  ],
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
    byUuid: uuid().references(() => users.userUuid),
    text: text().notNull(),
  },
  (table) => [
    index('case_timeline_by_case').on(table.caseUuid, table.entryNo),
    index('case_timeline_comments').using('gin', table.text.op('gin_trgm_ops')).where(sql`kind = 'comment'`),
    oneOf('case_timeline', 'kind', TimelineEntry.shape.kind.options),
  ],
);

export const caseTags = pgTable(
  'case_tags',
  {
    caseUuid: uuid()
      .notNull()
      .references(() => cases.caseUuid),
    tag: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.caseUuid, table.tag] }), index('case_tags_by_tag').on(table.tag, table.caseUuid)],
);

/** When a principal last used the list of cases, and when it used the list in the visit before. */
export const caseVisits = pgTable('case_visits', {
  /** A key, or a user of a session. The column keeps its name for the previous version, which runs during an update. */
  principalUuid: uuid('key_uuid').primaryKey(),
  seenAt: epochSeconds().notNull(),
  /** null: this is the first visit. */
  lastVisitAt: epochSeconds(),
});

/** Filters of a list under a name. A shared view is visible in the organization of its principal; null: for principals of all organizations. */
export const savedViews = pgTable(
  'saved_views',
  {
    viewUuid: uuid().primaryKey(),
    organizationUuid: uuid().references(() => organizations.organizationUuid),
    /** A key, or a user of a session. The column keeps its name for the previous version, which runs during an update. */
    principalUuid: unreferenced(USER_OR_KEY, uuid('key_uuid').notNull()),
    list: text().$type<ViewedList>().notNull(),
    name: text().notNull(),
    filters: jsonb().$type<Record<string, string>>().notNull(),
    isShared: boolean().notNull(),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [
    index('saved_views_by_key').on(table.principalUuid, table.viewUuid),
    index('saved_views_shared').on(table.organizationUuid, table.viewUuid).where(sql`is_shared`),
    oneOf('saved_views', 'list', ViewedList.options),
  ],
);
