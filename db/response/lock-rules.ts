import { type SQL, sql } from 'drizzle-orm';

/** Serialises counting and the stop switch, so that two writes cannot both take the last place within the limit. */
export function lockRules(organizationUuid: string): SQL {
  return sql`select pg_advisory_xact_lock(hashtextextended(${`writes of ${organizationUuid}`}, 0))`;
}
