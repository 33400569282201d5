import type { PgClient } from '../../db/client.js';

/** By table: the digest of the rows of one organization. */
export type Digests = ReadonlyMap<string, string>;

/** The service itself changes these at any time, or a refused request may add to them. */
const UNWATCHED = new Set(['audit_log', 'rate_limit_buckets', 'case_clocks', 'notification_events', 'notification_deliveries']);
/** Each use of a key or a session writes these. */
const VOLATILE = ['last_used_at', 'last_seen_at', 'seen_at', 'away_since', 'dispatched_no', 'leased_until', 'lease_until'];

interface VictimTable {
  readonly table: string;
  readonly condition: string;
  readonly key: string | null;
}

/**
 * Watches every table that leads to an organization, by its own column or through foreign keys. A new table is watched without an edit.
 */
export class VictimRows {
  readonly #pg: PgClient;
  readonly #all: readonly VictimTable[];
  readonly #watched: readonly VictimTable[];

  private constructor(pg: PgClient, all: readonly VictimTable[]) {
    this.#pg = pg;
    this.#all = all;
    this.#watched = all.filter(({ table }) => !UNWATCHED.has(table));
  }

  static async of(pg: PgClient, organizationUuid: string): Promise<VictimRows> {
    return new VictimRows(pg, await findTables(pg, organizationUuid));
  }

  get tables(): readonly string[] {
    return this.#watched.map(({ table }) => table);
  }

  async digest(): Promise<Digests> {
    const removed = `'{${VOLATILE.join(',')}}'::text[]`;
    const selects = this.#watched.map(
      ({ table, condition }) => `select '${table}' as name, count(*) || ' ' || coalesce(md5(string_agg(row, '' order by row)), '') as digest
        from (select (to_jsonb(t) - ${removed})::text as row from "${table}" t where ${condition}) as ${table}_rows`,
    );
    const rows = await this.#pg.unsafe<{ name: string; digest: string }[]>(selects.join(' union all '));
    return new Map(rows.map(({ name, digest }) => [name, digest]));
  }

  /** The ids of the rows. No reply to a stranger may have one that was not in the request. */
  async ids(): Promise<Set<string>> {
    const selects = this.#watched.flatMap(({ table, condition, key }) =>
      key === null ? [] : [`select t."${key}"::text as id from "${table}" t where ${condition}`],
    );
    const rows = await this.#pg.unsafe<{ id: string }[]>(selects.join(' union all '));
    return new Set(rows.map(({ id }) => id));
  }

  /** The newest row of the victim with this primary key, such as `case_uuid`. null: no table has one. */
  async newest(key: string): Promise<string | null> {
    const selects = this.#all
      .filter((each) => each.key === key)
      .map(({ table, condition }) => `select t."${key}" as id from "${table}" t where ${condition}`);
    if (selects.length === 0) return null;
    // Ids are ordered by time.
    const [row] = await this.#pg.unsafe<{ id: string }[]>(`${selects.join(' union all ')} order by id desc limit 1`);
    return row?.id ?? null;
  }
}

export function findChanged(before: Digests, after: Digests): string[] {
  return [...after].filter(([table, digest]) => before.get(table) !== digest).map(([table]) => table);
}

interface ForeignKey {
  readonly table: string;
  readonly column: string;
  readonly target: string;
  readonly target_column: string;
}

async function findTables(pg: PgClient, organizationUuid: string): Promise<VictimTable[]> {
  const columns = await pg<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`;
  const keys = await pg<ForeignKey[]>`
    select from_class.relname as table, from_column.attname as column, to_class.relname as target, to_column.attname as target_column
    from pg_constraint
      join pg_class from_class on from_class.oid = conrelid join pg_class to_class on to_class.oid = confrelid
      join pg_attribute from_column on from_column.attrelid = conrelid and from_column.attnum = conkey[1]
      join pg_attribute to_column on to_column.attrelid = confrelid and to_column.attnum = confkey[1]
    where contype = 'f' and connamespace = 'public'::regnamespace and array_length(conkey, 1) = 1`;
  const primary = await pg<{ table: string; column: string }[]>`
    select pg_class.relname as table, pg_attribute.attname as column
    from pg_constraint join pg_class on pg_class.oid = conrelid
      join pg_attribute on pg_attribute.attrelid = conrelid and pg_attribute.attnum = conkey[1]
      join pg_type on pg_type.oid = pg_attribute.atttypid
    where contype = 'p' and connamespace = 'public'::regnamespace and array_length(conkey, 1) = 1 and typname = 'uuid'`;
  const own = `'${organizationUuid}'::uuid`;
  const conditions = new Map(
    columns.filter(({ column }) => column === 'organization_uuid').map(({ table }) => [table, `t.organization_uuid = ${own}`]),
  );
  // People belong to an organization by their memberships.
  conditions.set('users', `t.user_uuid in (select user_uuid from memberships where organization_uuid = ${own})`);
  for (let grown = true; grown; ) {
    grown = false;
    for (const { table, column, target, target_column: targetColumn } of keys) {
      const through = conditions.get(target);
      if (conditions.has(table) || through === undefined) continue;
      conditions.set(table, `t."${column}" in (select t."${targetColumn}" from "${target}" t where ${through})`);
      grown = true;
    }
  }
  const keyOf = new Map(primary.map(({ table, column }) => [table, column]));
  return [...conditions].map(([table, condition]) => {
    const key = table === 'organizations' ? null : (keyOf.get(table) ?? null);
    return { table, condition, key };
  });
}
