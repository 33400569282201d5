import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { InvestigationStatus, TRANSITIONS, type TransitionCause } from '../../domain/alert/alert.js';
import { CASE_TITLE_LENGTH } from '../../domain/case/case-title.js';
import type { Entity } from '../../domain/entity/entity.js';
import type { ProvenName } from '../../domain/entity/names.js';
import type { AlertFacts, Ending } from '../../domain/investigation/investigation.js';
import type { KnowledgeEntry } from '../../domain/organization/knowledge.js';
import type { Plan } from '../../domain/playbook/playbook.js';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import { type Conclusion, storeReasons } from '../../domain/verdict/verdict.js';
import { OUTBOX_CHANNEL } from '../alerts/outbox.js';
import { type Db, executePrepared, type PgClient, type Transaction } from '../client.js';
import type { ResolvedConnection } from '../connections/connection-calls.js';
import { savingNames } from '../entities/names.js';
import { newUuid } from '../ids.js';
import { writingNews } from '../notifications/events.js';
import { alerts, investigations } from '../schema/index.js';
import { inOrganization } from '../scope.js';

/** Identifies one investigation of one alert. A write with an outdated number changes nothing. */
export interface InvestigationRef {
  readonly alertId: string;
  readonly investigationNo: number;
}

export interface InvestigatedAlert extends Omit<AlertFacts, 'contentTruncated'> {
  readonly plan: Plan | null;
  readonly planVersion: number | null;
  /** The organization's default connection of each kind. */
  readonly connections: Record<string, ResolvedConnection>;
  /** What the organization knows about itself. */
  readonly knowledge: readonly KnowledgeEntry[];
  readonly contentDigest: string;
}

/** null where this investigation has ended, or a newer one replaced it. */
export async function readForInvestigation(
  pg: PgClient,
  ref: InvestigationRef,
  playbook: { playbookUuid: string; planVersion: number | null },
): Promise<InvestigatedAlert | null> {
  // A run from before plans had versions uses the current version.
  const [row] = await executePrepared<InvestigatedAlert>(
    pg,
    sql`
    select alert_id as id, organization_code as organization, providers.name as provider, alert_type as type, alert_content as content,
      md5(alert_content) as "contentDigest", extract(epoch from alerts.created_at)::float8 as "createdAt", created_at_source::float8 as "createdAtSource", plan,
      playbook_plans.version as "planVersion",
      (select coalesce(json_object_agg(connector_kind, json_build_object('connectionId', connection_uuid, 'instanceName', instance_name,
        'routed', remote_agent_uuid is not null)), '{}')
        from connections where connections.organization_uuid = alerts.organization_uuid and is_default) as connections,
      (select coalesce(json_agg(json_build_object('kind', kind, 'value', value)), '[]')
        from organization_knowledge as known where known.organization_uuid = alerts.organization_uuid and not is_rejected) as knowledge
    from alerts join organizations using (organization_uuid) join providers using (provider_uuid)
      left join playbooks on playbooks.playbook_uuid = ${playbook.playbookUuid}
      left join playbook_plans on playbook_plans.playbook_uuid = playbooks.playbook_uuid
        and playbook_plans.version = coalesce(${playbook.planVersion}::int, pinned_version, playbooks.version)
    where alert_id = ${ref.alertId} and investigation_no = ${ref.investigationNo} and investigation_status in ${TRANSITIONS.begin.from}`,
  );
  return row ?? null;
}

/** A worker may die after it wrote the end and before it answered Temporal: the next attempt reads the end here. */
export async function readEnding(db: Db, ref: InvestigationRef): Promise<Ending | null> {
  const [row] = await db
    .select({ status: alerts.investigationStatus, verdict: investigations.verdict, summary: investigations.summary })
    .from(alerts)
    .innerJoin(
      investigations,
      and(eq(investigations.alertUuid, alerts.alertUuid), eq(investigations.investigationNo, alerts.investigationNo)),
    )
    .where(and(matches(ref), inArray(alerts.investigationStatus, [InvestigationStatus.Completed, InvestigationStatus.Failed])));
  return row ? { ...row, status: row.status === InvestigationStatus.Completed ? 'Completed' : 'Failed' } : null;
}

export async function findOrganizationUuid(db: Db, alertId: string): Promise<string | null> {
  const [row] = await db.select({ organizationUuid: alerts.organizationUuid }).from(alerts).where(eq(alerts.alertId, alertId));
  return row?.organizationUuid ?? null;
}

function matches(ref: InvestigationRef) {
  return and(eq(alerts.alertId, ref.alertId), eq(alerts.investigationNo, ref.investigationNo));
}

/**
 * The only way to change an alert's status after intake: along a row of TRANSITIONS. The update returns the alert's row, or no
 * row where the alert has left the expected status.
 */
function moving(ref: InvestigationRef, cause: TransitionCause, at: number, changes: SQL, condition: SQL = sql`true`): SQL {
  const { from, to } = TRANSITIONS[cause];
  return sql`
    update alerts set ${changes}, investigation_status = ${to}, modified_at = to_timestamp(${at})
    where alert_id = ${ref.alertId} and investigation_no = ${ref.investigationNo} and investigation_status in ${from}
      and ${condition}
    returning alert_uuid, organization_uuid, alert_type, alert_content, playbook_uuid, plan_version, investigation_retry_count, retries_before_run`;
}

/** For a change that opens the case of the alert, unless it is open. */
interface Opening {
  /** Epoch seconds. */
  readonly at: number;
  /** For the timeline of the new case. */
  readonly openedText: string;
}

/**
 * Opens exactly one case for an alert: continues a statement with `moved`, and leaves the case in `its_case`. Of two concurrent
 * callers, the primary key of `case_alerts` refuses the second, whose retry finds the case. It is one statement because
 * the case numbers of an organization are assigned one commit after the other.
 */
function openingCase(title: SQL, opening: Opening): SQL {
  const at = sql`to_timestamp(${opening.at})`;
  return sql`present as (
      select case_alerts.alert_uuid, case_uuid, case_id from case_alerts join moved using (alert_uuid) join cases using (case_uuid)
    ), numbered as (
      insert into case_sequences (organization_uuid, last_number)
      select organization_uuid, 1 from moved where not exists (select from present)
      on conflict (organization_uuid) do update set last_number = case_sequences.last_number + 1
      returning organization_uuid, last_number
    ), opened as (
      insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, title, opened_at, modified_at)
      select ${newUuid()}::uuid, organization_code || '-CASE-' || last_number, organization_uuid, alert_uuid, ${title}, ${at}, ${at}
      from moved join numbered using (organization_uuid) join organizations using (organization_uuid)
      returning alert_uuid, case_uuid, case_id, organization_uuid
    ), joined as (
      insert into case_alerts (alert_uuid, case_uuid) select alert_uuid, case_uuid from opened
    ), findable as (
      insert into alert_texts (alert_uuid, words, block_no)
      select alert_uuid, alert_words(alert_type, alert_content), search_block(alert_uuid) from moved join opened using (alert_uuid)
    ), announced as (
      insert into case_timeline (case_uuid, at, kind, text)
      select case_uuid, ${at}, 'opened', ${opening.openedText}::text from opened
    ), clocked as (
      insert into case_clocks (case_uuid, kind, organization_uuid, started_at)
      select case_uuid, kind, organization_uuid, ${at} from opened, (values ('acknowledge'), ('close')) as clocks (kind)
    ), its_case as (
      select case_uuid, case_id, false as is_opened from present union all select case_uuid, case_id, true from opened
    )`;
}

/** Sets status 10 and opens the case atomically. null where the investigation is stale, or the content is not the one that was read. */
export async function begin(
  pg: PgClient,
  ref: InvestigationRef,
  attempt: Opening & {
    attempt: number;
    playbookUuid: string;
    planVersion?: number | null;
    playbookReason?: string | null;
    build?: string | null;
    entities: readonly Entity[];
    /** Short and full names that the alert states for one host or account. */
    names?: readonly ProvenName[];
    /** The digest of the content that the entities are from. null: any. */
    contentDigest?: string | null;
    /** The title of the case, if the investigation opens it. */
    title: string;
  },
): Promise<{ retryCount: number; caseId: string } | null> {
  // The dispatcher may have died before it marked the start, so the investigation marks it too.
  const changes = sql`investigation_retry_count = greatest(investigation_retry_count, retries_before_run + ${attempt.attempt - 1}), dispatched_no = investigation_no,
    playbook_uuid = ${attempt.playbookUuid}, plan_version = ${attempt.planVersion ?? null}::int,
    playbook_reason = coalesce(${attempt.playbookReason ?? null}::text, playbook_reason), lease_until = null`;
  // Its source can replace the content until the case opens.
  const isSameContent = sql`md5(alert_content) = coalesce(${attempt.contentDigest ?? null}::text, md5(alert_content))`;
  const [begun] = await executePrepared<{ retryCount: number; caseId: string }>(
    pg,
    sql`
    with moved as (${moving(ref, 'begin', attempt.at, changes, isSameContent)}), ${openingCase(sql`${attempt.title}::text`, attempt)}, news as (
      select case_uuid, organization_uuid, jsonb_build_object('case_id', case_id, 'severity', null, 'verdict', null, 'assignee', null,
        'alert_id', ${ref.alertId}::text) as data from opened
    ), ${writingNews('case.opened')}, found as (
      insert into alert_entities (alert_uuid, organization_uuid, kind, value, role)
      select alert_uuid, organization_uuid, kind, value, role
      from moved, json_to_recordset(${JSON.stringify(attempt.entities)}::text::json) as given (kind text, value text, role text)
      on conflict do nothing
    ), named as (
      -- In one order in every investigation, so that no two of them deadlock.
      insert into entity_values (organization_uuid, kind, value)
      select distinct organization_uuid, kind, value
      from moved, json_to_recordset(${JSON.stringify(attempt.entities)}::text::json) as given (kind text, value text)
      order by kind, value
      on conflict do nothing
    ), stated as (${savingNames(attempt.names ?? [], sql`moved`)}
    ), tried as (
      insert into investigations (alert_uuid, investigation_no, playbook_uuid, plan_version, build, status, attempt, started_at)
      select alert_uuid, ${ref.investigationNo}::int, playbook_uuid, plan_version, ${attempt.build ?? null}::text, 'InProgress', ${numberAttempt(attempt.attempt)}, to_timestamp(${attempt.at})
      from moved
      on conflict (alert_uuid, investigation_no) do update set attempt = excluded.attempt, playbook_uuid = excluded.playbook_uuid,
        plan_version = excluded.plan_version, build = excluded.build
    )
    select investigation_retry_count as "retryCount", case_id as "caseId" from moved, its_case`,
  );
  return begun ?? null;
}

export interface Moved {
  readonly alertUuid: string;
  readonly organizationUuid: string;
  readonly caseUuid: string;
  /** Whether this change opened the case. */
  readonly isOpened: boolean;
}

/** The same two steps inside a longer transaction, for rare changes. */
async function moveWithCase(
  transaction: Transaction,
  ref: InvestigationRef,
  cause: TransitionCause,
  opening: Opening,
  changes: SQL,
): Promise<Moved | null> {
  const title = sql`left(alert_type, ${CASE_TITLE_LENGTH})`;
  const [moved] = await transaction.execute<{ [Name in keyof Moved]: Moved[Name] }>(sql`
    with moved as (${moving(ref, cause, opening.at, changes)}), ${openingCase(title, opening)}
    select alert_uuid as "alertUuid", organization_uuid as "organizationUuid", case_uuid as "caseUuid", is_opened as "isOpened"
    from moved, its_case`);
  return moved ?? null;
}

/** An entry of the same step replaces the stored one. */
export async function recordEvidence(
  pg: PgClient,
  ref: InvestigationRef,
  { attempt, at, entries }: { attempt: number; at: number; entries: readonly EvidenceDraft[] },
): Promise<void> {
  await executePrepared(
    pg,
    sql`
    with moved as (
      select alert_uuid, retries_before_run from alerts
      where alert_id = ${ref.alertId} and investigation_no = ${ref.investigationNo} and investigation_status = ${InvestigationStatus.InProgress}
      for key share
    )
    ${writingEvidence(ref, { attempt, at, entries })}`,
  );
}

/** Each run counts its attempts from 1. Continues a statement with `moved`. `null`: the newest attempt of all runs. */
function numberAttempt(attempt: number | null): SQL {
  return attempt === null ? sql`investigation_retry_count + 1` : sql`retries_before_run + ${attempt}::int`;
}

/** Continues a statement with `moved`. */
function writingEvidence(
  ref: InvestigationRef,
  { attempt, at, entries }: { attempt: number | null; at: number; entries: readonly EvidenceDraft[] },
): SQL {
  return sql`
    insert into evidence (alert_uuid, investigation_no, attempt, at, step, kind, source, title, points, reason, techniques)
    select alert_uuid, ${ref.investigationNo}::int, ${numberAttempt(attempt)}, to_timestamp(${at}), step, kind, source, title, points, reason, techniques
    from moved, json_to_recordset(${JSON.stringify(entries)}::text::json)
      as given (step text, kind text, source jsonb, title text, points smallint, reason text, techniques text[])
    on conflict (alert_uuid, investigation_no, attempt, step) do update set source = excluded.source, title = excluded.title,
      points = excluded.points, reason = excluded.reason, techniques = excluded.techniques, kind = excluded.kind`;
}

interface End extends Conclusion {
  readonly status: 'Completed' | 'Failed';
  /** null: the newest attempt of all runs. */
  readonly attempt: number | null;
  /** Epoch seconds. */
  readonly at: number;
}

function writeReasons({ reasons, severityReasons = [] }: Conclusion): SQL {
  return sql`${reasons === undefined ? null : JSON.stringify(storeReasons(reasons, severityReasons))}::text::jsonb`;
}

/** Continues a statement with `moved`; inserts the row where the investigation never began. */
function endingInvestigation(ref: InvestigationRef, end: End): SQL {
  const at = sql`to_timestamp(${end.at})`;
  return sql`
    insert into investigations (alert_uuid, investigation_no, playbook_uuid, plan_version, status, attempt, verdict, score, confidence,
      severity, summary, reasons, started_at, ended_at)
    select alert_uuid, ${ref.investigationNo}::int, playbook_uuid, plan_version, ${end.status}::text, ${numberAttempt(end.attempt)}, ${end.verdict}::text,
      ${end.score}::int, ${end.confidence}::int, ${end.severity}::text, ${end.summary}::text, ${writeReasons(end)}, ${at}, ${at}
    from moved where playbook_uuid is not null
    on conflict (alert_uuid, investigation_no) do update set status = excluded.status, attempt = excluded.attempt, verdict = excluded.verdict,
      score = excluded.score, confidence = excluded.confidence, severity = excluded.severity, summary = excluded.summary, reasons = excluded.reasons,
      ended_at = excluded.ended_at`;
}

/**
 * Writes verdict, evidence and status 15 atomically. null where the investigation is stale. `needsRecompute`: the verdict of the case is
 * not written, because the case has several alerts, is reopened, or changed while the statement ran. `execute`: prepared, or in a transaction.
 */
export async function conclude(
  execute: (statement: SQL) => Promise<readonly Record<string, unknown>[]>,
  ref: InvestigationRef,
  result: { attempt: number; at: number; evidence: readonly EvidenceDraft[]; conclusion: Conclusion; concludedText: string },
): Promise<{ needsRecompute: boolean } | null> {
  const { verdict, score, confidence, severity, summary } = result.conclusion;
  const at = sql`to_timestamp(${result.at})`;
  const [concluded] = await execute(sql`
    with moved as (${moving(ref, 'conclude', result.at, sql`completed_at = ${at}`)}), written as (
      ${writingEvidence(ref, { ...result, entries: result.evidence })}
    ), ended as (
      ${endingInvestigation(ref, { ...result.conclusion, ...result, status: 'Completed' })}
    ), home as (
      select alert_uuid, case_uuid from moved join case_alerts using (alert_uuid) for no key update of case_alerts
    ), locked as (
      select home.alert_uuid, case_uuid, case_id, organization_uuid, status, verdict as verdict_before, severity as severity_before,
        analyst_verdict, coalesce((select users.name from users where users.user_uuid = assignee_uuid), assignee) as assignee,
        cases.xmin as version
      from home join cases using (case_uuid) for no key update of cases
    ), its_case as (
      select locked.*, coalesce(status = 'closed' and verdict_before <> ${verdict}::text, false)
        or exists (select from case_alerts as others where others.case_uuid = locked.case_uuid and others.alert_uuid <> locked.alert_uuid)
        or not exists (select from cases as seen where seen.case_uuid = locked.case_uuid and seen.xmin = locked.version) as needs_recompute
      from locked
    ), judged as (
      update cases set verdict = ${verdict}, score = ${score}, confidence = ${confidence}, severity = ${severity}, summary = ${summary},
        reasons = ${writeReasons(result.conclusion)},
        modified_at = ${at}
      from its_case where cases.case_uuid = its_case.case_uuid and not needs_recompute
    ), timeline as (
      insert into case_timeline (case_uuid, at, kind, text) select case_uuid, ${at}, 'concluded', ${result.concludedText}::text from its_case
    ), clocked as (
      -- A clock that stopped before the first verdict gets its due time with it.
      update case_clocks set is_stale = true from its_case
      where case_clocks.case_uuid = its_case.case_uuid and not needs_recompute and severity_before is distinct from ${severity}::text
        and breached_at is null and (stopped_at is null or severity_before is null)
        and exists (select from sla_policies where sla_policies.organization_uuid = its_case.organization_uuid)
      returning case_clocks.case_uuid
    ), news as (
      -- Counting the clocks locks them before the subject of the event, in the order of the other transactions.
      select case_uuid, organization_uuid, jsonb_build_object('case_id', case_id, 'severity', ${severity}::text,
        'verdict', coalesce(analyst_verdict, ${verdict}::text), 'assignee', assignee,
        'previous_verdict', coalesce(analyst_verdict, verdict_before), 'previous_severity', severity_before) as data
      from its_case where not needs_recompute and (select count(*) from clocked) >= 0
        and (coalesce(analyst_verdict, ${verdict}::text), ${severity}::text) is distinct from (coalesce(analyst_verdict, verdict_before), severity_before)
    ), ${writingNews('case.verdict_changed')}
    select needs_recompute as "needsRecompute" from its_case`);
  return concluded === undefined ? null : { needsRecompute: concluded['needsRecompute'] === true };
}

/** The alert of an investigation that has concluded; null where it has not. */
export async function findConcludedAlert(transaction: Transaction, ref: InvestigationRef): Promise<string | null> {
  const [alert] = await transaction
    .select({ alertUuid: alerts.alertUuid })
    .from(alerts)
    .where(and(matches(ref), eq(alerts.investigationStatus, InvestigationStatus.Completed)));
  return alert?.alertUuid ?? null;
}

/** Sets status 20, and opens the case if needed. null where the investigation is stale. */
export async function moveToFailed(
  transaction: Transaction,
  ref: InvestigationRef,
  cause: 'fail' | 'refuse' | 'reconcile-fail',
  { playbookUuid, ...opening }: Opening & { playbookUuid: string | null },
): Promise<Moved | null> {
  const changes = sql`completed_at = to_timestamp(${opening.at}), dispatched_no = investigation_no, lease_until = null,
    playbook_uuid = coalesce(${playbookUuid}::uuid, playbook_uuid)`;
  return moveWithCase(transaction, ref, cause, opening, changes);
}

/** Writes the evidence and the end of an investigation of the alert. */
export async function writeEnd(
  transaction: Transaction,
  ref: InvestigationRef,
  { alertUuid }: Moved,
  { entries, ...end }: End & { entries: readonly EvidenceDraft[] },
): Promise<void> {
  const alert = sql`moved as (select alert_uuid, playbook_uuid, plan_version, investigation_retry_count, retries_before_run from alerts where alert_uuid = ${alertUuid})`;
  await transaction.execute(sql`with ${alert} ${writingEvidence(ref, { ...end, entries })}`);
  await transaction.execute(sql`with ${alert} ${endingInvestigation(ref, end)}`);
}

/** null where the scope has no such alert. `completedAt` is null while its investigation runs. */
export async function lockAlert(transaction: Transaction, scope: string | null, alertId: string) {
  const [alert] = await transaction
    .select({
      alertUuid: alerts.alertUuid,
      investigationNo: alerts.investigationNo,
      retryCount: alerts.investigationRetryCount,
      completedAt: alerts.completedAt,
    })
    .from(alerts)
    .where(and(eq(alerts.alertId, alertId), inOrganization(alerts.organizationUuid, scope)))
    .for('update');
  return alert ?? null;
}

/** Puts the next investigation into the outbox, the same as for the first. null where this one has not ended. */
export async function moveToNext(
  transaction: Transaction,
  ref: InvestigationRef,
  { reuseBefore, ...opening }: Opening & { reuseBefore: string | null },
): Promise<Moved | null> {
  const changes = sql`investigation_no = ${ref.investigationNo + 1}, investigation_retry_count = 0, retries_before_run = 0, requeue_count = 0, lease_until = null,
    completed_at = null, reuse_before = ${reuseBefore}::uuid`;
  const moved = await moveWithCase(transaction, ref, 'reinvestigate', opening, changes);
  if (moved) await transaction.execute(sql.raw(`notify ${OUTBOX_CHANNEL}`));
  return moved;
}

/** Puts an alert without a workflow back into the outbox, which is a retry. False where its status changed in the meantime. */
export async function requeue(db: Db, ref: InvestigationRef, at: number): Promise<boolean> {
  const changes = sql`dispatched_no = investigation_no - 1, requeue_count = requeue_count + 1,
    investigation_retry_count = investigation_retry_count + 1, retries_before_run = investigation_retry_count + 1, lease_until = null`;
  const moved = await db.execute(
    sql`with moved as (${moving(ref, 'reconcile-requeue', at, changes)}) select pg_notify(${OUTBOX_CHANNEL}, '') from moved`,
  );
  return moved.length > 0;
}
