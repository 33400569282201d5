import { and, eq, inArray, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { InvestigationStatus, TRANSITIONS, type TransitionCause } from '../domain/alert.js';
import type { EvidenceDraft, TimelineEntry } from '../domain/case.js';
import type { Entity } from '../domain/entity.js';
import type { Principal } from '../domain/identity.js';
import type { Ending } from '../domain/investigation.js';
import type { Plan } from '../domain/playbook.js';
import { clip } from '../domain/text.js';
import type { Conclusion } from '../domain/verdict.js';
import { recordAudit } from './audit.js';
import type { Db, Transaction } from './client.js';
import { nowSeconds } from './columns.js';
import { newUuid } from './ids.js';
import { ALERTS_CHANNEL } from './intake.js';
import {
  alertEntities,
  alerts,
  alertTexts,
  caseAlerts,
  caseSequences,
  cases,
  caseTimeline,
  evidence,
  organizations,
  playbooks,
  providers,
} from './schema.js';

/** Names one investigation of one alert. A write that carries a number which is no longer the alert's changes nothing. */
export interface InvestigationRef {
  readonly alertId: string;
  readonly investigationNo: number;
}

/** What an investigation works on. */
export interface InvestigatedAlert {
  readonly alertUuid: string;
  readonly alertId: string;
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly provider: string;
  readonly alertType: string;
  readonly alertContent: string;
  readonly createdAt: number;
  readonly createdAtSource: number | bigint | null;
  readonly plan: Plan | null;
}

/** null: this investigation is over, or another one has taken its place. */
export async function readForInvestigation(db: Db, ref: InvestigationRef, playbookUuid: string): Promise<InvestigatedAlert | null> {
  const [row] = await db
    .select({
      alertUuid: alerts.alertUuid,
      alertId: alerts.alertId,
      organizationUuid: alerts.organizationUuid,
      organizationCode: organizations.organizationCode,
      provider: providers.name,
      alertType: alerts.alertType,
      alertContent: alerts.alertContent,
      createdAt: alerts.createdAt,
      createdAtSource: alerts.createdAtSource,
      plan: playbooks.plan,
    })
    .from(alerts)
    .innerJoin(organizations, eq(organizations.organizationUuid, alerts.organizationUuid))
    .innerJoin(providers, eq(providers.providerUuid, alerts.providerUuid))
    .leftJoin(playbooks, eq(playbooks.playbookUuid, playbookUuid))
    .where(and(matches(ref), inArray(alerts.investigationStatus, [...TRANSITIONS.begin.from])));
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

/** The one place that changes an alert's status after intake: only along a row of the transitions' table. */
async function move(
  transaction: Transaction,
  ref: InvestigationRef,
  cause: TransitionCause,
  changes: PgUpdateSetSource<typeof alerts> = {},
): Promise<Moved | null> {
  const { from, to } = TRANSITIONS[cause];
  const [moved] = await transaction
    .update(alerts)
    .set({ ...changes, investigationStatus: to, modifiedAt: nowSeconds() })
    .where(and(matches(ref), inArray(alerts.investigationStatus, [...from])))
    .returning({ alertUuid: alerts.alertUuid, organizationUuid: alerts.organizationUuid });
  return moved ?? null;
}

/** Begins an attempt: status 10 and the alert's case, together or not at all. False: stale. */
export async function begin(
  db: Db,
  ref: InvestigationRef,
  attempt: { attempt: number; playbookUuid: string; entities: readonly Entity[] },
): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const moved = await move(transaction, ref, 'begin', {
      investigationRetryCount: attempt.attempt - 1,
      // A start whose mark was lost is marked by the investigation itself.
      dispatchedNo: ref.investigationNo,
      playbookUuid: attempt.playbookUuid,
      leaseUntil: null,
    });
    if (!moved) return false;
    if (attempt.entities.length > 0) {
      await transaction
        .insert(alertEntities)
        .values(attempt.entities.map((entity) => ({ ...entity, ...moved })))
        .onConflictDoNothing();
    }
    await ensureCase(transaction, ref, moved);
    return true;
  });
}

/** Exactly one case for an alert however often it is begun: the row lock that `move` took makes callers queue here. */
async function ensureCase(transaction: Transaction, ref: InvestigationRef, alert: Moved): Promise<string> {
  const [present] = await transaction.select().from(caseAlerts).where(eq(caseAlerts.alertUuid, alert.alertUuid));
  if (present) return present.caseUuid;
  const [numbered] = await transaction
    .insert(caseSequences)
    .values({ organizationUuid: alert.organizationUuid, lastNumber: 1 })
    .onConflictDoUpdate({ target: caseSequences.organizationUuid, set: { lastNumber: sql`${caseSequences.lastNumber} + 1` } })
    .returning({ number: caseSequences.lastNumber });
  const now = nowSeconds();
  const caseUuid = newUuid();
  const organizationCode = sql<string>`(select organization_code from organizations where organization_uuid = ${alert.organizationUuid})`;
  await transaction.insert(cases).values({
    caseUuid,
    caseId: sql`${organizationCode} || '-CASE-' || ${numbered?.number ?? 1}::bigint`,
    organizationUuid: alert.organizationUuid,
    alertUuid: alert.alertUuid,
    openedAt: now,
    modifiedAt: now,
  });
  await transaction.insert(caseAlerts).values({ alertUuid: alert.alertUuid, caseUuid });
  await makeFindable(transaction, alert.alertUuid);
  await addToTimeline(transaction, caseUuid, { kind: 'opened', by: null, text: `Opened for alert ${ref.alertId}` });
  return caseUuid;
}

/** A tsvector holds at most 1 MB: the words of the first 20,000 characters are findable. */
async function makeFindable(transaction: Transaction, alertUuid: string): Promise<void> {
  await transaction.execute(sql`
    insert into ${alertTexts} (alert_uuid, words)
    select alert_uuid, to_tsvector('simple', alert_type || ' ' || left(alert_content, 20000)) from ${alerts} where alert_uuid = ${alertUuid}`);
}

export async function addToTimeline(transaction: Transaction, caseUuid: string, entry: Omit<TimelineEntry, 'at'>): Promise<void> {
  await transaction.insert(caseTimeline).values({ caseUuid, at: nowSeconds(), ...entry });
}

/** Evidence as it comes: an entry of the same step replaces the one that is there. */
export async function recordEvidence(db: Db, ref: InvestigationRef, attempt: number, entries: readonly EvidenceDraft[]): Promise<void> {
  await db.transaction(async (transaction) => {
    const [alert] = await transaction
      .select({ alertUuid: alerts.alertUuid })
      .from(alerts)
      .where(and(matches(ref), eq(alerts.investigationStatus, InvestigationStatus.InProgress)))
      .for('key share');
    if (alert) await writeEvidence(transaction, alert.alertUuid, ref.investigationNo, attempt, entries);
  });
}

async function writeEvidence(
  transaction: Transaction,
  alertUuid: string,
  investigationNo: number,
  attempt: number,
  entries: readonly EvidenceDraft[],
): Promise<void> {
  if (entries.length === 0) return;
  const now = nowSeconds();
  const { source, title, points, reason, techniques, kind } = evidence;
  const replaced = Object.fromEntries(
    Object.entries({ source, title, points, reason, techniques, kind }).map(([name, column]) => [name, sql.raw(`excluded.${column.name}`)]),
  );
  await transaction
    .insert(evidence)
    .values(entries.map((entry) => ({ ...entry, techniques: [...entry.techniques], alertUuid, investigationNo, attempt, at: now })))
    .onConflictDoUpdate({ target: [evidence.alertUuid, evidence.investigationNo, evidence.attempt, evidence.step], set: replaced });
}

/** The verdict, what it rests on, and status 15, together or not at all. False: stale. */
export async function conclude(
  db: Db,
  ref: InvestigationRef,
  result: { attempt: number; evidence: readonly EvidenceDraft[]; conclusion: Conclusion },
): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const now = nowSeconds();
    const moved = await move(transaction, ref, 'conclude', { completedAt: now });
    if (!moved) return false;
    await writeEvidence(transaction, moved.alertUuid, ref.investigationNo, result.attempt, result.evidence);
    const caseUuid = await ensureCase(transaction, ref, moved);
    const { verdict, score, confidence, severity } = result.conclusion;
    const summary = clip(result.conclusion.summary, 10_000);
    await transaction
      .update(cases)
      .set({ verdict, score, confidence, severity, summary, modifiedAt: now })
      .where(eq(cases.caseUuid, caseUuid));
    await addToTimeline(transaction, caseUuid, {
      kind: 'concluded',
      by: null,
      text: `Investigation ${ref.investigationNo}: ${verdict}, score ${score}`,
    });
    return true;
  });
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
    const moved = await move(transaction, ref, cause, { completedAt: now, dispatchedNo: ref.investigationNo, leaseUntil: null });
    if (!moved) return false;
    const caseUuid = await ensureCase(transaction, ref, moved);
    const entry: EvidenceDraft = {
      step: 'failure',
      kind: 'gap',
      source: null,
      title: 'The investigation failed',
      points: 0,
      reason,
      techniques: [],
    };
    await writeEvidence(transaction, moved.alertUuid, ref.investigationNo, failure.attempt, [entry]);
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
    const moved = await move(transaction, { alertId, investigationNo: alert.investigationNo }, 'reinvestigate', {
      investigationNo,
      investigationRetryCount: 0,
      requeueCount: 0,
      leaseUntil: null,
      completedAt: null,
    });
    if (!moved) return { outcome: 'running' };
    const caseUuid = await ensureCase(transaction, { alertId, investigationNo }, moved);
    await addToTimeline(transaction, caseUuid, { kind: 'reinvestigated', by: by.name, text: `Investigation ${investigationNo} asked for` });
    await recordAudit(transaction, {
      by,
      organizationUuid: moved.organizationUuid,
      action: 'alert.investigate',
      target: alertId,
      details: { investigation_no: investigationNo },
    });
    await transaction.execute(sql.raw(`notify ${ALERTS_CHANNEL}`));
    return { outcome: 'queued', investigationNo };
  });
}

/** The workflow is gone: back into the outbox. False: it moved meanwhile. */
export async function requeue(db: Db, ref: InvestigationRef): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const moved = await move(transaction, ref, 'reconcile-requeue', {
      dispatchedNo: ref.investigationNo - 1,
      requeueCount: sql`${alerts.requeueCount} + 1`,
      leaseUntil: null,
    });
    if (moved) await transaction.execute(sql.raw(`notify ${ALERTS_CHANNEL}`));
    return moved !== null;
  });
}
