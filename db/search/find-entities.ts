import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { entityPage } from '../../domain/case/entity-page.js';
import { refang } from '../../domain/entity/canonical.js';
import { ENTITY_KINDS, type Entity } from '../../domain/entity/entity.js';
import { canonicalIp } from '../../domain/entity/ip.js';
import { readSharedName } from '../../domain/entity/names.js';
import { HITS_PER_GROUP, type SearchHit } from '../../domain/search/search.js';
import type { Db } from '../client.js';
import type { EntityRef } from '../entities/entities.js';
import { readSpellings, runOn } from '../entities/names.js';
import { MAX_READ, readByIndex } from '../read-by-index.js';
import { entityValues, organizations } from '../schema/index.js';
import { canUseIndex, contains, type Question } from './question.js';

export interface FoundEntity {
  readonly entity: EntityRef;
  readonly hit: SearchHit;
}

/** A full name of a host, an address, an account or a URL. Other values rarely contain it, and searching them would be slow. */
const FULL_NAME = /[.@/:]/;

/** The value itself first, then values that begin with the text, then shorter ones. Each host and account once, in its canonical spelling. */
export async function findEntities(db: Db, asked: Question): Promise<FoundEntity[]> {
  const question = readPlain(asked);
  const given = question.terms.join(' ');
  const exact = await readEntities(db, question, isValue(given));
  const isFullName = exact.length > 0 && FULL_NAME.test(given);
  const [parts, stated] = await Promise.all([
    isFullName || !canUseIndex(question) ? [] : readByIndex(db, (tx) => readEntities(tx, question, contains(question, entityValues.value))),
    isFullName ? [] : readStated(db, question, given),
  ]);
  const found = new Map([...exact, ...parts, ...stated].map((row) => [`${row.organizationUuid} ${row.kind} ${row.value}`, row]));
  const rank = ({ value }: Pick<Entity, 'value'>) => {
    const lower = value.toLowerCase();
    const wanted = given.toLowerCase();
    return lower === wanted ? 0 : lower.startsWith(wanted) ? 1 : 2;
  };
  const sorted = [...found.values()].sort(
    (one, other) => rank(one) - rank(other) || one.value.length - other.value.length || one.value.localeCompare(other.value),
  );
  const joined = await joinSpellings(db, sorted.slice(0, MAX_JOINED));
  return joined.slice(0, HITS_PER_GROUP).map(({ code, ...entity }) => ({
    entity,
    hit: {
      id: entity.canonical.kind,
      title: entity.canonical.value,
      snippet: '',
      organization_code: code,
      at: null,
      verdict: null,
      severity: null,
      page: entityPage(entity.canonical, code),
    },
  }));
}

/** A text of one term, as alerts store an address or a name. */
function readPlain(question: Question): Question {
  const [term, ...others] = question.terms;
  if (term === undefined || others.length > 0) return question;
  const plain = refang(term);
  const text = canonicalIp(plain) ?? (plain.length > 1 ? plain.replace(/\.$/, '') : plain);
  return text === term ? question : { ...question, text, terms: [text] };
}

type FoundRow = Awaited<ReturnType<typeof readEntities>>[number];

/** Several spellings of a few entities. */
const MAX_JOINED = 4 * HITS_PER_GROUP;

/** Each entity once, in the order of its first spelling. */
async function joinSpellings(db: Db, rows: readonly FoundRow[]): Promise<(EntityRef & { readonly code: string })[]> {
  const joined = new Map<string, EntityRef & { readonly code: string }>();
  const organizationUuids = [...new Set(rows.map(({ organizationUuid }) => organizationUuid))];
  const spellings = new Map(
    await Promise.all(
      organizationUuids.map(async (uuid) => {
        const ofOrganization = rows.filter(({ organizationUuid }) => organizationUuid === uuid);
        return [uuid, await readSpellings(runOn(db), uuid, ofOrganization)] as const;
      }),
    ),
  );
  for (const row of rows) {
    const { organizationUuid, code } = row;
    const group = spellings.get(organizationUuid)?.of(row);
    // The full name of another host or account with the same short name.
    if (!group || (row.full !== null && !group.spellings.some(({ value }) => value === row.full))) continue;
    const key = `${organizationUuid} ${group.canonical.kind} ${group.canonical.value}`;
    if (!joined.has(key)) joined.set(key, { organizationUuid, code, ...group });
  }
  return [...joined.values()];
}

/** Short names in alerts whose full name only a record states. */
async function readStated(db: Db, { organizationUuid }: Question, full: string): Promise<FoundRow[]> {
  const kind = full.includes('@') ? 'user' : 'host';
  const shared = FULL_NAME.test(full) ? readSharedName({ kind, value: full }) : null;
  if (shared === null) return [];
  const rows = await db.execute<{ [Name in keyof FoundRow]: FoundRow[Name] }>(sql`
    select organization_uuid as "organizationUuid", ${kind}::text as kind, short as value, organization_code as code, "full"
    from organizations join proven_names using (organization_uuid)
    where family = ${shared.family} and proven_names.name = ${shared.name} and "full" = ${full.toLowerCase()}
      and ${organizationUuid === null ? sql`true` : sql`organization_uuid = ${organizationUuid}`}
    limit ${MAX_READ}`);
  return [...rows];
}

/** The primary key begins with organization and kind, so a value is looked up once for each. */
function isValue(value: string): SQL | undefined {
  const digests = sql`array[md5(${value}::text)::uuid, md5(lower(${value}::text))::uuid]`;
  return and(
    sql`${entityValues.organizationUuid} = any(array(select organization_uuid from organizations))`,
    inArray(entityValues.kind, [...ENTITY_KINDS]),
    sql`${entityValues.digest} = any(${digests})`,
  );
}

async function readEntities(db: Db, { organizationUuid }: Question, matches: SQL | undefined) {
  return db
    .select({
      organizationUuid: entityValues.organizationUuid,
      kind: entityValues.kind,
      value: entityValues.value,
      code: organizations.organizationCode,
      full: sql<string | null>`null`,
    })
    .from(entityValues)
    .innerJoin(organizations, eq(organizations.organizationUuid, entityValues.organizationUuid))
    .where(and(organizationUuid === null ? undefined : eq(entityValues.organizationUuid, organizationUuid), matches))
    .limit(MAX_READ);
}
