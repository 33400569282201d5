import { desc, eq, type SQL, sql } from 'drizzle-orm';
import type { KnowledgeEntry } from '../../domain/organization/knowledge.js';
import type { OwnNameSource, OwnNames, StoredSigns } from '../../domain/organization/suggestions.js';
import type { SharedValue } from '../../domain/verdict/evidence.js';
import type { Db, Transaction } from '../client.js';
import { sharedValues } from '../schema/index.js';

/** Bounds, so that the cost does not grow with the number of alerts and answers. */
const NEWEST_ALERTS = 1_000;
const NEWEST_ANSWERS = 500;
const MAX_NAMES = 5_000;
const MAX_PREVALENT = 200;
const MAX_SHARED = 500;

/** Reads what the newest alerts and answers of the organization show. */
export async function readStoredSigns(db: Db, organizationUuid: string, sources: readonly OwnNameSource[]): Promise<StoredSigns> {
  const recent = sql`select alert_uuid from alerts where organization_uuid = ${organizationUuid} order by alert_uuid desc limit ${NEWEST_ALERTS}`;
  const [[counted], prevalence, shared, names] = await Promise.all([
    db.execute<{ alerts: number }>(sql`select count(*)::int as alerts from (${recent}) as recent`),
    db.execute<{ kind: 'ip' | 'domain'; value: string; alerts: number }>(sql`
      select kind, value, count(*)::int as alerts from (${recent}) as recent join alert_entities using (alert_uuid)
      where kind in ('ip', 'domain')
      group by kind, value order by count(*) desc, kind, value limit ${MAX_PREVALENT}`),
    readSharedValues(db, organizationUuid),
    readOwnNames(db, organizationUuid, sources),
  ]);
  return { alerts: counted?.alerts ?? 0, prevalence: [...prevalence], shared, ...names };
}

/** Those of most people and machines first. */
function readSharedValues(db: Db, organizationUuid: string): Promise<StoredSigns['shared'][number][]> {
  const { kind, value, records, people, machines, cases, days } = sharedValues;
  return db
    .select({ kind, value, records, people, machines, cases, days })
    .from(sharedValues)
    .where(eq(sharedValues.organizationUuid, organizationUuid))
    .orderBy(desc(sql`${people} + ${machines}`), kind, value)
    .limit(MAX_SHARED);
}

/** Remembers values that an investigation of the alert found shared, with the newest counts. */
export async function saveSharedValues(
  db: Db,
  alertId: string,
  foundAt: number,
  found: readonly (KnowledgeEntry & Omit<SharedValue, 'kind' | 'value'>)[],
): Promise<void> {
  await db.execute(sql`
    insert into shared_values (organization_uuid, kind, value, records, people, machines, cases, days, found_at)
    select organization_uuid, kind, value, records, people, machines, cases, days, to_timestamp(${foundAt})
    from alerts, json_to_recordset(${JSON.stringify(found)}::text::json)
      as given (kind text, value text, records int, people int, machines int, cases int, days int)
    where alert_id = ${alertId}
    order by kind, value
    on conflict (organization_uuid, kind, value) do update set records = excluded.records, people = excluded.people,
      machines = excluded.machines, cases = excluded.cases, days = excluded.days, found_at = excluded.found_at`);
}

/** The names of machines and people in the newest answers of the organization's own platforms. */
export function readOwnNames(db: Db, organizationUuid: string, sources: readonly OwnNameSource[]): Promise<OwnNames> {
  return collectNames(sources, (kind, paths) => readTexts(db, organizationUuid, kind, paths));
}

/** The names of machines and people that the organization's own platforms answered about these alerts. */
export function readOwnNamesForAlerts(
  db: Db | Transaction,
  alertUuids: readonly string[],
  sources: readonly OwnNameSource[],
): Promise<OwnNames> {
  return collectNames(sources, async (connectorKind, paths) => {
    const rows = await db.execute<{ text: string }>(sql`
      select distinct lower(found.text) as text
      from (
        select output from skill_results
        where alert_uuid in ${[...alertUuids]} and connector_kind = ${connectorKind} and status = 'done' order by result_uuid desc limit ${NEWEST_ANSWERS}
      ) as answers cross join lateral (${findTexts(paths)}) as found
      where length(found.text) between 1 and 320 limit ${MAX_NAMES}`);
    return rows.map(({ text }) => text);
  });
}

async function collectNames(
  sources: readonly OwnNameSource[],
  read: (connectorKind: string, paths: readonly string[]) => Promise<string[]>,
): Promise<OwnNames> {
  const collect = async (part: 'machines' | 'people') => {
    const found = sources.map(async ({ connectorKind, [part]: paths = [] }) => (paths.length === 0 ? [] : read(connectorKind, paths)));
    return (await Promise.all(found)).flat();
  };
  const [machineNames, directoryAddresses] = await Promise.all([collect('machines'), collect('people')]);
  return { machineNames, directoryAddresses };
}

/** A subquery of the texts at these places of `answers.output`. */
function findTexts(paths: readonly string[]): SQL {
  return sql.join(
    paths.map((path) => sql`select jsonb_path_query(answers.output, ${path}::jsonpath) #>> '{}' as text`),
    sql` union all `,
  );
}

/** Distinct texts at these places of the newest answers of the organization's connections of a kind, in lower case. */
async function readTexts(db: Db, organizationUuid: string, connectorKind: string, paths: readonly string[]): Promise<string[]> {
  const rows = await db.execute<{ text: string }>(sql`
    select distinct lower(found.text) as text
    from connections
      cross join lateral (
        select output from skill_results
        where skill_results.connection_uuid = connections.connection_uuid and status = 'done'
        order by result_uuid desc limit ${NEWEST_ANSWERS}
      ) as answers
      cross join lateral (${findTexts(paths)}) as found
    where connections.organization_uuid = ${organizationUuid} and connections.connector_kind = ${connectorKind}
      and length(found.text) between 1 and 320
    limit ${MAX_NAMES}`);
  return rows.map(({ text }) => text);
}
