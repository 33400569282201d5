import { eq, type SQL, sql } from 'drizzle-orm';
import { EVENTS_KEPT_DAYS } from '../../domain/notification/delivery.js';
import type { EventName } from '../../domain/notification/event.js';
import type { PgClient, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { cases, notificationEvents } from '../schema/index.js';

const DELETED_AT_ONCE = 5_000;

/** With the places of old messages, which are not updated any more. Events that some channel still has to receive stay, and those that a legal hold keeps. */
export async function deleteOldEvents(pg: PgClient): Promise<void> {
  await pg`
    delete from notification_events where event_no = any (array (
      select event_no from notification_events as old
      where at < now() - make_interval(days => ${EVENTS_KEPT_DAYS}) and routed_at is not null and not exists (
        select from notification_deliveries as delivery where delivery.event_no = old.event_no and state = 'pending')
        and not exists (select from legal_holds where legal_holds.organization_uuid = old.organization_uuid
          and (legal_holds.case_uuid is null or legal_holds.case_uuid = old.subject_uuid))
      order by at limit ${DELETED_AT_ONCE}))`;
  await pg`delete from notification_messages where sent_at < now() - make_interval(days => ${EVENTS_KEPT_DAYS})`;
}

/** The last event of a subject; null where it has none. */
export async function findLastEvent(transaction: Transaction, subjectUuid: string): Promise<string | null> {
  const [subject] = await transaction.execute<{ last_name: string }>(
    sql`select last_name from notification_subjects where subject_uuid = ${subjectUuid}`,
  );
  return subject?.last_name ?? null;
}

/**
 * Call it last in a transaction: it locks the subject until the commit. `secret.expiring` leaves the last event of a connection, which
 * tells whether the connection is broken.
 */
export async function insertEvent(
  transaction: Transaction,
  event: { name: EventName; organizationUuid: string; subjectUuid: string; data: Record<string, unknown> },
): Promise<void> {
  const { name, organizationUuid, subjectUuid, data } = event;
  await transaction.execute(sql`
    with subject as (
      insert into notification_subjects as known (subject_uuid, last_sequence, last_name) values (${subjectUuid}, 1, ${name})
      on conflict (subject_uuid) do update set last_sequence = known.last_sequence + 1,
        last_name = case excluded.last_name when 'secret.expiring' then known.last_name else excluded.last_name end
      returning last_sequence
    )
    insert into notification_events (event_uuid, organization_uuid, name, subject_uuid, sequence, data, at)
    select gen_random_uuid(), ${organizationUuid}, ${name}, ${subjectUuid}, last_sequence, ${JSON.stringify(data)}::text::jsonb, clock_timestamp()
    from subject`);
}

/** An event that the router leaves alone. Its own subject, so that it waits for no other delivery. Returns its number. */
export async function insertRoutedEvent(
  transaction: Transaction,
  event: { eventUuid: string; name: EventName; organizationUuid: string; data: Record<string, unknown>; at: number },
): Promise<number> {
  const [added] = await transaction
    .insert(notificationEvents)
    .values({ ...event, subjectUuid: event.eventUuid, sequence: 1, routedAt: event.at })
    .returning({ eventNo: notificationEvents.eventNo });
  if (!added) throw new Error('The event was not added.');
  return added.eventNo;
}

/** With the facts of the case. */
export async function insertCaseEvent(
  transaction: Transaction,
  { name, caseUuid, data }: { name: EventName; caseUuid: string; data: Record<string, unknown> },
): Promise<void> {
  const [found] = await transaction
    .select({
      organizationUuid: cases.organizationUuid,
      facts: {
        case_id: cases.caseId,
        severity: cases.severity,
        verdict: sql<string | null>`coalesce(${cases.analystVerdict}, ${cases.verdict})`,
        assignee: currentName(cases.assigneeUuid, cases.assignee),
      },
    })
    .from(cases)
    .where(eq(cases.caseUuid, caseUuid));
  if (!found) return;
  const { organizationUuid, facts } = found;
  await insertEvent(transaction, { name, organizationUuid, subjectUuid: caseUuid, data: { ...facts, ...data } });
}

/** For a statement of several parts: writes an event for each row of `news`, which has case_uuid, organization_uuid and data. */
export function writingNews(name: EventName): SQL {
  return sql`subjects as (
      insert into notification_subjects as known (subject_uuid, last_sequence, last_name) select case_uuid, 1, ${name}::text from news
      on conflict (subject_uuid) do update set last_sequence = known.last_sequence + 1, last_name = excluded.last_name
      returning subject_uuid, last_sequence
    ), events as (
      insert into notification_events (event_uuid, organization_uuid, name, subject_uuid, sequence, data, at)
      select gen_random_uuid(), organization_uuid, ${name}::text, subject_uuid, last_sequence, data, clock_timestamp()
      from news join subjects on subject_uuid = case_uuid
    )`;
}
