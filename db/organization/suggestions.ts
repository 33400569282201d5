import { type SQL, sql } from 'drizzle-orm';
import type { OwnNames, StoredSigns } from '../../domain/organization/suggestions.js';
import type { Db, Transaction } from '../client.js';

/** Bounds, so that the cost does not grow with the number of alerts and answers. */
const NEWEST_ALERTS = 1_000;
const NEWEST_ANSWERS = 500;
const NAMES_AT_MOST = 5_000;
const PREVALENT_AT_MOST = 200;
const MACHINE_NAMES = ['lax $.items[*].computerDnsName', 'lax $.computerDnsName'];
const DIRECTORY_ADDRESSES = ['lax $.items[*].email'];

/** Reads what the newest alerts and answers of the organization show. */
export async function readStoredSigns(db: Db, organizationUuid: string): Promise<StoredSigns> {
  const recent = sql`select alert_uuid from alerts where organization_uuid = ${organizationUuid} order by alert_uuid desc limit ${NEWEST_ALERTS}`;
  const [[counted], prevalence, names] = await Promise.all([
    db.execute<{ alerts: number }>(sql`select count(*)::int as alerts from (${recent}) as recent`),
    db.execute<{ kind: 'ip' | 'domain'; value: string; alerts: number }>(sql`
      select kind, value, count(*)::int as alerts from (${recent}) as recent join alert_entities using (alert_uuid)
      where kind in ('ip', 'domain')
      group by kind, value order by count(*) desc, kind, value limit ${PREVALENT_AT_MOST}`),
    readOwnNames(db, organizationUuid),
  ]);
  return { alerts: counted?.alerts ?? 0, prevalence: [...prevalence], ...names };
}

/** The names of machines and people in the newest answers of the organization's own platforms. */
export async function readOwnNames(db: Db, organizationUuid: string): Promise<OwnNames> {
  const [machineNames, directoryAddresses] = await Promise.all([
    readTexts(db, organizationUuid, 'endpoint-detection', MACHINE_NAMES),
    readTexts(db, organizationUuid, 'travel-booking', DIRECTORY_ADDRESSES),
  ]);
  return { machineNames, directoryAddresses };
}

/** The names of machines and people that the organization's own platforms answered about these alerts. */
export async function readOwnNamesForAlerts(db: Db | Transaction, alertUuids: readonly string[]): Promise<OwnNames> {
  const readNames = async (connectorKind: string, paths: readonly string[]) => {
    const rows = await db.execute<{ text: string }>(sql`
      select distinct lower(found.text) as text
      from (
        select output from skill_results
        where alert_uuid in ${[...alertUuids]} and connector = ${connectorKind} and status = 'done' order by result_uuid desc limit ${NEWEST_ANSWERS}
      ) as answers cross join lateral (${findTexts(paths)}) as found
      where length(found.text) between 1 and 320 limit ${NAMES_AT_MOST}`);
    return rows.map(({ text }) => text);
  };
  const [machineNames, directoryAddresses] = await Promise.all([
    readNames('endpoint-detection', MACHINE_NAMES),
    readNames('travel-booking', DIRECTORY_ADDRESSES),
  ]);
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
    where connections.organization_uuid = ${organizationUuid} and connections.connector = ${connectorKind}
      and length(found.text) between 1 and 320
    limit ${NAMES_AT_MOST}`);
  return rows.map(({ text }) => text);
}
