import { type SQL, sql } from 'drizzle-orm';
import type { CaseSla, SlaFilter } from '../../domain/sla/clock.js';
import { cases } from '../schema/index.js';

/** The clocks of a case in a query of cases. */
export const readClocks = sql<CaseSla>`(
  select jsonb_build_object('acknowledge', null, 'close', null) || coalesce(jsonb_object_agg(kind, jsonb_build_object(
    'due_at', extract(epoch from due_at)::bigint, 'done_at', extract(epoch from stopped_at)::bigint,
    'is_due_soon', warned_at is not null and stopped_at is null and breached_at is null, 'is_breached', breached_at is not null)), '{}')
  from case_clocks where case_clocks.case_uuid = ${cases.caseUuid})`;

const CONDITIONS: Readonly<Record<SlaFilter, SQL>> = {
  breached: sql`breached_at is not null`,
  due_soon: sql`warned_at is not null and stopped_at is null and breached_at is null`,
  acknowledged: sql`kind = 'acknowledge' and stopped_at is not null`,
};

export function hasClock(filter: SlaFilter): SQL {
  return sql`${cases.caseUuid} in (select clock.case_uuid from case_clocks as clock where ${CONDITIONS[filter]})`;
}
