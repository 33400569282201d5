import { and, desc, eq, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import { describeEvent, parseEvent } from '../../domain/notification/event.js';
import { completePreferences, type InboxOwner, type InboxPreferences } from '../../domain/notification/inbox.js';
import { MAX_UNREAD } from '../../domain/notification/unread.js';
import type { Db, Transaction } from '../client.js';
import { type PageRequest, toPage } from '../page.js';
import { inboxEntries, inboxPreferences, notificationEvents, organizations } from '../schema/index.js';
import { inOrganization } from '../scope.js';

export interface Member extends InboxOwner {
  readonly userUuid: string;
  readonly organizationUuid: string;
}

export interface NewEntry {
  readonly entryUuid: string;
  readonly organizationUuid: string;
  readonly eventNo: number;
  readonly userUuid: string;
}

/** A unique key makes a repetition harmless. */
export async function insertEntries(transaction: Transaction, entries: readonly NewEntry[]): Promise<void> {
  // As one parameter: a full batch has more values than a statement can have parameters.
  await transaction.execute(sql`
    insert into inbox_entries (entry_uuid, organization_uuid, event_no, user_uuid)
    select "entryUuid", "organizationUuid", "eventNo", "userUuid" from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb)
      as entry ("entryUuid" uuid, "organizationUuid" uuid, "eventNo" bigint, "userUuid" uuid)
    on conflict do nothing`);
}

/** The `limit` users of each organization who signed in last, and the named ones. A user has the highest of their roles. */
export async function listMembers(
  transaction: Transaction,
  organizationUuids: readonly string[],
  named: readonly { readonly organization: string; readonly name: string }[],
  limit: number,
): Promise<Member[]> {
  const rows = await transaction.execute<Omit<Member, 'preferences'> & { preferences: InboxPreferences | null }>(sql`
    with named as (
      select distinct organization, name from jsonb_to_recordset(${JSON.stringify(named)}::text::jsonb) as each (organization uuid, name text)
    ), given as (select value::uuid as organization from jsonb_array_elements_text(${JSON.stringify(organizationUuids)}::text::jsonb))
    select member.*, organization as "organizationUuid", preferences from given cross join lateral (
      select users.user_uuid as "userUuid", users.name, case when bool_or(role = 'admin') then 'admin' else 'analyst' end as role
      from users join memberships on memberships.user_uuid = users.user_uuid
      where (organization_uuid = organization or organization_uuid is null) and role <> 'sender' and deactivated_at is null
      group by users.user_uuid
      order by exists (select from named where named.organization = given.organization and named.name = users.name) desc,
        last_sign_in_at desc nulls last, users.user_uuid
      limit ${limit} + (select count(*) from named where named.organization = given.organization)) as member
    left join inbox_preferences on user_uuid = "userUuid"`);
  return rows.map((row) => ({ ...row, preferences: completePreferences(row.preferences) }));
}

/** A user's own entries, of the active organization or of all. */
export interface Inbox {
  readonly userUuid: string;
  readonly scope: string | null;
}

function isOwn({ userUuid, scope }: Inbox): SQL | undefined {
  return and(eq(inboxEntries.userUuid, userUuid), inOrganization(inboxEntries.organizationUuid, scope));
}

/** Newest first. */
export async function listEntries(db: Db | Transaction, inbox: Inbox, { unreadOnly, ...page }: PageRequest & { unreadOnly: boolean }) {
  const rows = await db
    .select({
      entry_id: inboxEntries.entryUuid,
      read_at: inboxEntries.readAt,
      organization_code: organizations.organizationCode,
      event_id: notificationEvents.eventUuid,
      event: notificationEvents.name,
      data: notificationEvents.data,
      sequence: notificationEvents.sequence,
      at: notificationEvents.at,
    })
    .from(inboxEntries)
    .innerJoin(notificationEvents, eq(notificationEvents.eventNo, inboxEntries.eventNo))
    .innerJoin(organizations, eq(organizations.organizationUuid, inboxEntries.organizationUuid))
    .where(
      and(
        isOwn(inbox),
        unreadOnly ? isNull(inboxEntries.readAt) : undefined,
        page.after === null ? undefined : lt(inboxEntries.entryUuid, page.after),
      ),
    )
    .orderBy(desc(inboxEntries.entryUuid))
    .limit(page.limit + 1);
  const entries = rows.map(({ data, sequence, ...row }) => {
    const event = { id: row.event_id, name: row.event, organization: row.organization_code, sequence, at: row.at, data };
    return { ...row, ...describeEvent(parseEvent(event)) };
  });
  return toPage(entries, page, (row) => row.entry_id);
}

export async function countUnread(db: Db | Transaction, inbox: Inbox): Promise<number> {
  const unread = db
    .select({ entryUuid: inboxEntries.entryUuid })
    .from(inboxEntries)
    .where(and(isOwn(inbox), isNull(inboxEntries.readAt)))
    .limit(MAX_UNREAD)
    .as('unread');
  return db.$count(unread);
}

/** False where the inbox has no such entry. */
export async function markEntryRead(db: Db | Transaction, inbox: Inbox, entryUuid: string): Promise<boolean> {
  const changed = await db
    .update(inboxEntries)
    .set({ readAt: sql`coalesce(${inboxEntries.readAt}, now())` })
    .where(and(isOwn(inbox), eq(inboxEntries.entryUuid, entryUuid)))
    .returning({ entryUuid: inboxEntries.entryUuid });
  return changed.length > 0;
}

/** This entry and older ones; null: all. */
export async function markReadThrough(db: Db | Transaction, inbox: Inbox, through: string | null, now: number): Promise<void> {
  const { entryUuid, readAt } = inboxEntries;
  await db
    .update(inboxEntries)
    .set({ readAt: now })
    .where(and(isOwn(inbox), isNull(readAt), through === null ? undefined : lte(entryUuid, through)));
}

export async function readPreferences(db: Db | Transaction, userUuid: string): Promise<InboxPreferences> {
  const [row] = await db.select().from(inboxPreferences).where(eq(inboxPreferences.userUuid, userUuid));
  return completePreferences(row?.preferences ?? null);
}

export async function upsertPreferences(
  transaction: Transaction,
  userUuid: string,
  preferences: InboxPreferences,
  modifiedAt: number,
): Promise<void> {
  await transaction
    .insert(inboxPreferences)
    .values({ userUuid, preferences, modifiedAt })
    .onConflictDoUpdate({ target: inboxPreferences.userUuid, set: { preferences, modifiedAt } });
}
