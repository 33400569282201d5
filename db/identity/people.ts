import { and, asc, eq, type GetColumnData, gt, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, unionAll } from 'drizzle-orm/pg-core';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { apiKeys, memberships, users } from '../schema/index.js';

const MAX_PEOPLE = 1_000;

/** The name of the user today. Without a user, such as for the key of a service, the stored name. */
export function currentName<Name extends AnyPgColumn>(userUuid: AnyPgColumn, name: Name): SQL<GetColumnData<Name>> {
  return sql`coalesce((select users.name from users where users.user_uuid = ${userUuid}), ${name})`;
}

/** The names that work on the cases of an organization: its users, and its service keys without senders. Those for all organizations too. */
function peopleQuery(db: Db | Transaction, organizationUuid: string, isWanted: (name: SQL) => SQL | undefined) {
  const keys = db
    .select({ name: sql<string>`${apiKeys.name}`.as('name'), userUuid: sql<string | null>`null::uuid`.as('user_uuid') })
    .from(apiKeys)
    .where(
      and(
        or(eq(apiKeys.organizationUuid, organizationUuid), isNull(apiKeys.organizationUuid)),
        isNull(apiKeys.ownerUuid),
        ne(apiKeys.role, 'sender'),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowSeconds())),
        isWanted(sql`${apiKeys.name}`),
      ),
    );
  const members = db
    .select({ name: sql<string>`${users.name}`.as('name'), userUuid: sql<string | null>`${users.userUuid}`.as('user_uuid') })
    .from(users)
    .innerJoin(memberships, eq(memberships.userUuid, users.userUuid))
    .where(
      and(
        or(eq(memberships.organizationUuid, organizationUuid), isNull(memberships.organizationUuid)),
        ne(memberships.role, 'sender'),
        isNull(users.deactivatedAt),
        isWanted(sql`${users.name}`),
      ),
    );
  return unionAll(keys, members).as('people');
}

/** Their names, each once, in alphabetical order. */
export async function listPeople(db: Db | Transaction, organizationUuid: string): Promise<string[]> {
  const people = peopleQuery(db, organizationUuid, () => undefined);
  const rows = await db.selectDistinct({ name: people.name }).from(people).orderBy(asc(people.name)).limit(MAX_PEOPLE);
  return rows.map(({ name }) => name);
}

/** null where the organization has no such person. `userUuid` is null for the key of a service. */
export async function findPerson(
  db: Db | Transaction,
  organizationUuid: string,
  name: string,
): Promise<{ userUuid: string | null } | null> {
  const people = peopleQuery(db, organizationUuid, (each) => eq(each, name));
  const [found] = await db.select({ userUuid: people.userUuid }).from(people).limit(1);
  return found ?? null;
}
