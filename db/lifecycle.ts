import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { InvestigationStatus, TRANSITIONS, type TransitionCause } from '../domain/alert.js';
import type { EvidenceDraft, TimelineEntry } from '../domain/case.js';
import type { Entity } from '../domain/entity.js';
import type { Principal } from '../domain/identity.js';
import type { AlertFacts, Ending } from '../domain/investigation.js';
import type { Plan } from '../domain/playbook.js';
import { clip } from '../domain/text.js';
import type { Conclusion } from '../domain/verdict.js';
import { recordAudit } from './audit.js';
import { type Db, executePrepared, type Sql, type Transaction } from './client.js';
import { nowSeconds } from './columns.js';
import { newUuid } from './ids.js';
import { OUTBOX_CHANNEL } from './outbox.js';
import { alerts, caseAlerts, cases, caseTimeline } from './schema.js';

/** Names one investigation of one alert. A write that carries a number which is no longer the alert's changes nothing. */
export interface InvestigationRef {
  readonly alertId: string;
  readonly investigationNo: number;
}

/** What an investigation works on. */
export interface InvestigatedAlert extends Omit<AlertFacts, 'contentTruncated'> {
  readonly plan: Plan | null;
}

/** null: this investigation is over, or another one has taken its place. */
export async function readForInvestigation(database: Sql, ref: InvestigationRef, playbookUuid: string): Promise<InvestigatedAlert | null> {
  const [row] = await executePrepared<InvestigatedAlert>(
    database,
    sql`
    select alert_id as id, organization_code as organization, providers.name as provider, alert_type as type, alert_content as content,
      extract(epoch from alerts.created_at)::float8 as "createdAt", created_at_source::float8 as "createdAtSource", plan
    from alerts join organizations using (organization_uuid) join providers using (provider_uuid)
      left join playbooks on playbooks.playbook_uuid = ${playbookUuid}
    where alert_id = ${ref.alertId} and investigation_no = ${ref.investigationNo} and investigation_status in ${TRANSITIONS.begin.from}`,
  );
  return row ?? null;
}

/** A worker may die between writing the end and telling Temporal: the run that takes over reads it here. */
export async function readEnding(db: Db, ref: InvestigationRef): Promise<Ending | null> {
  const [row] = await db
    .select({ status: alerts.investigationStatus, verdict: cases.verdict, summary: cases.summary })
    .from(alerts)
    .innerJoin(caseAlerts, eq(caseAlerts.alertUuid, alerts.alertUuid))
    .innerJoin(cases, eq(cases.caseUuid, caseAlerts.caseUuid))
    .where(and(matches(ref), inArray(alerts.investigationStatus, [InvestigationStatus.Completed, InvestigationStatus.Failed])));
  return row ? { ...row, status: row.status === InvestigationStatus.Completed ? 'Completed' : 'Failed' } : null;
}

function matches(ref: InvestigationRef) {
  return and(eq(alerts.alertId, ref.alertId), eq(alerts.investigationNo, ref.investigationNo));
}

interface Moved {
  readonly alertUuid: string;
  readonly organizationUuid: string;
}

/**
 * The one way to change an alert's status after intake: only along a row of the transitions' table. The update answers the
 * alert's row, or none where it is no longer there to be moved.
 */
function moving(ref: InvestigationRef, cause: TransitionCause, changes: SQL): SQL {
  const { from, to } = TRANSITIONS[cause];
  return sql`
    update alerts set ${changes}, investigation_status = ${to}, modified_at = to_timestamp(${nowSeconds()})
    where alert_id = ${ref.alertId} and investigation_no = ${ref.investigationNo} and investigation_status in ${from}
    returning alert_uuid, organization_uuid, alert_type, alert_content`;
}

/**
 * Exactly one case for an alert however often it is begun: continues a statement whose `moved` holds the alert's row, and
 * leaves its case in `its_case`. The row lock that the update took makes callers queue; one that queued does not see the
 * other's case, is refused by the primary key of `case_alerts`, and finds the case when it is tried again.
 * All of it is one statement because the numbers of an organization's cases are handed out one commit after the other.
 */
function openingCase(ref: InvestigationRef): SQL {
  const at = sql`to_timestamp(${nowSeconds()})`;
  return sql`present as (
      select alert_uuid, case_uuid from case_alerts join moved using (alert_uuid)
    ), numbered as (
      insert into case_sequences (organization_uuid, last_number)
      select organization_uuid, 1 from moved where not exists (select from present)
      on conflict (organization_uuid) do update set last_number = case_sequences.last_number + 1
      returning organization_uuid, last_number
    ), opened as (
      insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, opened_at, modified_at)
      select ${newUuid()}::uuid, organization_code || '-CASE-' || last_number, organization_uuid, alert_uuid, ${at}, ${at}
      from moved join numbered using (organization_uuid) join organizations using (organization_uuid)
      returning alert_uuid, case_uuid
    ), joined as (
      insert into case_alerts (alert_uuid, case_uuid) select alert_uuid, case_uuid from opened
    ), findable as (
      -- A tsvector holds at most 1 MB: the words of the first 20,000 characters are findable.
      insert into alert_texts (alert_uuid, words)
      select alert_uuid, to_tsvector('simple', alert_type || ' ' || left(alert_content, 20000)) from moved join opened using (alert_uuid)
    ), announced as (
      insert into case_timeline (case_uuid, at, kind, text)
      select case_uuid, ${at}, 'opened', ${`Opened for alert ${ref.alertId}`}::text from opened
    ), its_case as (
      select case_uuid from present union all select case_uuid from opened
    )`;
}

/** Status 10 and the alert's case, together or not at all. False: stale. */
export async function begin(
  database: Sql,
  ref: InvestigationRef,
  attempt: { attempt: number; playbookUuid: string; entities: readonly Entity[] },
): Promise<boolean> {
  // A start whose mark was lost is marked by the investigation itself.
  const changes = sql`investigation_retry_count = ${attempt.attempt - 1}, dispatched_no = investigation_no,
    playbook_uuid = ${attempt.playbookUuid}, lease_until = null`;
  const begun = await executePrepared(
    database,
    sql`
    with moved as (${moving(ref, 'begin', changes)}), ${openingCase(ref)}, found as (
      insert into alert_entities (alert_uuid, organization_uuid, kind, value)
      select alert_uuid, organization_uuid, kind, value
      from moved, json_to_recordset(${JSON.stringify(attempt.entities)}::text::json) as given (kind text, value text)
      on conflict do nothing
    )
    select case_uuid from its_case`,
  );
  return begun.length > 0;
}

/** For what happens to few alerts: the same two steps inside a longer transaction. */
async function moveWithCase(
  transaction: Transaction,
  ref: InvestigationRef,
  cause: TransitionCause,
  changes: SQL,
): Promise<(Moved & { readonly caseUuid: string }) | null> {
  const [moved] = await transaction.execute<{ alert_uuid: string; organization_uuid: string; case_uuid: string }>(
    sql`with moved as (${moving(ref, cause, changes)}), ${openingCase(ref)} select alert_uuid, organization_uuid, case_uuid from moved, its_case`,
  );
  return moved ? { alertUuid: moved.alert_uuid, organizationUuid: moved.organization_uuid, caseUuid: moved.case_uuid } : null;
}

export async function addToTimeline(transaction: Transaction, caseUuid: string, entry: Omit<TimelineEntry, 'at'>): Promise<void> {
  await transaction.insert(caseTimeline).values({ caseUuid, at: nowSeconds(), ...entry });
}

/** Evidence as it comes: an entry of the same step replaces the one that is there. */
export async function recordEvidence(
  database: Sql,
  ref: InvestigationRef,
  attempt: number,
  entries: readonly EvidenceDraft[],
): Promise<void> {
  await executePrepared(
    database,
    sql`
    with moved as (
      select alert_uuid from alerts
      where alert_id = ${ref.alertId} and investigation_no = ${ref.investigationNo} and investigation_status = ${InvestigationStatus.InProgress}
      for key share
    )
    ${writingEvidence(ref, attempt, entries)}`,
  );
}

/** Of the alert in `moved`. */
function writingEvidence(ref: InvestigationRef, attempt: number, entries: readonly EvidenceDraft[]): SQL {
  return sql`
    insert into evidence (alert_uuid, investigation_no, attempt, at, step, kind, source, title, points, reason, techniques)
    select alert_uuid, ${ref.investigationNo}::int, ${attempt}::int, to_timestamp(${nowSeconds()}), step, kind, source, title, points, reason, techniques
    from moved, json_to_recordset(${JSON.stringify(entries)}::text::json)
      as given (step text, kind text, source jsonb, title text, points smallint, reason text, techniques text[])
    on conflict (alert_uuid, investigation_no, attempt, step) do update set source = excluded.source, title = excluded.title,
      points = excluded.points, reason = excluded.reason, techniques = excluded.techniques, kind = excluded.kind`;
}

/** The verdict, what it rests on, and status 15, together or not at all. False: stale. */
export async function conclude(
  database: Sql,
  ref: InvestigationRef,
  result: { attempt: number; evidence: readonly EvidenceDraft[]; conclusion: Conclusion },
): Promise<boolean> {
  const { verdict, score, confidence, severity } = result.conclusion;
  const summary = clip(result.conclusion.summary, 10_000);
  const at = sql`to_timestamp(${nowSeconds()})`;
  const concluded = await executePrepared(
    database,
    sql`
    with moved as (${moving(ref, 'conclude', sql`completed_at = ${at}`)}), written as (
      ${writingEvidence(ref, result.attempt, result.evidence)}
    ), judged as (
      update cases set verdict = ${verdict}, score = ${score}, confidence = ${confidence}, severity = ${severity},
        summary = ${summary}, modified_at = ${at}
      from moved join case_alerts using (alert_uuid) where cases.case_uuid = case_alerts.case_uuid
      returning cases.case_uuid
    ), told as (
      insert into case_timeline (case_uuid, at, kind, text)
      select case_uuid, ${at}, 'concluded', ${`Investigation ${ref.investigationNo}: ${verdict}, score ${score}`}::text from judged
    )
    select case_uuid from judged`,
  );
  return concluded.length > 0;
}

/** Status 20 with the reason on the alert's case, which is opened if the investigation never began. False: stale. */
export async function fail(
  db: Db,
  ref: InvestigationRef,
  cause: 'fail' | 'refuse' | 'reconcile-fail',
  failure: { attempt: number; reason: string },
): Promise<boolean> {
  const reason = clip(failure.reason, 4000);
  return db.transaction(async (transaction) => {
    const now = nowSeconds();
    const changes = sql`completed_at = to_timestamp(${now}), dispatched_no = investigation_no, lease_until = null`;
    const moved = await moveWithCase(transaction, ref, cause, changes);
    if (!moved) return false;
    const { alertUuid, caseUuid } = moved;
    const entry: EvidenceDraft = {
      step: 'failure',
      kind: 'gap',
      source: null,
      title: 'The investigation failed',
      points: 0,
      reason,
      techniques: [],
    };
    await transaction.execute(
      sql`with moved as (select ${alertUuid}::uuid as alert_uuid) ${writingEvidence(ref, failure.attempt, [entry])}`,
    );
    await transaction
      .update(cases)
      .set({
        verdict: 'inconclusive',
        severity: 'low',
        score: 0,
        confidence: 0,
        summary: clip(`The investigation failed: ${reason}`, 10_000),
        modifiedAt: now,
      })
      .where(eq(cases.caseUuid, caseUuid));
    await addToTimeline(transaction, caseUuid, {
      kind: 'failed',
      by: null,
      text: `Investigation ${ref.investigationNo} failed: ${reason}`,
    });
    return true;
  });
}

export type Reinvestigation = { outcome: 'queued'; investigationNo: number } | { outcome: 'running' } | { outcome: 'unknown' };

/** An operator's wish: the next investigation, through the same outbox as the first. */
export async function reinvestigate(db: Db, by: Principal, alertId: string): Promise<Reinvestigation> {
  return db.transaction(async (transaction) => {
    const [alert] = await transaction
      .select({ investigationNo: alerts.investigationNo })
      .from(alerts)
      .where(and(eq(alerts.alertId, alertId), by.organizationUuid === null ? undefined : eq(alerts.organizationUuid, by.organizationUuid)))
      .for('update');
    if (!alert) return { outcome: 'unknown' };
    const investigationNo = alert.investigationNo + 1;
    const changes = sql`investigation_no = ${investigationNo}, investigation_retry_count = 0, requeue_count = 0, lease_until = null,
      completed_at = null`;
    const moved = await moveWithCase(transaction, { alertId, investigationNo: alert.investigationNo }, 'reinvestigate', changes);
    if (!moved) return { outcome: 'running' };
    await addToTimeline(transaction, moved.caseUuid, {
      kind: 'reinvestigated',
      by: by.name,
      text: `Investigation ${investigationNo} asked for`,
    });
    await recordAudit(transaction, {
      by,
      organizationUuid: moved.organizationUuid,
      action: 'alert.investigate',
      target: alertId,
      details: { investigation_no: investigationNo },
    });
    await transaction.execute(sql.raw(`notify ${OUTBOX_CHANNEL}`));
    return { outcome: 'queued', investigationNo };
  });
}

/** The workflow is gone: back into the outbox. False: it moved meanwhile. */
export async function requeue(db: Db, ref: InvestigationRef): Promise<boolean> {
  const changes = sql`dispatched_no = investigation_no - 1, requeue_count = requeue_count + 1, lease_until = null`;
  const moved = await db.execute(
    sql`with moved as (${moving(ref, 'reconcile-requeue', changes)}) select pg_notify(${OUTBOX_CHANNEL}, '') from moved`,
  );
  return moved.length > 0;
}
