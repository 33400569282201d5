import { and, count, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import type { ViewedList } from '../../domain/case/viewed-list.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { apiKeys, savedViews, users } from '../schema/index.js';

function isVisible(by: Principal): SQL | undefined {
  return or(
    eq(savedViews.principalUuid, by.uuid),
    and(savedViews.isShared, sql`${savedViews.organizationUuid} is not distinct from ${by.organizationUuid}::uuid`),
  );
}

function selectViews(db: Db | Transaction, by: Principal) {
  return db
    .select({
      view_id: savedViews.viewUuid,
      list: savedViews.list,
      name: savedViews.name,
      filters: savedViews.filters,
      is_shared: savedViews.isShared,
      is_own: sql<boolean>`${savedViews.principalUuid} = ${by.uuid}`,
      created_by: sql<string>`coalesce(${users.name}, ${apiKeys.name}, '')`,
      created_at: savedViews.createdAt,
    })
    .from(savedViews)
    .leftJoin(apiKeys, eq(apiKeys.keyUuid, savedViews.principalUuid))
    .leftJoin(users, or(eq(users.userUuid, savedViews.principalUuid), eq(users.userUuid, apiKeys.ownerUuid)))
    .$dynamic();
}
export type ViewRow = Awaited<ReturnType<typeof selectViews>>[number];

/** The views of the caller and those that are shared in the organization, oldest first. */
export async function listViews(
  db: Db | Transaction,
  by: Principal,
  list: ViewedList | undefined,
  page: PageRequest,
): Promise<Page<ViewRow>> {
  const rows = await selectViews(db, by)
    .where(
      and(
        isVisible(by),
        list === undefined ? undefined : eq(savedViews.list, list),
        page.after === null ? undefined : gt(savedViews.viewUuid, page.after),
      ),
    )
    .orderBy(savedViews.viewUuid)
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.view_id);
}

/** Concurrent additions of the same caller wait, so that the count holds until the end of the transaction. */
export async function countOwnViews(transaction: Transaction, by: Principal): Promise<number> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`views of ${by.uuid}`}, 0))`);
  const [present] = await transaction.select({ views: count() }).from(savedViews).where(eq(savedViews.principalUuid, by.uuid));
  return present?.views ?? 0;
}

export async function insertView(transaction: Transaction, by: Principal, view: typeof savedViews.$inferInsert): Promise<ViewRow> {
  await transaction.insert(savedViews).values(view);
  return readView(transaction, by, view.viewUuid);
}

export async function updateViewRow(
  transaction: Transaction,
  by: Principal,
  viewUuid: string,
  changes: Partial<Pick<typeof savedViews.$inferInsert, 'name' | 'filters' | 'isShared'>>,
): Promise<ViewRow> {
  await transaction.update(savedViews).set(changes).where(eq(savedViews.viewUuid, viewUuid));
  return readView(transaction, by, viewUuid);
}

export async function deleteViewRow(transaction: Transaction, viewUuid: string): Promise<void> {
  await transaction.delete(savedViews).where(eq(savedViews.viewUuid, viewUuid));
}

/** null where the caller cannot see the view. */
export async function lockView(transaction: Transaction, by: Principal, viewUuid: string): Promise<ViewRow | null> {
  const [view] = await selectViews(transaction, by)
    .where(and(eq(savedViews.viewUuid, viewUuid), isVisible(by)))
    .for('update', { of: savedViews });
  return view ?? null;
}

async function readView(transaction: Transaction, by: Principal, viewUuid: string): Promise<ViewRow> {
  const [view] = await selectViews(transaction, by).where(eq(savedViews.viewUuid, viewUuid));
  if (!view) throw new Error('The view is missing in its own transaction.');
  return view;
}
