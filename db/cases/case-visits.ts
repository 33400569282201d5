import { eq, sql } from 'drizzle-orm';
import { VISIT_PAUSE_SECONDS } from '../../domain/case/case-list.js';
import type { Db } from '../client.js';
import { nowSeconds } from '../columns.js';
import { caseVisits } from '../schema/index.js';

/** Notes that the caller uses the list of cases now. After a pause this is a new visit. Returns the end of the visit before. */
export async function recordVisit(db: Db, principalUuid: string): Promise<number | null> {
  const isNew = sql`${caseVisits.seenAt} < now() - make_interval(secs => ${VISIT_PAUSE_SECONDS})`;
  const [visit] = await db
    .insert(caseVisits)
    .values({ principalUuid, seenAt: nowSeconds() })
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
