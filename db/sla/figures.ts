import type { Overview } from '../../domain/case/overview.js';
import type { ClockKind } from '../../domain/sla/clock.js';
import type { PgClient } from '../client.js';

/** Reads only the index ranges of the window: the clocks that stopped or breached in it. */
export async function readSlaFigures(pg: PgClient, scope: string | null, since: number): Promise<Overview['sla']> {
  const ours = pg`${scope === null ? pg`true` : pg`organization_uuid = ${scope}`} and not exists (
    select from cases where cases.case_uuid = case_clocks.case_uuid and merged_into is not null)`;
  const [means, [breaches]] = await Promise.all([
    pg<{ kind: ClockKind; mean_seconds: number; cases: number }[]>`
      select kind, count(*)::int as cases, avg(extract(epoch from stopped_at - started_at)
        - (select coalesce(sum((pause ->> 1)::float8 - (pause ->> 0)::float8), 0) from jsonb_array_elements(pauses) as pause))::float8 as mean_seconds
      from case_clocks where stopped_at >= to_timestamp(${since}) and ${ours} group by kind`,
    pg<{ breached: number; decided: number }[]>`
      select count(breached_at)::int as breached, count(*)::int as decided from case_clocks
      where (breached_at >= to_timestamp(${since}) or (stopped_at >= to_timestamp(${since}) and breached_at is null and due_at is not null)) and ${ours}`,
  ]);
  const readMean = (wanted: ClockKind) => {
    const found = means.find(({ kind }) => kind === wanted);
    return found ? { mean_seconds: found.mean_seconds, cases: found.cases } : null;
  };
  return { acknowledged: readMean('acknowledge'), closed: readMean('close'), breaches: breaches ?? { breached: 0, decided: 0 } };
}
