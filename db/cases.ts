import { and, desc, eq, inArray, lt, type SQL } from 'drizzle-orm';
import {
  type CaseDetail,
  type CaseStatus,
  type CaseSummary,
  type Evidence,
  evidenceId,
  type Severity,
  type UpdateCase,
  type Verdict,
} from '../domain/case.js';
import type { Principal } from '../domain/identity.js';
import { recordAudit } from './audit.js';
import type { Db } from './client.js';
import { nowSeconds } from './columns.js';
import { listWaiting } from './connection-waiters.js';
import { addToTimeline } from './lifecycle.js';
import { findOrganization } from './organizations.js';
import { type Page, type PageRequest, pageOf } from './page.js';
import { alerts, caseAlerts, cases, caseTimeline, evidence, organizations, playbooks } from './schema.js';

export interface CaseFilters {
  readonly status?: CaseStatus | undefined;
  readonly severity?: Severity | undefined;
  readonly verdict?: Verdict | undefined;
  readonly assignee?: string | undefined;
  readonly organizationCode?: string | undefined;
}

const SHOWN_AT_MOST = 500;

const summaryColumns = {
  case_id: cases.caseId,
  alert_id: alerts.alertId,
  organization_code: organizations.organizationCode,
  playbook: playbooks.name,
  status: cases.status,
  severity: cases.severity,
  verdict: cases.verdict,
  score: cases.score,
  confidence: cases.confidence,
  summary: cases.summary,
  assignee: cases.assignee,
  analyst_verdict: cases.analystVerdict,
  analyst_verdict_reason: cases.analystVerdictReason,
  opened_at: cases.openedAt,
  modified_at: cases.modifiedAt,
  closed_at: cases.closedAt,
};

function caseQuery(db: Db) {
  return db
    .select({ summary: summaryColumns, caseUuid: cases.caseUuid, organizationUuid: cases.organizationUuid })
    .from(cases)
    .innerJoin(organizations, eq(organizations.organizationUuid, cases.organizationUuid))
    .innerJoin(alerts, eq(alerts.alertUuid, cases.alertUuid))
    .leftJoin(playbooks, eq(playbooks.playbookUuid, alerts.playbookUuid))
    .$dynamic();
}

function within(scope: string | null): SQL | undefined {
  return scope === null ? undefined : eq(cases.organizationUuid, scope);
}

/** Newest first. The code becomes an id before the query, so that each filter is a column of an index. */
export async function listCases(db: Db, scope: string | null, filters: CaseFilters, page: PageRequest): Promise<Page<CaseSummary>> {
  const organization = filters.organizationCode === undefined ? undefined : await findOrganization(db, filters.organizationCode);
  if (organization === null) return { items: [], next: null };
  const rows = await caseQuery(db)
    .where(
      and(
        within(scope),
        organization === undefined ? undefined : eq(cases.organizationUuid, organization.organization_uuid),
        filters.status === undefined ? undefined : eq(cases.status, filters.status),
        filters.severity === undefined ? undefined : eq(cases.severity, filters.severity),
        filters.verdict === undefined ? undefined : eq(cases.verdict, filters.verdict),
        filters.assignee === undefined ? undefined : eq(cases.assignee, filters.assignee),
        page.after === null ? undefined : lt(cases.caseUuid, page.after),
      ),
    )
    .orderBy(desc(cases.caseUuid))
    .limit(page.limit + 1);
  const { items, next } = pageOf(rows, page, (row) => row.caseUuid);
  return { items: items.map((row) => row.summary), next };
}

export async function findCase(db: Db, scope: string | null, caseId: string): Promise<CaseDetail | null> {
  const [found] = await caseQuery(db).where(and(eq(cases.caseId, caseId), within(scope)));
  if (!found) return null;
  const members = await db
    .select({
      alertUuid: alerts.alertUuid,
      alertId: alerts.alertId,
      investigationNo: alerts.investigationNo,
      retryCount: alerts.investigationRetryCount,
    })
    .from(caseAlerts)
    .innerJoin(alerts, eq(alerts.alertUuid, caseAlerts.alertUuid))
    .where(eq(caseAlerts.caseUuid, found.caseUuid))
    .orderBy(alerts.alertUuid);
  const [waitingOn, entries, timeline] = await Promise.all([
    listWaiting(
      db,
      members.map((member) => member.alertUuid),
    ),
    readEvidence(db, members),
    db
      .select({ at: caseTimeline.at, kind: caseTimeline.kind, by: caseTimeline.by, text: caseTimeline.text })
      .from(caseTimeline)
      .where(eq(caseTimeline.caseUuid, found.caseUuid))
      .orderBy(desc(caseTimeline.entryNo))
      .limit(SHOWN_AT_MOST),
  ]);
  return {
    ...found.summary,
    alert_ids: members.map((member) => member.alertId),
    ...entries,
    timeline: timeline.reverse(),
    waiting_on: waitingOn,
  };
}

interface CaseMember {
  readonly alertUuid: string;
  readonly alertId: string;
  readonly investigationNo: number;
  readonly retryCount: number;
}

async function readEvidence(db: Db, members: readonly CaseMember[]): Promise<Pick<CaseDetail, 'evidence' | 'earlier_evidence'>> {
  const byUuid = new Map(members.map((member) => [member.alertUuid, member]));
  const rows = await db
    .select()
    .from(evidence)
    .where(inArray(evidence.alertUuid, [...byUuid.keys()]))
    .orderBy(desc(evidence.investigationNo), desc(evidence.attempt), evidence.at, evidence.step);
  const current: Evidence[] = [];
  const earlier: Evidence[] = [];
  for (const row of rows) {
    const member = byUuid.get(row.alertUuid);
    if (!member) continue;
    const { alertUuid: _, investigationNo, ...rest } = row;
    const place = { alertId: member.alertId, investigationNo, attempt: row.attempt, step: row.step };
    const counts = investigationNo === member.investigationNo && row.attempt === member.retryCount + 1;
    (counts ? current : earlier).push({
      ...rest,
      evidence_id: evidenceId(place),
      alert_id: member.alertId,
      investigation_no: investigationNo,
    });
  }
  return { evidence: current, earlier_evidence: earlier.slice(0, SHOWN_AT_MOST) };
}

/** False where there is no such case within the caller's scope. */
export async function updateCase(db: Db, by: Principal, caseId: string, update: UpdateCase): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [found] = await transaction
      .select({ caseUuid: cases.caseUuid, status: cases.status, organizationUuid: cases.organizationUuid })
      .from(cases)
      .where(and(eq(cases.caseId, caseId), within(by.organizationUuid)))
      .for('update');
    if (!found) return false;
    const now = nowSeconds();
    const { assignee, comment, analyst_verdict: verdict } = update;
    // Closed again is still closed since the first time.
    const status = update.status === found.status ? undefined : update.status;
    await transaction
      .update(cases)
      .set({
        modifiedAt: now,
        ...(status === undefined ? {} : { status, closedAt: status === 'closed' ? now : null }),
        ...(assignee === undefined ? {} : { assignee }),
        ...(verdict === undefined ? {} : { analystVerdict: verdict.verdict, analystVerdictReason: verdict.reason }),
      })
      .where(eq(cases.caseUuid, found.caseUuid));
    const add = (kind: 'status' | 'assignee' | 'comment' | 'verdict', text: string) =>
      addToTimeline(transaction, found.caseUuid, { kind, by: by.name, text });
    if (status !== undefined) await add('status', `${found.status} → ${status}`);
    if (assignee !== undefined) await add('assignee', assignee === null ? 'Unassigned' : `Assigned to ${assignee}`);
    if (comment !== undefined) await add('comment', comment);
    if (verdict !== undefined) await add('verdict', `${verdict.verdict}: ${verdict.reason}`);
    await recordAudit(transaction, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'case.update',
      target: caseId,
      details: { changed: Object.keys(update) },
    });
    return true;
  });
}
