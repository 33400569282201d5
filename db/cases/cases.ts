import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { CaseDetail, CaseSummary } from '../../domain/case/case.js';
import { type CaseSort, NEWEST_CASES } from '../../domain/case/case-sort.js';
import { CASE_TITLE_LENGTH } from '../../domain/case/case-title.js';
import type { OwnNameSource } from '../../domain/organization/suggestions.js';
import { readSort } from '../../domain/sort.js';
import { readReasons, readSeverityReasons } from '../../domain/verdict/verdict.js';
import { findLinkedAlerts } from '../alerts/correlation.js';
import { type Db, readSnapshot, type Transaction } from '../client.js';
import { listWaiting } from '../connections/connection-waiters.js';
import { currentName } from '../identity/people.js';
import { listInvestigations } from '../investigations/investigations.js';
import { findLegalHold } from '../lifecycle/legal-holds.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { listProposalsForAlerts, type WriteContracts } from '../response/proposals.js';
import { alerts, caseAlerts, cases, caseTimeline, organizations, playbooks } from '../schema/index.js';
import { inOrganization } from '../scope.js';
import { readClocks } from '../sla/case-clocks.js';
import { isAfterPosition, orderRows, type SortColumn, writePosition } from '../sorted-page.js';
import { readEvidence } from './case-evidence.js';
import { type CaseFilters, matchCases } from './case-filters.js';

const MAX_SHOWN_ENTRIES = 500;

const summaryColumns = {
  case_id: cases.caseId,
  title: sql<string>`coalesce(nullif(${cases.title}, ''), left(${alerts.alertType}, ${CASE_TITLE_LENGTH}))`,
  alert_id: alerts.alertId,
  organization_code: organizations.organizationCode,
  playbook: playbooks.name,
  status: cases.status,
  severity: cases.severity,
  verdict: cases.verdict,
  score: cases.score,
  confidence: cases.confidence,
  summary: cases.summary,
  reasons: cases.reasons,
  assignee: currentName(cases.assigneeUuid, cases.assignee),
  analyst_verdict: cases.analystVerdict,
  analyst_verdict_reason: cases.analystVerdictReason,
  classification: cases.classification,
  tags: sql<string[]>`array(select tag from case_tags where case_tags.case_uuid = ${cases.caseUuid} order by tag)`,
  opened_at: cases.openedAt,
  modified_at: cases.modifiedAt,
  closed_at: cases.closedAt,
  merged_into: sql<string | null>`(select target.case_id from cases as target where target.case_uuid = ${cases.mergedInto})`,
  sla: readClocks,
};

function caseQuery<Extra extends Record<string, SQL>>(db: Db | Transaction, extra: Extra) {
  return db
    .select({ summary: summaryColumns, caseUuid: cases.caseUuid, organizationUuid: cases.organizationUuid, ...extra })
    .from(cases)
    .innerJoin(organizations, eq(organizations.organizationUuid, cases.organizationUuid))
    .innerJoin(alerts, eq(alerts.alertUuid, cases.alertUuid))
    .leftJoin(playbooks, eq(playbooks.playbookUuid, alerts.playbookUuid))
    .$dynamic();
}

function addReasons(found: Omit<CaseSummary, 'reasons' | 'severity_reasons'> & Parameters<typeof readReasons>[0]): CaseSummary {
  return { ...found, reasons: readReasons(found), severity_reasons: readSeverityReasons(found) };
}

/** null: the key is the order, which is the order of age. */
const SORT_COLUMNS: Readonly<Record<'opened_at' | 'severity', SortColumn | null>> = {
  opened_at: null,
  severity: {
    column: cases.severityRank,
    toText: sql<string>`${cases.severityRank}::text`,
    fromText: (text) => sql`${text}::int2`,
  },
};

export async function listCases(
  db: Db,
  scope: string | null,
  filters: CaseFilters,
  page: PageRequest,
  sort: CaseSort = NEWEST_CASES,
): Promise<Page<CaseSummary>> {
  const matched = await matchCases(db, scope, filters);
  if (matched === null) return { items: [], next: null };
  const { column: name, isDescending } = readSort<keyof typeof SORT_COLUMNS>(sort);
  const sortColumn = SORT_COLUMNS[name];
  const rows = await caseQuery(db, { value: sortColumn?.toText ?? sql<null>`null` })
    .where(and(matched.condition, page.after === null ? undefined : isAfterPosition(sortColumn, cases.caseUuid, isDescending, page.after)))
    .orderBy(...orderRows(sortColumn, cases.caseUuid, isDescending))
    .limit(page.limit + 1);
  const { items, next } = toPage(rows, page, (row) => writePosition(row.caseUuid, row.value));
  return { items: items.map((row) => addReasons(row.summary)), next };
}

type CaseContracts = WriteContracts & { readonly ownNameSources: readonly OwnNameSource[] };

export function findCase(db: Db, scope: string | null, caseId: string, contracts: CaseContracts): Promise<CaseDetail | null> {
  return readSnapshot(db, (transaction) => readCase(transaction, scope, caseId, contracts));
}

async function readCase(db: Transaction, scope: string | null, caseId: string, contracts: CaseContracts): Promise<CaseDetail | null> {
  const [found] = await caseQuery(db, {}).where(and(eq(cases.caseId, caseId), inOrganization(cases.organizationUuid, scope)));
  if (!found) return null;
  const members = await db
    .select({
      alertUuid: alerts.alertUuid,
      alertId: alerts.alertId,
      investigationNo: alerts.investigationNo,
      retryCount: alerts.investigationRetryCount,
      createdAt: alerts.createdAt,
    })
    .from(caseAlerts)
    .innerJoin(alerts, eq(alerts.alertUuid, caseAlerts.alertUuid))
    .where(eq(caseAlerts.caseUuid, found.caseUuid))
    .orderBy(alerts.alertUuid);
  const alertUuids = members.map((member) => member.alertUuid);
  const byUuid = new Map(members.map((member) => [member.alertUuid, member]));
  const [waitingOn, { all, ...entries }, related, proposals, merged, timeline, legalHold] = await Promise.all([
    listWaiting(db, alertUuids),
    readEvidence(db, found.organizationUuid, members),
    findLinkedAlerts(db, members, contracts.ownNameSources),
    listProposalsForAlerts(db, alertUuids, contracts),
    db.select({ caseId: cases.caseId }).from(cases).where(eq(cases.mergedInto, found.caseUuid)).orderBy(cases.caseUuid),
    db
      .select({
        at: caseTimeline.at,
        kind: caseTimeline.kind,
        by: currentName(caseTimeline.byUuid, caseTimeline.by),
        text: caseTimeline.text,
        mentions: listMentions,
      })
      .from(caseTimeline)
      .where(eq(caseTimeline.caseUuid, found.caseUuid))
      .orderBy(desc(caseTimeline.entryNo))
      .limit(MAX_SHOWN_ENTRIES),
    findLegalHold(db, found.organizationUuid, found.caseUuid),
  ]);
  return {
    ...addReasons(found.summary),
    alert_ids: members.map((member) => member.alertId),
    ...entries,
    investigations: await listInvestigations(db, byUuid, all),
    linked: related.linked,
    linked_count: related.count,
    proposals,
    merged: merged.map(({ caseId }) => caseId),
    timeline: timeline.reverse(),
    legal_hold: legalHold,
    waiting_on: waitingOn,
  };
}

/** With the names of the tables: a query of one table leaves them out, and the columns would be those of `case_mentions`. */
const listMentions = sql<string[]>`array(
  select name from case_mentions
  where case_mentions.case_uuid = case_timeline.case_uuid and case_mentions.entry_no = case_timeline.entry_no order by name)`;

/** The alerts of a case that the scope can see, oldest first. null: there is no such case. */
export async function listCaseAlerts(db: Db | Transaction, scope: string | null, caseId: string): Promise<string[] | null> {
  const rows = await db
    .select({ alertId: alerts.alertId })
    .from(cases)
    .leftJoin(caseAlerts, eq(caseAlerts.caseUuid, cases.caseUuid))
    .leftJoin(alerts, eq(alerts.alertUuid, caseAlerts.alertUuid))
    .where(and(eq(cases.caseId, caseId), inOrganization(cases.organizationUuid, scope)))
    .orderBy(caseAlerts.alertUuid);
  return rows.length === 0 ? null : rows.flatMap(({ alertId }) => alertId ?? []);
}
