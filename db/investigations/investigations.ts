import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { InvestigationRecord } from '../../domain/case/case.js';
import { changeSince, type InvestigationChange } from '../../domain/investigation/evidence-diff.js';
import type { Evidence, EvidenceDraft, Verdict } from '../../domain/verdict/evidence.js';
import type { Db, Transaction } from '../client.js';
import { alerts, caseAlerts, evidence, investigations, playbooks } from '../schema/index.js';

/** The newest ended investigation of each alert of the case. */
export async function listNewestJudgements(transaction: Transaction, caseUuid: string) {
  return transaction
    .selectDistinctOn([investigations.alertUuid], {
      alertId: alerts.alertId,
      verdict: investigations.verdict,
      score: investigations.score,
      confidence: investigations.confidence,
      severity: investigations.severity,
      summary: investigations.summary,
      reasons: investigations.reasons,
    })
    .from(caseAlerts)
    .innerJoin(investigations, eq(investigations.alertUuid, caseAlerts.alertUuid))
    .innerJoin(alerts, eq(alerts.alertUuid, caseAlerts.alertUuid))
    .where(and(eq(caseAlerts.caseUuid, caseUuid), sql`${investigations.endedAt} is not null`))
    .orderBy(investigations.alertUuid, desc(investigations.investigationNo));
}

/** The case of the alert; the lock prevents a merge in the meantime. */
export async function lockCaseOfAlert(transaction: Transaction, alertUuid: string): Promise<string | null> {
  const [home] = await transaction
    .select({ caseUuid: caseAlerts.caseUuid })
    .from(caseAlerts)
    .where(eq(caseAlerts.alertUuid, alertUuid))
    .for('no key update');
  return home?.caseUuid ?? null;
}

/** The differences from the last completed investigation before this one; null where there is none. */
export async function findChange(
  db: Db | Transaction,
  now: { alertId: string; investigationNo: number; verdict: Verdict; evidence: readonly EvidenceDraft[] },
): Promise<InvestigationChange | null> {
  const [before] = await db
    .select({
      alertUuid: investigations.alertUuid,
      investigationNo: investigations.investigationNo,
      attempt: investigations.attempt,
      verdict: investigations.verdict,
    })
    .from(investigations)
    .innerJoin(alerts, eq(alerts.alertUuid, investigations.alertUuid))
    .where(
      and(eq(alerts.alertId, now.alertId), lt(investigations.investigationNo, now.investigationNo), eq(investigations.status, 'Completed')),
    )
    .orderBy(desc(investigations.investigationNo))
    .limit(1);
  if (!before) return null;
  const found = await db
    .select()
    .from(evidence)
    .where(
      and(
        eq(evidence.alertUuid, before.alertUuid),
        eq(evidence.investigationNo, before.investigationNo),
        eq(evidence.attempt, before.attempt),
      ),
    );
  return changeSince({ ...before, evidence: found }, now);
}

const MAX_SHOWN_INVESTIGATIONS = 100;

/** The investigations of these alerts, newest first, each with its differences from the one before. */
export async function listInvestigations(
  db: Db | Transaction,
  members: ReadonlyMap<string, { readonly alertId: string }>,
  entries: readonly Evidence[],
): Promise<InvestigationRecord[]> {
  const rows = await db
    .select({ investigation: investigations, playbook: playbooks.name })
    .from(investigations)
    .leftJoin(playbooks, eq(playbooks.playbookUuid, investigations.playbookUuid))
    .where(inArray(investigations.alertUuid, [...members.keys()]))
    .orderBy(desc(investigations.startedAt), desc(investigations.investigationNo), investigations.alertUuid)
    .limit(MAX_SHOWN_INVESTIGATIONS);
  const selectEvidence = ({ alertUuid, investigationNo, attempt }: (typeof rows)[number]['investigation']) => {
    const alertId = members.get(alertUuid)?.alertId;
    return entries.filter((entry) => entry.alert_id === alertId && entry.investigation_no === investigationNo && entry.attempt === attempt);
  };
  const changeOfRow = (now: (typeof rows)[number]['investigation']): InvestigationChange | null => {
    if (now.status !== 'Completed') return null;
    const before = rows.find(
      ({ investigation: other }) =>
        other.alertUuid === now.alertUuid && other.investigationNo < now.investigationNo && other.status === 'Completed',
    )?.investigation;
    return before ? changeSince({ ...before, evidence: selectEvidence(before) }, { ...now, evidence: selectEvidence(now) }) : null;
  };
  return rows.map(({ investigation, playbook }) => ({
    alert_id: members.get(investigation.alertUuid)?.alertId ?? '',
    investigation_no: investigation.investigationNo,
    playbook,
    plan_version: investigation.planVersion,
    build: investigation.build,
    status: investigation.status,
    attempt: investigation.attempt,
    verdict: investigation.verdict,
    score: investigation.score,
    confidence: investigation.confidence,
    started_at: investigation.startedAt,
    ended_at: investigation.endedAt,
    changed: changeOfRow(investigation),
  }));
}
