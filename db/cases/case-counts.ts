import { and, count, desc, eq } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { CaseStatus } from '../../domain/case/case.js';
import { countByValue } from '../../domain/case/count-by-value.js';
import type { Db } from '../client.js';
import { cases } from '../schema/index.js';
import { type CaseFilters, matchCases } from './case-filters.js';

/** Bounds the rows that a count reads. */
export const COUNTED_PER_STATUS = 2_000;

/** Counts the newest cases of each status, so that the few open cases are counted although there are a million closed ones. */
export async function countCases(db: Db, scope: string | null, filters: CaseFilters) {
  const { status, severity, verdict, ...others } = filters;
  const matched = await matchCases(db, scope, others);
  if (matched === null) return { ...countByValue([], {}), is_complete: true };
  const newest = (each: CaseStatus) =>
    db
      .select({ status: cases.status, severity: cases.severity, verdict: cases.verdict })
      .from(cases)
      .where(and(matched.condition, eq(cases.status, each)))
      .orderBy(desc(cases.caseUuid))
      .limit(COUNTED_PER_STATUS);
  const counted = unionAll(newest('open'), newest('in_progress'), newest('closed')).as('counted');
  const groups = await db
    .select({ status: counted.status, severity: counted.severity, verdict: counted.verdict, count: count() })
    .from(counted)
    .groupBy(counted.status, counted.severity, counted.verdict);
  const totals = new Map<CaseStatus, number>();
  for (const group of groups) totals.set(group.status, (totals.get(group.status) ?? 0) + group.count);
  return {
    ...countByValue(groups, { status, severity, verdict }),
    is_complete: [...totals.values()].every((total) => total < COUNTED_PER_STATUS),
  };
}
