import { and, count, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import {
  type CreateSavedView,
  type SavedView,
  type UpdateSavedView,
  VIEWS_AT_MOST,
  type ViewedList,
} from '../../domain/case/saved-view.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { apiKeys, savedViews, users } from '../schema/index.js';

function isVisible(by: Principal): SQL | undefined {
  return or(
    eq(savedViews.principalUuid, by.uuid),
    and(savedViews.isShared, sql`${savedViews.organizationUuid} is not distinct from ${by.organizationUuid}::uuid`),
  );
}

function viewQuery(db: Db | Transaction, by: Principal) {
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

/** The views of the caller and those that are shared in the organization, oldest first. */
export async function listViews(db: Db, by: Principal, list: ViewedList | undefined, page: PageRequest): Promise<Page<SavedView>> {
  const rows = await viewQuery(db, by)
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

/** 'full': the caller has the maximum. */
export async function createView(db: Db, by: Principal, given: CreateSavedView): Promise<SavedView | 'full'> {
  return db.transaction(async (transaction) => {
    // Concurrent additions wait, so that the count holds.
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`views of ${by.uuid}`}, 0))`);
    const [present] = await transaction.select({ views: count() }).from(savedViews).where(eq(savedViews.principalUuid, by.uuid));
    if ((present?.views ?? 0) >= VIEWS_AT_MOST) return 'full';
    const viewUuid = newUuid();
    const { list, name, filters, is_shared: isShared } = given;
    await transaction.insert(savedViews).values({
      viewUuid,
      organizationUuid: by.organizationUuid,
      principalUuid: by.uuid,
      list,
      name,
      filters,
      isShared,
      createdAt: nowSeconds(),
    });
    await audit(transaction, by, 'saved-view.create', viewUuid, { name, is_shared: isShared });
    const [created] = await viewQuery(transaction, by).where(eq(savedViews.viewUuid, viewUuid));
    if (!created) throw new Error('The new view is missing.');
    return created;
  });
}

type ViewOutcome = { readonly outcome: 'unknown' | 'foreign' } | { readonly outcome: 'done'; readonly view: SavedView };

/** 'foreign': a shared view of another person, which only that person or an admin may change. */
export async function updateView(db: Db, by: Principal, viewUuid: string, update: UpdateSavedView): Promise<ViewOutcome> {
  return db.transaction(async (transaction) => {
    const found = await lockView(transaction, by, viewUuid);
    if (found.outcome !== 'done') return found;
    const { name, filters, is_shared: isShared } = update;
    await transaction
      .update(savedViews)
      .set({
        ...(name === undefined ? {} : { name }),
        ...(filters === undefined ? {} : { filters }),
        ...(isShared === undefined ? {} : { isShared }),
      })
      .where(eq(savedViews.viewUuid, viewUuid));
    await audit(transaction, by, 'saved-view.update', viewUuid, { changed: Object.keys(update) });
    const [view] = await viewQuery(transaction, by).where(eq(savedViews.viewUuid, viewUuid));
    return view ? { outcome: 'done', view } : { outcome: 'unknown' };
  });
}

export async function deleteView(db: Db, by: Principal, viewUuid: string): Promise<ViewOutcome> {
  return db.transaction(async (transaction) => {
    const found = await lockView(transaction, by, viewUuid);
    if (found.outcome !== 'done') return found;
    await transaction.delete(savedViews).where(eq(savedViews.viewUuid, viewUuid));
    await audit(transaction, by, 'saved-view.delete', viewUuid, { name: found.view.name });
    return found;
  });
}

async function lockView(transaction: Transaction, by: Principal, viewUuid: string): Promise<ViewOutcome> {
  const [view] = await viewQuery(transaction, by)
    .where(and(eq(savedViews.viewUuid, viewUuid), isVisible(by)))
    .for('update', { of: savedViews });
  if (!view) return { outcome: 'unknown' };
  return view.is_own || by.role === 'admin' ? { outcome: 'done', view } : { outcome: 'foreign' };
}

function audit(transaction: Transaction, by: Principal, action: string, target: string, details: Record<string, unknown>): Promise<void> {
  return recordAudit(transaction, { by, organizationUuid: by.organizationUuid, action, target, details });
}
