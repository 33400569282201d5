import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { entityPage } from '../../domain/case/entity-page.js';
import { ENTITY_KINDS, type Entity } from '../../domain/entity/entity.js';
import { HITS_PER_GROUP, type SearchHit } from '../../domain/search/search.js';
import type { Db } from '../client.js';
import type { EntityRef } from '../entities/entities.js';
import { MAX_READ, readByIndex } from '../read-by-index.js';
import { entityValues, organizations } from '../schema/index.js';
import { canUseIndex, contains, type Question } from './question.js';

export interface FoundEntity {
  readonly entity: EntityRef;
  readonly hit: SearchHit;
}

/** A full name of a host, an address, an account or a URL. Other values rarely contain it, and searching them would be slow. */
const FULL_NAME = /[.@/:]/;

/** The value itself first, then values that begin with the text, then shorter ones. */
export async function findEntities(db: Db, question: Question): Promise<FoundEntity[]> {
  const given = question.terms.join(' ');
  const exact = await readEntities(db, question, isValue(given));
  const isFullName = exact.length > 0 && FULL_NAME.test(given);
  const parts =
    isFullName || !canUseIndex(question)
      ? []
      : await readByIndex(db, (tx) => readEntities(tx, question, contains(question, entityValues.value)));
  const found = new Map([...exact, ...parts].map((row) => [`${row.organizationUuid} ${row.kind} ${row.value}`, row]));
  const rank = ({ value }: Pick<Entity, 'value'>) => {
    const lower = value.toLowerCase();
    const wanted = given.toLowerCase();
    return lower === wanted ? 0 : lower.startsWith(wanted) ? 1 : 2;
  };
  return [...found.values()]
    .sort((one, other) => rank(one) - rank(other) || one.value.length - other.value.length || one.value.localeCompare(other.value))
    .slice(0, HITS_PER_GROUP)
    .map(({ code, ...entity }) => ({
      entity,
      hit: {
        id: entity.kind,
        title: entity.value,
        snippet: '',
        organization_code: code,
        at: null,
        verdict: null,
        severity: null,
        page: entityPage(entity, code),
      },
    }));
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
    })
    .from(entityValues)
    .innerJoin(organizations, eq(organizations.organizationUuid, entityValues.organizationUuid))
    .where(and(organizationUuid === null ? undefined : eq(entityValues.organizationUuid, organizationUuid), matches))
    .limit(MAX_READ);
}
