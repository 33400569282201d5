import { sql } from 'drizzle-orm';
import type { Db, PgClient, Queries } from '../client.js';
import { forgetCopies } from '../copies/list-copies.js';
import { newUuid } from '../ids.js';
import { HELD, IS_ANY_ORGANIZATION_HELD } from './legal-holds.js';
import { PERSONAL_TABLES, type PersonalTable } from './personal-data.js';

/** Finds the identifiers of one person in text, in the spellings and encodings in which stored data can contain them. */
export interface Matcher {
  contains(text: string): boolean;
  /** Replaces each occurrence. The rest of the text stays as it is. */
  erase(text: string): string;
  /** Substrings that a matching text contains: in any case, and in exactly this case. */
  readonly hints: { readonly anyCase: readonly string[]; readonly exact: readonly string[] };
}

export interface PersonalRows {
  readonly table: string;
  readonly by: PersonalTable['by'];
  readonly rows: number;
  /** Those of the rows that belong to no organization. */
  readonly shared: number;
  /** Rows that someone still works with. */
  readonly inUse: number;
  /** Rows of cases under a legal hold, and rows of no organization while an organization has one. */
  readonly held: number;
}

const IS_OF_ORGANIZATION: Readonly<Record<PersonalTable['scope'], string>> = {
  organization: 'organization_uuid = $1::uuid',
  alert: 'alert_uuid in (select alert_uuid from alerts where organization_uuid = $1::uuid)',
  case: 'case_uuid in (select case_uuid from cases where organization_uuid = $1::uuid)',
  connection: 'connection_uuid in (select connection_uuid from connections where organization_uuid = $1::uuid)',
  proposal: 'proposal_uuid in (select proposal_uuid from proposals where organization_uuid = $1::uuid)',
  playbook: 'playbook_uuid in (select playbook_uuid from playbooks where organization_uuid = $1::uuid)',
  user: 'user_uuid in (select user_uuid from memberships where organization_uuid = $1::uuid)',
};

/** Rows that belong to no organization, such as sign-ins of staff. A user without a role has left the organization. */
const IS_SHARED: Readonly<Partial<Record<PersonalTable['scope'], string>>> = {
  organization: 'organization_uuid is null',
  playbook: 'playbook_uuid in (select playbook_uuid from playbooks where organization_uuid is null)',
  user: `(user_uuid in (select user_uuid from memberships where organization_uuid is null)
    or user_uuid not in (select user_uuid from memberships))`,
};

const ROWS_AT_ONCE = 100;

interface FoundRow extends Record<string, unknown> {
  readonly place: string;
  readonly in_use: boolean;
  readonly is_shared: boolean;
  readonly is_held: boolean;
  /** In the content of a file, which is not read into memory. */
  readonly in_bytes: boolean;
}

function listColumns({ text = [], json = [], lists = [] }: PersonalTable): string[] {
  return [...text, ...json, ...lists];
}

/** The text as `encode(…, 'escape')` of Postgres writes its bytes. */
function escapeBytes(text: string): string {
  const writeByte = (byte: number) => {
    if (byte === 0 || byte > 127) return `\\${byte.toString(8).padStart(3, '0')}`;
    return byte === BACKSLASH ? '\\\\' : String.fromCharCode(byte);
  };
  return [...Buffer.from(text)].map(writeByte).join('');
}
const BACKSLASH = 0x5c;

/** Reads each row of the organization, and of none, that contains an identifier, with its texts. */
async function* findRows(pg: Queries, table: PersonalTable, organizationUuid: string, matcher: Matcher): AsyncGenerator<FoundRow> {
  const columns = listColumns(table);
  const toPattern = (hint: string) => `%${hint.replace(/[\\%_]/g, '\\$&')}%`;
  const hinted = columns.map((column) => `"${column}"::text ilike any ($2::text[]) or "${column}"::text like any ($3::text[])`);
  const { bytes = [] } = table;
  const inBytes = bytes.map((column) => `encode("${column}", 'escape') ilike any ($4::text[])`).join(' or ') || 'false';
  const isOwn = IS_OF_ORGANIZATION[table.scope];
  const isShared = `(${IS_SHARED[table.scope] ?? 'false'} and not coalesce(${isOwn}, false))`;
  const leadsToHeld = table.leadsToCase === undefined ? 'false' : `coalesce(${HELD[table.leadsToCase]}, false)`;
  const query = `
    select ctid::text as place, coalesce(${table.inUse ?? 'false'}, false) as in_use, ${isShared} as is_shared,
      ${leadsToHeld} or (${isShared} and ${IS_ANY_ORGANIZATION_HELD}) as is_held, (${inBytes}) as in_bytes,
      ${columns.map((column) => `"${column}"::text`).join(', ')}
    from ${table.name} where (${isOwn} or ${isShared}) and (${[...hinted, inBytes].join(' or ')})`;
  const { anyCase, exact } = matcher.hints;
  const spellings = [...anyCase, ...exact].flatMap((hint) => [hint, hint.toLowerCase(), hint.toUpperCase()]);
  const inFiles = bytes.length === 0 ? [] : [spellings.map((spelling) => toPattern(escapeBytes(spelling)))];
  const rows = pg.unsafe<FoundRow[]>(query, [organizationUuid, anyCase.map(toPattern), exact.map(toPattern), ...inFiles]);
  for await (const batch of rows.cursor(ROWS_AT_ONCE))
    for (const row of batch) if (row.in_bytes || columns.some((column) => matcher.contains(String(row[column] ?? '')))) yield row;
}

/** Counts the rows that contain an identifier. Without a limit of time for a statement: it reads every table. */
export async function countPersonalRows(pg: Queries, organizationUuid: string, matcher: Matcher): Promise<PersonalRows[]> {
  await pg`set local statement_timeout = 0`;
  const found: PersonalRows[] = [];
  for (const table of PERSONAL_TABLES) {
    let rows = 0;
    let shared = 0;
    let inUse = 0;
    let held = 0;
    for await (const row of findRows(pg, table, organizationUuid, matcher)) {
      rows += 1;
      if (row.is_shared) shared += 1;
      if (row.in_use) inUse += 1;
      if (row.is_held) held += 1;
    }
    if (rows > 0) found.push({ table: table.name, by: table.by, rows, shared, inUse, held });
  }
  return found;
}

/** The audit log allows a change only while the erasure is in the table `erasures`. */
export async function insertErasure(pg: Queries, organizationUuid: string): Promise<string> {
  const erasureUuid = newUuid();
  await pg`insert into erasures (erasure_uuid, organization_uuid, begun_at) values (${erasureUuid}, ${organizationUuid}, now())`;
  return erasureUuid;
}

export async function markErasureEnded(pg: Queries, erasureUuid: string): Promise<void> {
  await pg`update erasures set ended_at = now() where erasure_uuid = ${erasureUuid}`;
}

/** Removes the identifiers from every table. Returns the number of changed rows of each table. */
export async function erasePersonalRows(pg: Queries, organizationUuid: string, matcher: Matcher): Promise<Record<string, number>> {
  await pg`set local statement_timeout = 0`;
  const erased: Record<string, number> = {};
  for (const table of PERSONAL_TABLES.filter(({ by }) => by !== 'report')) {
    const rows: FoundRow[] = [];
    for await (const row of findRows(pg, table, organizationUuid, matcher)) rows.push(row);
    for (const row of rows) await eraseRow(pg, table, row, matcher);
    if (rows.length > 0) erased[table.name] = rows.length;
  }
  await pg`
    delete from record_values using connections
    where connections.connection_uuid = record_values.connection_uuid and organization_uuid = ${organizationUuid} and not exists (
      select from third_party_records as record where record.connection_uuid = record_values.connection_uuid
        and record.kind = record_values.kind and record.record_id = record_values.record_id)`;
  if (erased['copied_items'] || erased['copied_item_keys']) await forgetCopies(pg, organizationUuid);
  return erased;
}

async function eraseRow(transaction: Queries, table: PersonalTable, row: FoundRow, matcher: Matcher): Promise<void> {
  const { name, by, text = [], json = [], people = {} } = table;
  if (by === 'delete') {
    await transaction.unsafe(`delete from ${name} where ctid = $1::text::tid`, [row.place]);
    return;
  }
  const columns = [...text, ...json];
  const values = columns.map((column) => {
    const stored = row[column];
    if (typeof stored !== 'string') return null;
    return json.includes(column) ? eraseJson(stored, matcher) : matcher.erase(stored);
  });
  const changes = columns.map((column, index) => `"${column}" = $${index + 2}::text${json.includes(column) ? '::jsonb' : ''}`);
  const unlinked = Object.entries(people).map(([column, userColumn]) => {
    const isSame = `"${column}" is not distinct from $${columns.indexOf(column) + 2}::text`;
    return `"${userColumn}" = case when ${isSame} then "${userColumn}" end`;
  });
  const [changed] = await transaction.unsafe<{ alert_uuid?: string }[]>(
    `update ${name} set ${[...changes, ...unlinked].join(', ')} where ctid = $1::text::tid${name === 'alerts' ? ' returning alert_uuid' : ''}`,
    [row.place, ...values],
  );
  if (changed?.alert_uuid !== undefined) await indexAgain(transaction, changed.alert_uuid);
}

/** As text, because a parser would change large numbers. A number that is an identifier becomes a string. */
function eraseJson(json: string, { contains, erase }: Matcher): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    if (token.startsWith('"')) return `"${erase(token.slice(1, -1))}"`;
    return contains(token) ? `"${erase(token)}"` : token;
  });
}

/** The same words as `openingCase` in `lifecycle.ts` stores. */
async function indexAgain(transaction: Queries, alertUuid: string): Promise<void> {
  await transaction`
    update alert_texts set words = alert_words(alert_type, alert_content)
    from alerts where alerts.alert_uuid = alert_texts.alert_uuid and alerts.alert_uuid = ${alertUuid}`;
}

/** Frees the old row versions and their samples in the planner's statistics. It cannot run in a transaction. */
export async function vacuumTables(pg: PgClient, tables: readonly string[]): Promise<void> {
  const reserved = await pg.reserve();
  try {
    await reserved`set statement_timeout = 0`;
    for (const table of tables) await reserved`vacuum (analyze) ${reserved(table)}`;
  } finally {
    await reserved`reset statement_timeout`;
    reserved.release();
  }
}

/** Those of the workflows that belong to another organization. */
export async function listForeignWorkflows(db: Db, organizationUuid: string, workflowIds: readonly string[]): Promise<Set<string>> {
  if (workflowIds.length === 0) return new Set();
  const ids = sql.join(
    workflowIds.map((id) => sql`${id}::text`),
    sql`, `,
  );
  const rows = await db.execute<{ workflow_id: string }>(sql`
    with given as (select unnest(array[${ids}]) as workflow_id)
    select workflow_id from given join alerts on alert_id = regexp_replace(workflow_id, '^(?:follow-up|ask-again)-(.*)-\\d+$', '\\1')
    where organization_uuid <> ${organizationUuid}
    union all
    select workflow_id from given join proposals on proposal_uuid::text = regexp_replace(workflow_id, '^(?:proposal|skill)-', '')
    where organization_uuid <> ${organizationUuid}
    union all
    select workflow_id from given join skill_runs on workflow_id = 'skill-' || run_uuid::text where organization_uuid <> ${organizationUuid}
    union all
    select workflow_id from given join connections on workflow_id like '%' || connection_uuid::text
    where organization_uuid <> ${organizationUuid}`);
  return new Set(rows.map((row) => row.workflow_id));
}
