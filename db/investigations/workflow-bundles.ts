import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../client.js';
import { nowSeconds } from '../columns.js';
import { workflowBundles } from '../schema/index.js';

export interface StoredBuild {
  readonly buildId: string;
  readonly unusedForSeconds: number;
}

export type StoredBundle = Pick<typeof workflowBundles.$inferSelect, 'buildId' | 'code' | 'authentication'>;

/** Replaces the code of a stored build. */
export async function saveBundle(db: Db, bundle: StoredBundle): Promise<void> {
  const { code, authentication } = bundle;
  const now = nowSeconds();
  await db
    .insert(workflowBundles)
    .values({ ...bundle, createdAt: now, lastUsedAt: now })
    .onConflictDoUpdate({ target: workflowBundles.buildId, set: { code, authentication, lastUsedAt: now } });
}

/** Changes nothing where the code was replaced in the meantime. */
export async function setAuthentication(db: Db, { buildId, code, authentication }: StoredBundle): Promise<void> {
  const isSame = and(eq(workflowBundles.buildId, buildId), eq(workflowBundles.code, code));
  await db.update(workflowBundles).set({ authentication }).where(isSame);
}

/** Marks the builds that a worker serves. Returns how many of them are stored. */
export async function markUsed(db: Db, buildIds: readonly string[]): Promise<number> {
  const marked = await db
    .update(workflowBundles)
    .set({ lastUsedAt: nowSeconds() })
    .where(inArray(workflowBundles.buildId, [...buildIds]))
    .returning({ buildId: workflowBundles.buildId });
  return marked.length;
}

/** Most recently used first. */
export async function listBuilds(db: Db): Promise<StoredBuild[]> {
  const rows = await db
    .select({ buildId: workflowBundles.buildId, lastUsedAt: workflowBundles.lastUsedAt })
    .from(workflowBundles)
    .orderBy(sql`${workflowBundles.lastUsedAt} desc`);
  return rows.map(({ buildId, lastUsedAt }) => ({ buildId, unusedForSeconds: nowSeconds() - lastUsedAt }));
}

export async function readBundle(db: Db, buildId: string): Promise<StoredBundle | null> {
  const [found] = await db
    .select({ buildId: workflowBundles.buildId, code: workflowBundles.code, authentication: workflowBundles.authentication })
    .from(workflowBundles)
    .where(eq(workflowBundles.buildId, buildId));
  return found ?? null;
}

/** The statement checks the age again: a worker may have started to use a bundle in the meantime. */
export async function deleteUnused(db: Db, buildIds: readonly string[], unusedForSeconds: number): Promise<void> {
  if (buildIds.length === 0) return;
  const unused = lt(workflowBundles.lastUsedAt, nowSeconds() - unusedForSeconds);
  await db.delete(workflowBundles).where(and(inArray(workflowBundles.buildId, [...buildIds]), unused));
}
