import { inArray, type SQL, sql } from 'drizzle-orm';
import { askAgainWorkflowId, followUpWorkflowId } from '../../domain/investigation/investigation.js';
import type { RetentionKind } from '../../domain/organization/retention.js';
import { proposalWorkflowId } from '../../domain/response/proposal.js';
import type { Db, Transaction } from '../client.js';
import {
  alertEntities,
  alerts,
  alertTexts,
  evidence,
  followUps,
  investigations,
  nameOf,
  proposalDecisions,
  proposals,
} from '../schema/index.js';
import { type AppliedRule, cutoffSeconds, describeDue } from './due-data.js';

/** The cases that the rule deletes next. */
export async function listDueCases(db: Db, rule: AppliedRule, limit: number): Promise<string[]> {
  const { isCovered, isOld, isFree, isHeld } = describeDue(rule);
  const rows = await db.execute<{ case_uuid: string }>(sql`
    select case_uuid from cases where ${isCovered} and ${isOld} and ${isFree} and not ${isHeld} order by closed_at limit ${limit}`);
  return rows.map((row) => row.case_uuid);
}

/** The ids of the workflows of a case: investigations, follow-ups and proposals of its alerts. */
export async function listCaseWorkflows(db: Db, caseUuids: readonly string[]): Promise<string[]> {
  const ofCases = sql`case_alerts join alerts using (alert_uuid) where case_uuid in ${caseUuids}`;
  const [members, followed, proposed] = await Promise.all([
    db.execute<{ alert_id: string }>(sql`select alert_id from ${ofCases}`),
    db.execute<{ alert_id: string; investigation_no: number }>(
      sql`select alert_id, follow_ups.investigation_no from follow_ups join (select alert_uuid, alert_id from ${ofCases}) as members using (alert_uuid)`,
    ),
    db.execute<{ proposal_uuid: string }>(
      sql`select proposal_uuid from proposals join (select alert_uuid from ${ofCases}) as members using (alert_uuid)`,
    ),
  ]);
  const refs = followed.map((row) => ({ alertId: row.alert_id, investigationNo: row.investigation_no }));
  return [
    ...members.map((row) => row.alert_id),
    ...refs.flatMap((ref) => [followUpWorkflowId(ref), askAgainWorkflowId(ref)]),
    ...proposed.map((row) => proposalWorkflowId(row.proposal_uuid)),
  ];
}

/**
 * Deletes those of the cases that are still due, with everything that belongs to their alerts. The items of sources stay, so that a
 * source does not bring the same alert again.
 */
export async function deleteCases(transaction: Transaction, rule: AppliedRule, caseUuids: readonly string[]): Promise<number> {
  const { isCovered, isOld, isFree, isHeld } = describeDue(rule);
  const locked = await transaction.execute<{ case_uuid: string }>(sql`
      select case_uuid from cases where case_uuid in ${caseUuids} and ${isCovered} and ${isOld} order by case_uuid for update skip locked`);
  if (locked.length === 0) return 0;
  // A second look: an investigation, a merge or a hold may have come before the lock.
  const due = await transaction.execute<{ case_uuid: string }>(sql`
      select case_uuid from cases where case_uuid in ${locked.map((row) => row.case_uuid)} and ${isFree} and not ${isHeld}`);
  const found = due.map((row) => row.case_uuid);
  if (found.length === 0) return 0;
  const members = await transaction.execute<{ alert_uuid: string }>(
    sql`select alert_uuid from case_alerts join alerts using (alert_uuid) where case_uuid in ${found} order by alert_uuid for update of alerts`,
  );
  const merged = await transaction.execute<{ case_uuid: string }>(sql`select case_uuid from cases where merged_into in ${found}`);
  await deleteAlerts(
    transaction,
    members.map((row) => row.alert_uuid),
  );
  const all = [...found, ...merged.map((row) => row.case_uuid)];
  for (const table of ['case_timeline', 'case_tasks', 'case_attachments', 'case_mentions', 'case_tags'])
    await transaction.execute(sql`delete from ${sql.identifier(table)} where case_uuid in ${all}`);
  for (const table of ['notification_events', 'notification_subjects'])
    await transaction.execute(sql`delete from ${sql.identifier(table)} where subject_uuid in ${all}`);
  await transaction.execute(sql`delete from cases where case_uuid in ${all}`);
  return found.length;
}

async function deleteAlerts(transaction: Transaction, alertUuids: string[]): Promise<void> {
  if (alertUuids.length === 0) return;
  const own = transaction.select({ uuid: proposals.proposalUuid }).from(proposals).where(inArray(proposals.alertUuid, alertUuids));
  await transaction.delete(proposalDecisions).where(inArray(proposalDecisions.proposalUuid, own));
  await deleteLastEntities(transaction, alertUuids);
  for (const table of [proposals, alertTexts, alertEntities, investigations, followUps, evidence])
    await transaction.delete(table).where(inArray(table.alertUuid, alertUuids));
  // The evidence of a held case can cite the answer of another alert.
  const held = sql`(select (evidence.source->>'result_id')::uuid from evidence join case_alerts using (alert_uuid) join legal_holds
    on legal_holds.case_uuid in (case_alerts.case_uuid, case_alerts.home_case_uuid) where evidence.source ? 'result_id')`;
  await transaction.execute(
    sql`update skill_results set alert_uuid = null where alert_uuid in ${alertUuids} and operation_key is null and result_uuid in ${held}`,
  );
  for (const table of ['skill_results', 'agent_steps', 'connection_waiters', 'case_alerts'])
    await transaction.execute(sql`delete from ${sql.identifier(table)} where alert_uuid in ${alertUuids}`);
  await transaction.delete(alerts).where(inArray(alerts.alertUuid, alertUuids));
}

/** The values that no other alert of the organization has, and what is known about the names among them. */
async function deleteLastEntities(transaction: Transaction, alertUuids: string[]): Promise<void> {
  await transaction.execute(sql`
    with forgotten as (delete from entity_values as known using alert_entities as gone
    where gone.alert_uuid in ${alertUuids} and known.organization_uuid = gone.organization_uuid and known.kind = gone.kind
      and known.digest = gone.digest and not exists (
        select from alert_entities as other where other.organization_uuid = gone.organization_uuid and other.kind = gone.kind
          and other.digest = gone.digest and other.alert_uuid not in ${alertUuids})
      returning known.organization_uuid, known.kind, known.value)
    delete from proven_names as proven using forgotten
    where proven.organization_uuid = forgotten.organization_uuid and proven.name = ${nameOf({ kind: sql`forgotten.kind`, value: sql`forgotten.value` })}
      and lower(forgotten.value) in (proven.short, proven."full") and forgotten.kind in ('host', 'user', 'email')`);
}

/** Deletes at most `limit` rows of a kind that is not `alerts` or `histories`. Returns their number. */
export async function deleteRows(transaction: Transaction, rule: AppliedRule, limit: number): Promise<number> {
  const { from, isCovered, isOld, isFree, isHeld } = describeDue(rule);
  const due = sql`select ${from}.ctid from ${from} where ${isCovered} and ${isOld} and ${isFree} and not ${isHeld} limit ${limit}`;
  const deleted = await transaction.execute<{ count: number }>(sql`
      with gone as (delete from ${from} where ctid = any (array (${due})) returning *)${deletePartsOf(rule.kind)}
      select count(*)::int as count from gone`);
  if (rule.kind === 'records') await shortenCopies(transaction, rule);
  return deleted[0]?.count ?? 0;
}

/** Continues a statement with the deleted rows in `gone`. */
function deletePartsOf(kind: RetentionKind): SQL {
  if (kind === 'records')
    return sql`, parts as (
      delete from record_values using gone where record_values.connection_uuid = gone.connection_uuid and record_values.kind = gone.kind
        and record_values.record_id = gone.record_id)`;
  if (kind === 'answers')
    return sql`, parts as (
      delete from skill_runs using gone where skill_runs.run_uuid = gone.run_uuid and skill_runs.ended_at is not null returning skill_runs.run_uuid
    ), events as (delete from notification_subjects using parts where subject_uuid = parts.run_uuid)`;
  return sql``;
}

/** A later question about an older time reads the third party again. */
async function shortenCopies(transaction: Transaction, rule: AppliedRule): Promise<void> {
  await transaction.execute(sql`
    update record_copies set covered_from = to_timestamp(${cutoffSeconds(rule)}) from connections
    where connections.connection_uuid = record_copies.connection_uuid and connections.organization_uuid = ${rule.organizationUuid}
      and covered_from < to_timestamp(${cutoffSeconds(rule)})`);
}

/** Those of the ended runs that the result in the database does not need any more: of this organization, ended, without a hold. */
export async function listDeletableWorkflows(db: Db, organizationUuid: string, workflowIds: readonly string[]): Promise<string[]> {
  if (workflowIds.length === 0) return [];
  const rows = await db.execute<{ workflow_id: string }>(sql`
    with given as (select unnest(array[${sql.join(
      workflowIds.map((id) => sql`${id}::text`),
      sql`, `,
    )}]) as workflow_id)
    select workflow_id from given join alerts on alert_id = regexp_replace(workflow_id, '^(?:follow-up|ask-again)-(.*)-\\d+$', '\\1')
      left join case_alerts using (alert_uuid)
    where organization_uuid = ${organizationUuid} and investigation_status in (15, 20)
      and not exists (select from legal_holds where legal_holds.case_uuid in (case_alerts.case_uuid, case_alerts.home_case_uuid))
    union all
    select workflow_id from given join proposals on proposal_uuid::text = regexp_replace(workflow_id, '^(?:proposal|skill)-', '')
      left join case_alerts using (alert_uuid)
    where organization_uuid = ${organizationUuid} and ended_at is not null
      and not exists (select from legal_holds where legal_holds.case_uuid in (case_alerts.case_uuid, case_alerts.home_case_uuid))
    union all
    select workflow_id from given join skill_runs on workflow_id = 'skill-' || run_uuid::text
    where organization_uuid = ${organizationUuid} and ended_at is not null`);
  return rows.map((row) => row.workflow_id);
}
