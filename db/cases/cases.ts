import { and, desc, eq, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { CaseDetail, CaseStatus, CaseSummary, UpdateCase } from '../../domain/case/case.js';
import { CASE_TITLE_LENGTH } from '../../domain/case/case-title.js';
import { CLASSIFICATION_LABELS, CLASSIFIED_VERDICTS } from '../../domain/case/classification.js';
import type { Severity, Verdict } from '../../domain/case/evidence.js';
import type { Principal } from '../../domain/identity/identity.js';
import { readReasons } from '../../domain/investigation/verdict.js';
import { matchWords } from '../alerts/alert-search.js';
import { findLinkedAlerts } from '../alerts/correlation.js';
import { type Db, readSnapshot, type Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { listWaiting } from '../connections/connection-waiters.js';
import { recordAudit } from '../identity/audit.js';
import { findOrganization } from '../identity/organizations.js';
import { listInvestigations } from '../investigations/investigations.js';
import { addToTimeline } from '../investigations/lifecycle.js';
import { findHold } from '../lifecycle/legal-holds.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { withdrawProposals } from '../response/proposal-decisions.js';
import { type CanBeUndone, listProposalsForAlerts } from '../response/proposals.js';
import { alerts, caseAlerts, cases, caseTimeline, organizations, playbooks } from '../schema/index.js';
import { readEvidence } from './case-evidence.js';

export interface CaseFilters {
  readonly status?: CaseStatus | undefined;
  readonly severity?: Severity | undefined;
  readonly verdict?: Verdict | undefined;
  readonly assignee?: string | undefined;
  readonly unassigned?: boolean | undefined;
  readonly organizationCode?: string | undefined;
  /** Words of the alert that opened the case, or the id of a case. */
  readonly text?: string | undefined;
  /** Whether the analyst's verdict differs from the service's, where both exist. */
  readonly disagrees?: boolean | undefined;
}

const SHOWN_AT_MOST = 500;

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
  assignee: cases.assignee,
  analyst_verdict: cases.analystVerdict,
  analyst_verdict_reason: cases.analystVerdictReason,
  classification: cases.classification,
  opened_at: cases.openedAt,
  modified_at: cases.modifiedAt,
  closed_at: cases.closedAt,
  merged_into: sql<string | null>`(select target.case_id from cases as target where target.case_uuid = ${cases.mergedInto})`,
};

function caseQuery(db: Db | Transaction) {
  return db
    .select({ summary: summaryColumns, caseUuid: cases.caseUuid, organizationUuid: cases.organizationUuid })
    .from(cases)
    .innerJoin(organizations, eq(organizations.organizationUuid, cases.organizationUuid))
    .innerJoin(alerts, eq(alerts.alertUuid, cases.alertUuid))
    .leftJoin(playbooks, eq(playbooks.playbookUuid, alerts.playbookUuid))
    .$dynamic();
}

function addReasons(found: Omit<CaseSummary, 'reasons'>): CaseSummary {
  return { ...found, reasons: readReasons(found.summary) };
}

function within(scope: string | null): SQL | undefined {
  return scope === null ? undefined : eq(cases.organizationUuid, scope);
}

/** Newest first. Organization codes become ids first, so that each filter is an indexed column. */
export async function listCases(db: Db, scope: string | null, filters: CaseFilters, page: PageRequest): Promise<Page<CaseSummary>> {
  const organization = filters.organizationCode === undefined ? undefined : await findOrganization(db, filters.organizationCode);
  if (organization === null) return { items: [], next: null };
  const matches = filters.text === undefined ? undefined : await matchText(db, filters.text);
  const rows = await caseQuery(db)
    .where(
      and(
        within(scope),
        organization === undefined ? undefined : eq(cases.organizationUuid, organization.organization_uuid),
        filters.status === undefined ? undefined : eq(cases.status, filters.status),
        filters.severity === undefined ? undefined : eq(cases.severity, filters.severity),
        filters.verdict === undefined ? undefined : eq(cases.verdict, filters.verdict),
        filters.assignee === undefined ? undefined : eq(cases.assignee, filters.assignee),
        matches,
        filters.unassigned ? isNull(cases.assignee) : undefined,
        filters.disagrees === undefined ? undefined : isNotNull(cases.analystVerdict),
        filters.disagrees === undefined ? undefined : (filters.disagrees ? ne : eq)(cases.analystVerdict, cases.verdict),
        page.after === null ? undefined : lt(cases.caseUuid, page.after),
      ),
    )
    .orderBy(desc(cases.caseUuid))
    .limit(page.limit + 1);
  const { items, next } = toPage(rows, page, (row) => row.caseUuid);
  return { items: items.map((row) => addReasons(row.summary)), next };
}

const CASE_ID = /^.+-CASE-\d+$/i;

async function matchText(db: Db, text: string): Promise<SQL> {
  return CASE_ID.test(text) ? eq(cases.caseId, text.toUpperCase()) : matchWords(db, cases.alertUuid, text);
}

export function findCase(db: Db, scope: string | null, caseId: string, canBeUndone: CanBeUndone): Promise<CaseDetail | null> {
  return readSnapshot(db, (transaction) => readCase(transaction, scope, caseId, canBeUndone));
}

async function readCase(db: Transaction, scope: string | null, caseId: string, canBeUndone: CanBeUndone): Promise<CaseDetail | null> {
  const [found] = await caseQuery(db).where(and(eq(cases.caseId, caseId), within(scope)));
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
  const [waitingOn, { all, ...entries }, linked, proposals, merged, timeline, legalHold] = await Promise.all([
    listWaiting(db, alertUuids),
    readEvidence(db, found.organizationUuid, members),
    findLinkedAlerts(db, members),
    listProposalsForAlerts(db, alertUuids, canBeUndone),
    db.select({ caseId: cases.caseId }).from(cases).where(eq(cases.mergedInto, found.caseUuid)).orderBy(cases.caseUuid),
    db
      .select({ at: caseTimeline.at, kind: caseTimeline.kind, by: caseTimeline.by, text: caseTimeline.text })
      .from(caseTimeline)
      .where(eq(caseTimeline.caseUuid, found.caseUuid))
      .orderBy(desc(caseTimeline.entryNo))
      .limit(SHOWN_AT_MOST),
    findHold(db, found.organizationUuid, found.caseUuid),
  ]);
  return {
    ...addReasons(found.summary),
    alert_ids: members.map((member) => member.alertId),
    ...entries,
    investigations: await listInvestigations(db, byUuid, all),
    linked,
    proposals,
    merged: merged.map(({ caseId }) => caseId),
    timeline: timeline.reverse(),
    legal_hold: legalHold,
    waiting_on: waitingOn,
  };
}

type CaseUpdated =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'merged' }
  | { readonly outcome: 'updated'; readonly withdrawn: readonly string[] };

/** A merged case takes comments only, because another case has its alerts. `withdrawn`: the proposals that ended with the case. */
export async function updateCase(db: Db, by: Principal, caseId: string, update: UpdateCase): Promise<CaseUpdated> {
  return db.transaction(async (transaction) => {
    const [found] = await transaction
      .select({
        caseUuid: cases.caseUuid,
        status: cases.status,
        analystVerdict: cases.analystVerdict,
        organizationUuid: cases.organizationUuid,
        mergedInto: cases.mergedInto,
      })
      .from(cases)
      .where(and(eq(cases.caseId, caseId), within(by.organizationUuid)))
      .for('update');
    if (!found) return { outcome: 'unknown' };
    if (found.mergedInto !== null && Object.keys(update).some((field) => field !== 'comment')) return { outcome: 'merged' };
    const now = nowSeconds();
    const { title, assignee, comment, classification } = update;
    const verdict = readAnalystVerdict(update);
    const wanted = classification === undefined ? update.status : 'closed';
    // Closing a closed case keeps the first closing time.
    const status = wanted === found.status ? undefined : wanted;
    await transaction
      .update(cases)
      .set({
        modifiedAt: now,
        ...(title === undefined ? {} : { title }),
        ...(status === undefined ? {} : { status, closedAt: status === 'closed' ? now : null, classification: null }),
        ...(classification === undefined ? {} : { classification }),
        ...(assignee === undefined ? {} : { assignee }),
        ...(verdict === undefined ? {} : { analystVerdict: verdict.verdict, analystVerdictReason: verdict.reason }),
      })
      .where(eq(cases.caseUuid, found.caseUuid));
    const add = (kind: 'title' | 'status' | 'assignee' | 'comment' | 'verdict', text: string) =>
      addToTimeline(transaction, found.caseUuid, { kind, by: by.name, text });
    if (title !== undefined) await add('title', `Renamed: ${title}`);
    if (status !== undefined) await add('status', `${found.status} → ${status}`);
    if (assignee !== undefined) await add('assignee', assignee === null ? 'Unassigned' : `Assigned to ${assignee}`);
    if (comment !== undefined) await add('comment', comment);
    if (verdict !== undefined) await add('verdict', `${verdict.verdict}: ${verdict.reason}`);
    await recordAudit(transaction, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'case.update',
      target: caseId,
      details: { changed: Object.keys(update), ...(classification === undefined ? {} : { classification }) },
    });
    const isHarmless = (verdict?.verdict ?? found.analystVerdict) === 'benign';
    const withdrawn =
      wanted === 'closed' && isHarmless ? await withdrawProposals(transaction, by, found.caseUuid, 'The case was closed as harmless.') : [];
    return { outcome: 'updated', withdrawn };
  });
}

function readAnalystVerdict({ analyst_verdict: verdict, classification, comment }: UpdateCase): UpdateCase['analyst_verdict'] {
  if (classification === undefined) return verdict;
  return { verdict: CLASSIFIED_VERDICTS[classification], reason: comment ?? `Closed as: ${CLASSIFICATION_LABELS[classification]}` };
}
