import { and, eq, inArray, sql } from 'drizzle-orm';
import { alertTime } from '../../domain/alert/source-time.js';
import { type CaseEvent, type CaseGraph, GRAPH_ALERTS, GRAPH_ENTITIES, GRAPH_EVENTS } from '../../domain/case/case-graph.js';
import type { Entity, EntityRole } from '../../domain/entity/entity.js';
import { listOwn } from '../../domain/organization/own-entities.js';
import { searchValues } from '../../domain/record/record.js';
import { type Db, readSnapshot, type Transaction } from '../client.js';
import { readSpellings, runOn } from '../entities/names.js';
import { readKnowledge } from '../organization/knowledge.js';
import { alertEntities, alerts, caseAlerts, cases, organizations, providers } from '../schema/index.js';
import { inOrganization } from '../scope.js';

const RECORDS_AROUND_SECONDS = 7 * 24 * 3600;
/** A value in more records is a relay or a service account, and relates nothing. */
const COMMON_FROM = 25;
const ENTITIES_READ = 2_000;

/** null: the case does not exist, or not in this organization. */
export function readCaseGraph(db: Db, scope: string | null, caseId: string): Promise<CaseGraph | null> {
  return readSnapshot(db, async (transaction) => {
    const [found] = await transaction
      .select({ caseUuid: cases.caseUuid, organizationUuid: cases.organizationUuid, code: organizations.organizationCode })
      .from(cases)
      .innerJoin(organizations, eq(organizations.organizationUuid, cases.organizationUuid))
      .where(and(eq(cases.caseId, caseId), inOrganization(cases.organizationUuid, scope)));
    if (!found) return null;
    const members = await listMembers(transaction, found.caseUuid);
    const all = await listMemberEntities(transaction, found.organizationUuid, members);
    const own = new Map(
      listOwn(all, await readKnowledge(transaction, found.organizationUuid)).map(({ kind, value, reason }) => [`${kind} ${value}`, reason]),
    );
    const entities = all.slice(0, GRAPH_ENTITIES).map((entity) => ({ ...entity, own: own.get(`${entity.kind} ${entity.value}`) ?? null }));
    const foreign = all.filter(({ kind, value }) => !own.has(`${kind} ${value}`));
    const times = members.map(({ created_at: createdAt, created_at_source: atSource }) =>
      alertTime({ createdAt, createdAtSource: atSource === null ? null : Number(atSource) }),
    );
    const [records, actions] = await Promise.all([
      listRecordsAround(transaction, found.organizationUuid, foreign, times),
      listActions(transaction, members),
    ]);
    const happened = members.map((member, place): CaseEvent => {
      const { alert_id, alert_type: title, provider: source } = member;
      return { at: times[place] ?? member.created_at, kind: 'alert', title, source, alert_id, shares: [] };
    });
    const events = [...happened, ...records, ...actions].sort((one, other) => one.at - other.at).slice(0, GRAPH_EVENTS);
    return {
      organization_code: found.code,
      alerts: members.map(({ alertUuid: _, provider: __, ...alert }) => alert),
      entities,
      entity_count: all.length,
      events,
    };
  });
}

type Member = Awaited<ReturnType<typeof listMembers>>[number];

async function listMembers(db: Transaction, caseUuid: string) {
  return db
    .select({
      alertUuid: alerts.alertUuid,
      alert_id: alerts.alertId,
      alert_type: alerts.alertType,
      created_at: alerts.createdAt,
      created_at_source: alerts.createdAtSource,
      provider: providers.name,
    })
    .from(caseAlerts)
    .innerJoin(alerts, eq(alerts.alertUuid, caseAlerts.alertUuid))
    .innerJoin(providers, eq(providers.providerUuid, alerts.providerUuid))
    .where(eq(caseAlerts.caseUuid, caseUuid))
    .orderBy(alerts.alertUuid)
    .limit(GRAPH_ALERTS);
}

/** Each entity once in its canonical spelling, those in the most alerts first. */
async function listMemberEntities(db: Transaction, organizationUuid: string, members: readonly Member[]) {
  if (members.length === 0) return [];
  const ids = new Map(members.map(({ alertUuid, alert_id }) => [alertUuid, alert_id]));
  const rows = await db
    .select({ alertUuid: alertEntities.alertUuid, kind: alertEntities.kind, value: alertEntities.value, role: alertEntities.role })
    .from(alertEntities)
    .where(inArray(alertEntities.alertUuid, [...ids.keys()]))
    .orderBy(alertEntities.alertUuid, alertEntities.kind, alertEntities.value)
    .limit(ENTITIES_READ);
  const byEntity = new Map<string, Pick<Entity, 'kind' | 'value'> & { alerts: { alert_id: string; role: EntityRole | null }[] }>();
  const spellings = await readSpellings(runOn(db), organizationUuid, rows);
  for (const { alertUuid, role, ...written } of rows) {
    const { kind, value } = spellings.of(written).canonical;
    const entity = byEntity.get(`${kind} ${value}`) ?? { kind, value, alerts: [] };
    const alertId = ids.get(alertUuid) ?? '';
    const present = entity.alerts.find(({ alert_id }) => alert_id === alertId);
    if (present) present.role ??= role;
    else entity.alerts.push({ alert_id: alertId, role });
    byEntity.set(`${kind} ${value}`, entity);
  }
  const entities = [...byEntity.values()];
  const hasRole = (entity: (typeof entities)[number]) => Number(entity.alerts.some(({ role }) => role !== null));
  return entities.sort((one, other) => other.alerts.length - one.alerts.length || hasRole(other) - hasRole(one));
}

/** The copied records of third parties that share a value with the case and happened around one of its alerts. */
async function listRecordsAround(
  db: Transaction,
  organizationUuid: string,
  entities: readonly Pick<Entity, 'kind' | 'value'>[],
  times: readonly number[],
): Promise<CaseEvent[]> {
  const values = [...new Set(entities.slice(0, GRAPH_ENTITIES).flatMap(searchValues))];
  if (values.length === 0 || times.length === 0) return [];
  const rows = await db.execute<{ at: number; title: string; source: string; shares: string[] }>(sql`
    with shared as (
      select connection_uuid, instance_name, found.* from connections
        cross join unnest(array[${sql.join(
          values.map((value) => sql`${value}::text`),
          sql`, `,
        )}]) as asked (value)
        cross join lateral (
          select kind, record_id, asked.value as shares, count(*) over () as records from record_values
          where record_values.connection_uuid = connections.connection_uuid and record_values.value = asked.value limit ${COMMON_FROM + 1}
        ) as found
      where organization_uuid = ${organizationUuid} and records <= ${COMMON_FROM}
    )
    select extract(epoch from happened_at)::float8 as at, title, instance_name as source, array_agg(distinct shares) as shares
    from shared join third_party_records using (connection_uuid, kind, record_id)
    where happened_at between to_timestamp(${Math.min(...times) - RECORDS_AROUND_SECONDS}) and to_timestamp(${Math.max(...times) + RECORDS_AROUND_SECONDS})
    group by connection_uuid, kind, record_id, happened_at, title, instance_name
    order by happened_at limit ${GRAPH_EVENTS}`);
  return rows.map((row) => ({ ...row, kind: 'record', alert_id: null }));
}

/** The writes that left this service for alerts of the case. */
async function listActions(db: Transaction, members: readonly Member[]): Promise<CaseEvent[]> {
  if (members.length === 0) return [];
  const rows = await db.execute<{ at: number; title: string; source: string; alert_id: string }>(sql`
    select extract(epoch from sent_at)::float8 as at, skill_id as title, coalesce(instance_name, '') as source, alert_id
    from skill_results join alerts using (alert_uuid) left join connections using (connection_uuid)
    where alert_uuid in ${members.map(({ alertUuid }) => alertUuid)} and operation_key is not null and sent_at is not null
    order by result_uuid limit ${GRAPH_EVENTS}`);
  return rows.map((row) => ({ ...row, kind: 'action', shares: [] }));
}
