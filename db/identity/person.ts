import { and, eq, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Approver } from '../../domain/identity/approver.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { apiKeys, users } from '../schema/index.js';

/** The person behind a stored principal: of a key its owner or its creator, otherwise the user itself. */
function selectPerson(principalUuid: SQLWrapper): SQL<string> {
  return sql<string>`coalesce((select coalesce(person_uuid, key_uuid) from api_keys where key_uuid = ${principalUuid}), ${principalUuid})`;
}

/** Whether the stored principal and the caller are the same person. */
export function isSamePerson(principalUuid: SQLWrapper, by: Principal): SQL<boolean> {
  return sql<boolean>`${selectPerson(principalUuid)} = ${by.personUuid}::uuid`;
}

const NO_PERSON: Approver = { userUuid: null, email: null, isVerified: false };

/** The account behind each stored principal: a user, or the owner of a key. The key of a service has none. */
export async function findApprovers(db: Db | Transaction, principalUuids: readonly string[]): Promise<(principalUuid: string) => Approver> {
  if (principalUuids.length === 0) return () => NO_PERSON;
  const ids = [...new Set(principalUuids)];
  const rows = await db
    .select({
      keyUuid: apiKeys.keyUuid,
      userUuid: users.userUuid,
      email: users.email,
      isVerified: sql<boolean>`${users.subject} is not null or ${users.vouchedAt} is not null`,
    })
    .from(users)
    .leftJoin(apiKeys, and(eq(apiKeys.ownerUuid, users.userUuid), inArray(apiKeys.keyUuid, ids)))
    .where(or(inArray(users.userUuid, ids), inArray(apiKeys.keyUuid, ids)));
  const found = new Map(
    rows.flatMap(
      ({ keyUuid, ...approver }) => [[approver.userUuid, approver], ...(keyUuid === null ? [] : [[keyUuid, approver] as const])] as const,
    ),
  );
  return (principalUuid) => found.get(principalUuid) ?? NO_PERSON;
}
