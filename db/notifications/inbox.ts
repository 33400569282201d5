import { and, desc, eq, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import { describeEvent, parseEvent } from '../../domain/notification/event.js';
import {
  completePreferences,
  INBOXES_AT_MOST,
  type InboxEntry,
  type InboxOwner,
  type InboxPreferences,
  isForInbox,
  listNamed,
} from '../../domain/notification/inbox.js';
import { UNREAD_AT_MOST } from '../../domain/notification/unread.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { inboxEntries, inboxPreferences, notificationEvents, organizations } from '../schema/index.js';

type StoredEvent = Pick<typeof notificationEvents.$inferSelect, 'eventNo' | 'organizationUuid' | 'name' | 'data'>;

interface Member extends InboxOwner {
  readonly userUuid: string;
  readonly organizationUuid: string;
}

/** Adds the events to the inboxes of the users who want them. A unique key makes a repetition harmless. Returns the users. */
export async function addToInboxes(transaction: Transaction, events: readonly StoredEvent[]): Promise<string[]> {
  const members = await listMembers(transaction, events);
  const entries = events.flatMap((event) => {
    const wanting = members.filter((member) => member.organizationUuid === event.organizationUuid && isForInbox(member, event));
    const named = new Set(listNamed(event));
    const namedFirst = [...wanting.filter(({ name }) => named.has(name)), ...wanting.filter(({ name }) => !named.has(name))];
    return namedFirst.slice(0, INBOXES_AT_MOST).map(({ userUuid, organizationUuid }) => {
      return { entryUuid: newUuid(), userUuid, organizationUuid, eventNo: event.eventNo };
    });
  });
  if (entries.length === 0) return [];
  // As one parameter: a full batch has more values than a statement can have parameters.
  await transaction.execute(sql`
    insert into inbox_entries (entry_uuid, organization_uuid, event_no, user_uuid)
    select "entryUuid", "organizationUuid", "eventNo", "userUuid" from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb)
      as entry ("entryUuid" uuid, "organizationUuid" uuid, "eventNo" bigint, "userUuid" uuid)
    on conflict do nothing`);
  return [...new Set(entries.map(({ userUuid }) => userUuid))];
}

/** The users of each organization who signed in last, and those whom the events name. A user has the highest of their roles. */
async function listMembers(transaction: Transaction, events: readonly StoredEvent[]): Promise<Member[]> {
  const named = events.flatMap((event) => listNamed(event).map((name) => ({ organization: event.organizationUuid, name })));
  const organizationUuids = [...new Set(events.map(({ organizationUuid }) => organizationUuid))];
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
      limit ${INBOXES_AT_MOST} + (select count(*) from named where named.organization = given.organization)) as member
    left join inbox_preferences on user_uuid = "userUuid"`);
  return rows.map((row) => ({ ...row, preferences: completePreferences(row.preferences) }));
}

/** The entries that the caller may see: a user's own, of the active organization or of all. */
function isOwn(userUuid: string, { organizationUuid: scope }: Principal): SQL | undefined {
  return and(eq(inboxEntries.userUuid, userUuid), scope === null ? undefined : eq(inboxEntries.organizationUuid, scope));
}

/** Newest first. */
export async function listEntries(
  db: Db,
  userUuid: string,
  by: Principal,
  { unreadOnly, ...page }: PageRequest & { unreadOnly: boolean },
): Promise<Page<InboxEntry>> {
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
        isOwn(userUuid, by),
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

export async function countUnread(db: Db, userUuid: string, by: Principal): Promise<number> {
  const unread = db
    .select({ entryUuid: inboxEntries.entryUuid })
    .from(inboxEntries)
    .where(and(isOwn(userUuid, by), isNull(inboxEntries.readAt)))
    .limit(UNREAD_AT_MOST)
    .as('unread');
  return db.$count(unread);
}

/** `entryUuid`: this entry. `through`: this one and older ones; null: all. False where the caller has no such entry. */
export async function markRead(
  db: Db,
  userUuid: string,
  by: Principal,
  which: { entryUuid: string } | { through: string | null },
): Promise<boolean> {
  const { entryUuid, readAt } = inboxEntries;
  if ('entryUuid' in which) {
    const changed = await db
      .update(inboxEntries)
      .set({ readAt: sql`coalesce(${readAt}, now())` })
      .where(and(isOwn(userUuid, by), eq(entryUuid, which.entryUuid)))
      .returning({ entryUuid });
    return changed.length > 0;
  }
  await db
    .update(inboxEntries)
    .set({ readAt: nowSeconds() })
    .where(and(isOwn(userUuid, by), isNull(readAt), which.through === null ? undefined : lte(entryUuid, which.through)));
  return true;
}

export async function readPreferences(db: Db, userUuid: string): Promise<InboxPreferences> {
  const [row] = await db.select().from(inboxPreferences).where(eq(inboxPreferences.userUuid, userUuid));
  return completePreferences(row?.preferences ?? null);
}

export async function savePreferences(db: Db, userUuid: string, by: Principal, preferences: InboxPreferences): Promise<void> {
  const modifiedAt = nowSeconds();
  await db.transaction(async (transaction) => {
    await transaction
      .insert(inboxPreferences)
      .values({ userUuid, preferences, modifiedAt })
      .onConflictDoUpdate({ target: inboxPreferences.userUuid, set: { preferences, modifiedAt } });
    await recordAudit(transaction, { by, organizationUuid: by.organizationUuid, action: 'inbox-preferences.update', target: userUuid });
  });
}
