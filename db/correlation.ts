import type { EntityKind } from '../domain/entity.js';
import type { SharedEntity } from '../domain/investigation.js';
import type { Sql } from './client.js';
import { uuidFloor } from './ids.js';

const COUNTED_AT_MOST = 100;
const NAMED_AT_MOST = 5;

/** Earlier alerts of the same organization that carry one of this alert's entities; each entity costs one index range. */
export async function findSharedEntities(
  sql: Sql,
  question: { alertId: string; kinds: readonly EntityKind[]; sinceSeconds: number },
): Promise<SharedEntity[]> {
  return sql<SharedEntity[]>`
    select mine.kind, mine.value, count(*)::int as "alertCount",
      (array_agg(earlier.alert_id order by earlier.alert_uuid desc))[1:${sql.unsafe(String(NAMED_AT_MOST))}] as "alertIds"
    from alerts join alert_entities as mine using (alert_uuid)
      cross join lateral (
        select alerts_before.alert_id, alerts_before.alert_uuid
        from alert_entities as theirs join alerts as alerts_before on alerts_before.alert_uuid = theirs.alert_uuid
        where theirs.organization_uuid = mine.organization_uuid and theirs.kind = mine.kind and theirs.digest = mine.digest
          and theirs.alert_uuid < mine.alert_uuid and theirs.alert_uuid >= ${uuidFloor(question.sinceSeconds)}::uuid
        order by theirs.alert_uuid desc limit ${COUNTED_AT_MOST}
      ) as earlier
    where alerts.alert_id = ${question.alertId} and mine.kind = any(${[...question.kinds]}::text[])
    group by mine.kind, mine.value
    order by count(*) desc, mine.kind, mine.value`;
}
