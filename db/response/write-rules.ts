import { sql } from 'drizzle-orm';
import { DEFAULT_WRITES_PER_HOUR } from '../../domain/response/response-rules.js';
import type { Db, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { responseRules } from '../schema/index.js';

/** Writes of the last hour that were sent, or may have been. A refused write does not count. */
export const sentInLastHour = sql`operation_key is not null and status <> 'failed' and started_at > now() - interval '1 hour'`;

/** Serialises counting and the stop switch, so that two writes cannot both take the last place within the limit. */
export async function lockRules(transaction: Transaction, organizationUuid: string): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`writes of ${organizationUuid}`}, 0))`);
}

interface WriteRules extends Record<string, unknown> {
  readonly limit: number;
  readonly writes: number;
  readonly stopped_by: string | null;
  readonly stop_reason: string | null;
  /** Seconds until the limit allows one more write; null where it allows one now. */
  readonly free_in_seconds: number | null;
}

/** An earlier try of the same write does not count. */
export async function readWriteRules(db: Db | Transaction, organizationUuid: string, operationKey: string): Promise<WriteRules | null> {
  const [rules] = await db.execute<WriteRules>(sql`
    with rules as (
      select coalesce(writes_per_hour, ${DEFAULT_WRITES_PER_HOUR}) as allowed, stop_reason,
        ${currentName(responseRules.stoppedByUuid, responseRules.stoppedBy)} as stopped_by
      from organizations left join response_rules using (organization_uuid) where organization_uuid = ${organizationUuid}
    ), sent as (
      select started_at, row_number() over (order by started_at desc) as place from skill_results
      where organization_uuid = ${organizationUuid} and operation_key <> ${operationKey} and ${sentInLastHour}
    )
    select allowed as limit, stopped_by, stop_reason, (select count(*)::int from sent) as writes,
      (select ceil(extract(epoch from started_at + interval '1 hour' - now()))::float8 from sent where place = allowed) as free_in_seconds
    from rules`);
  return rules ?? null;
}
