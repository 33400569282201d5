import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../domain/entity/entity.js';
import { groupNames, type NameGroup, type ProvenName, readSharedName, type SharedName } from '../../domain/entity/names.js';
import { type Db, executePrepared, type Queries, type Transaction } from '../client.js';
import { entityValues, nameOf } from '../schema/index.js';

type Named = Pick<Entity, 'kind' | 'value'>;

/** More names in one question keep their own spelling. */
const MAX_NAMES = 500;
/** A short name in more values, such as `admin`, can mean any of them. */
const MAX_VALUES = 100;

/** All spellings of each entity. */
export interface Spellings {
  of(entity: Named): NameGroup;
}

/** Runs a statement on the database, in a transaction or on a connection. */
export type Run = <Row>(statement: SQL) => PromiseLike<readonly Row[]>;

export function runOn(db: Db | Transaction): Run {
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the statement's text defines its rows, as in `executePrepared`.
  return <Row>(statement: SQL) => db.execute(statement) as unknown as PromiseLike<readonly Row[]>;
}

export function runOnPool(pg: Queries): Run {
  return <Row>(statement: SQL) => executePrepared<Row>(pg, statement);
}

/** The spellings of these entities in an organization: short and full names of its hosts and accounts. */
export async function readSpellings(run: Run, organizationUuid: string, entities: readonly Named[]): Promise<Spellings> {
  const names = new Map<string, SharedName>();
  for (const entity of entities) {
    const shared = names.size < MAX_NAMES ? readSharedName(entity) : null;
    if (shared) names.set(`${shared.family} ${shared.name}`, shared);
  }
  const groupOf = new Map<string, NameGroup>();
  const found = names.size === 0 ? NOTHING_KNOWN : await readNames(run, organizationUuid, [...names.values()]);
  for (const shared of names.values()) {
    const ofName = found.values.filter(({ name }) => name === shared.name);
    const asked = entities.filter((entity) => isNamed(entity, shared));
    const isCommon = ofName.length > MAX_VALUES;
    const known = isCommon ? { ...NOTHING_KNOWN, values: asked } : { ...found, values: [...ofName, ...asked] };
    for (const group of groupNames(shared, known)) for (const spelling of group.spellings) groupOf.set(toKey(spelling), group);
  }
  return { of: (entity) => groupOf.get(toKey(entity)) ?? { canonical: toNamed(entity), spellings: [toNamed(entity)] } };
}

interface FoundNames {
  readonly values: readonly (Named & { readonly name: string })[];
  readonly proven: readonly ProvenName[];
  readonly ownDomains: readonly string[];
}
const NOTHING_KNOWN: FoundNames = { values: [], proven: [], ownDomains: [] };

function isNamed(entity: Named, { family, name }: SharedName): boolean {
  const shared = readSharedName(entity);
  return shared?.family === family && shared.name === name;
}

function toKey({ kind, value }: Named): string {
  return `${kind} ${value}`;
}

function toNamed({ kind, value }: Named): Named {
  return { kind, value };
}

/** What the organization knows about these short names: the values in its alerts, what states their full names, and its own domains. */
async function readNames(run: Run, organizationUuid: string, names: readonly SharedName[]): Promise<FoundNames> {
  const asked = JSON.stringify([...new Set(names.map(({ name }) => name))]);
  const [row] = await run<{ [Name in keyof FoundNames]: FoundNames[Name] }>(sql`
    with asked as (select name from json_array_elements_text(${asked}::text::json) as name)
    select (select coalesce(json_agg(json_build_object('name', asked.name, 'kind', found.kind, 'value', found.value)), '[]') from asked
        cross join lateral (
          select kind, value from ${entityValues}
          where organization_uuid = ${organizationUuid} and kind in ('host', 'user', 'email') and ${nameOf(entityValues)} = asked.name
          limit ${MAX_VALUES + 1}
        ) as found) as "values",
      (select coalesce(json_agg(json_build_object('family', family, 'short', short, 'full', "full")), '[]') from asked
        join proven_names using (name) where organization_uuid = ${organizationUuid} and family in ('host', 'account')) as proven,
      (select coalesce(json_agg(value), '[]') from organization_knowledge
        where organization_uuid = ${organizationUuid} and kind = 'domain' and not is_rejected) as "ownDomains"`);
  return row ?? NOTHING_KNOWN;
}

/** Values of the organization's alerts that have the short name of this entity. */
export async function listValuesOfName(run: Run, organizationUuid: string, entity: Named): Promise<Named[]> {
  const shared = readSharedName(entity);
  if (shared === null) return [];
  const { values } = await readNames(run, organizationUuid, [shared]);
  return values.map(toNamed).filter((other) => isNamed(other, shared));
}

/** Remembers which short and full names are one host or account. */
export async function saveProvenNames(pg: Queries, organizationUuid: string, names: readonly ProvenName[]): Promise<void> {
  if (names.length === 0) return;
  await executePrepared(pg, savingNames(names, sql`(select ${organizationUuid}::uuid as organization_uuid)`));
}

/** A statement that remembers names for the organizations in `owners`. In one order in every writer, so that no two of them deadlock. */
export function savingNames(names: readonly ProvenName[], owners: SQL): SQL {
  const rows = names.flatMap(({ family, short, full }) => {
    const shared = readSharedName({ kind: family === 'host' ? 'host' : 'user', value: full });
    return shared ? [{ family, name: shared.name, short, full }] : [];
  });
  return sql`
    insert into proven_names (organization_uuid, family, name, short, "full", stated_at)
    select organization_uuid, family, name, short, "full", now()
    from ${owners} as owners, json_to_recordset(${JSON.stringify(rows)}::text::json) as given (family text, name text, short text, "full" text)
    order by family, name, short, "full"
    on conflict do nothing`;
}
