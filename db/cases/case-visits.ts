import { eq, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { caseVisits } from '../schema/index.js';

/** After a pause this is a new visit. Returns the end of the visit before. */
export async function upsertVisit(
  db: Db | Transaction,
  principalUuid: string,
  { at, pauseSeconds }: { at: number; pauseSeconds: number },
): Promise<number | null> {
  const isNew = sql`${caseVisits.seenAt} < to_timestamp(${at - pauseSeconds})`;
  const [visit] = await db
    .insert(caseVisits)
    .values({ principalUuid, seenAt: at })
    .onConflictDoUpdate({
      target: caseVisits.principalUuid,
      set: {
        seenAt: sql`excluded.seen_at`,
        lastVisitAt: sql`case when ${isNew} then ${caseVisits.seenAt} else ${caseVisits.lastVisitAt} end`,
      },
    })
    .returning({ lastVisitAt: caseVisits.lastVisitAt });
  return visit?.lastVisitAt ?? null;
}

export async function readLastVisit(db: Db, principalUuid: string): Promise<number | null> {
  const [visit] = await db
    .select({ lastVisitAt: caseVisits.lastVisitAt })
    .from(caseVisits)
    .where(eq(caseVisits.principalUuid, principalUuid));
  return visit?.lastVisitAt ?? null;
}
