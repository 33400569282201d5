import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';

/** The person behind a stored principal: of a key its owner or its creator, otherwise the user itself. */
export function selectPerson(principalUuid: SQLWrapper): SQL<string> {
  return sql<string>`coalesce((select coalesce(person_uuid, key_uuid) from api_keys where key_uuid = ${principalUuid}), ${principalUuid})`;
}

/** Whether the stored principal and the caller are the same person. */
export function isSamePerson(principalUuid: SQLWrapper, by: Principal): SQL<boolean> {
  return sql<boolean>`${selectPerson(principalUuid)} = ${by.personUuid}::uuid`;
}
