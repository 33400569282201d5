import { sql } from 'drizzle-orm';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { clip } from '../../domain/text.js';
import { OUTBOX_CHANNEL } from '../alerts/outbox.js';
import { executePrepared, type PgClient, type Queries } from '../client.js';
import { nowSeconds } from '../columns.js';
import { writingNews } from '../notifications/events.js';

/** A connection that feeds the intake. It is also the creator of its alerts. */
export interface Feed {
  readonly connectionUuid: string;
  readonly connector: string;
  readonly instanceName: string;
  /** Whether a remote agent reads it. */
  readonly isRouted: boolean;
  readonly organizationUuid: string;
  readonly organizationCode: string;
}

/** Lists the connections of these kinds that feed the intake. A broken connection is left out until its reconnect. */
export async function listFeeds(pg: PgClient, kinds: readonly string[]): Promise<string[]> {
  const rows = await pg<{ connection_uuid: string }[]>`
    select connection_uuid from connections where feeds_intake and state <> 'broken' and connector_kind = any(${[...kinds]}::text[])`;
  return rows.map((row) => row.connection_uuid);
}

/** null: the connection does not exist or no longer feeds the intake. */
export async function findFeed(pg: Queries, connectionUuid: string): Promise<Feed | null> {
  const [feed] = await pg<Feed[]>`
    select connection_uuid as "connectionUuid", connector_kind as connector, instance_name as "instanceName", remote_agent_uuid is not null as "isRouted",
      organization_uuid as "organizationUuid", organization_code as "organizationCode"
    from connections join organizations using (organization_uuid) where connection_uuid = ${connectionUuid} and feeds_intake`;
  return feed ?? null;
}

/** False: the source reported this item before. */
export async function insertItem(pg: Queries, item: ItemRevision & { readonly alertUuid: string }): Promise<boolean> {
  const added = await pg`
    insert into source_items (connection_uuid, source_id, revision, alert_uuid, taken_at)
    values (${item.connectionUuid}, ${item.sourceId}, ${item.revision}, ${item.alertUuid}, now())
    on conflict do nothing returning source_id`;
  return added.length > 0;
}

/** The dispatcher learns of the alert at the commit. */
export async function notifyOutbox(pg: Queries): Promise<void> {
  await pg`select pg_notify(${OUTBOX_CHANNEL}, '')`;
}

export interface ItemRevision {
  readonly connectionUuid: string;
  readonly sourceId: string;
  readonly revision: string;
}

/** Returns the alert of the item; null: the item is unknown, or has this revision already. */
export async function changeRevision(pg: Queries, { connectionUuid, sourceId, revision }: ItemRevision): Promise<string | null> {
  const [changed] = await pg<{ alert_uuid: string }[]>`
    update source_items set revision = ${revision}
    where connection_uuid = ${connectionUuid} and source_id = ${sourceId} and revision <> ${revision}
    returning alert_uuid`;
  return changed?.alert_uuid ?? null;
}

/** Adds a comment to the case of the alert, with its event. False: the alert has no case. */
export async function commentOnAlert(pg: Queries, alertUuid: string, text: string): Promise<boolean> {
  const noted = await executePrepared(
    pg,
    sql`
    with touched as (
      update cases set modified_at = now() from case_alerts
      where case_alerts.alert_uuid = ${alertUuid} and cases.case_uuid = case_alerts.case_uuid
      returning cases.*, coalesce((select users.name from users where users.user_uuid = assignee_uuid), assignee) as assignee_name
    ), commented as (
      insert into case_timeline (case_uuid, at, kind, text) select case_uuid, now(), 'comment', ${text}::text from touched
    ), news as (
      select case_uuid, organization_uuid, jsonb_build_object('case_id', case_id, 'severity', severity,
        'verdict', coalesce(analyst_verdict, verdict), 'assignee', assignee_name, 'author', null, 'mentions', '[]'::jsonb) as data from touched
    ), ${writingNews('case.commented')}
    select case_uuid from touched`,
  );
  return noted.length > 0;
}

/** False: an investigation has begun, and the case shows the content that it read. */
export async function replaceContent(pg: Queries, alertUuid: string, content: string): Promise<boolean> {
  const replaced = await pg`
    update alerts set alert_content = ${content}, modified_at = now()
    where alert_uuid = ${alertUuid} and investigation_no = 1
      and investigation_status = any(${[InvestigationStatus.Created, InvestigationStatus.Submitted]}::int[])
    returning alert_uuid`;
  return replaced.length > 0;
}

/** Returns the time up to which a source has been read, in epoch seconds. A new source starts `firstWindowSeconds` ago. */
export async function readWatermark(pg: PgClient, connectionUuid: string, firstWindowSeconds: number): Promise<number> {
  await pg`
    insert into source_watermarks (connection_uuid, read_until)
    values (${connectionUuid}, now() - make_interval(secs => ${firstWindowSeconds})) on conflict do nothing`;
  const [row] = await pg<{ seconds: number }[]>`
    select floor(extract(epoch from read_until))::float8 as seconds from source_watermarks where connection_uuid = ${connectionUuid}`;
  return row?.seconds ?? nowSeconds() - firstWindowSeconds;
}

/**
 * Never moves the watermark back, because another poll may have read further, and never over a time before `since` that no poll has
 * read.
 */
export async function moveWatermark(pg: PgClient, connectionUuid: string, read: { since: number; until: number }): Promise<void> {
  await pg`
    update source_watermarks set read_until = greatest(read_until, to_timestamp(${read.until}::float8))
    where connection_uuid = ${connectionUuid} and read_until >= to_timestamp(${read.since}::float8)`;
}

export async function endPoll(pg: PgClient, connectionUuid: string, error: string | null): Promise<void> {
  await pg`
    update source_watermarks set last_read_at = now(), last_error = ${error === null ? null : clip(error, 1000)}
    where connection_uuid = ${connectionUuid}`;
}

export interface SourceAnswer {
  readonly output: unknown;
  /** The question that the source asked. */
  readonly input: unknown;
  readonly askedAt: number;
}

/** The answer to a question of the source itself; null where another run has this answer. */
export async function readAnswer(pg: PgClient, connectionUuid: string, resultUuid: string): Promise<SourceAnswer | null> {
  const [row] = await pg<SourceAnswer[]>`
    select skill_results.output, skill_runs.input, extract(epoch from asked_at)::float8 as "askedAt"
    from skill_results join skill_runs using (run_uuid)
    where skill_results.result_uuid = ${resultUuid} and skill_results.connection_uuid = ${connectionUuid} and asked_by_uuid = ${connectionUuid}`;
  return row ?? null;
}
