import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { DISORDER_SECONDS, firstEntryAt } from '../identity/audit.js';
import { retentionRules } from '../schema/index.js';
import { cutoffSeconds } from './due-data.js';
import { HELD, IS_ANY_ORGANIZATION_HELD } from './legal-holds.js';

/** The number of days after which entries without an organization go. The trigger of the audit log trusts it. */
export async function readSharedDays(db: Db | Transaction): Promise<number | null> {
  const isShared = and(isNull(retentionRules.organizationUuid), eq(retentionRules.kind, 'audit'));
  const [rule] = await db.select({ days: retentionRules.days }).from(retentionRules).where(isShared);
  return rule?.days ?? null;
}

/** Returns whether that changes the stored rule. */
export async function saveSharedDays(transaction: Transaction, days: number): Promise<boolean> {
  const saved = await transaction
    .insert(retentionRules)
    .values({ organizationUuid: null, kind: 'audit', severity: null, days })
    .onConflictDoUpdate({
      target: [retentionRules.organizationUuid, retentionRules.kind, retentionRules.severity],
      set: { days },
      setWhere: ne(retentionRules.days, days),
    })
    .returning({ days: retentionRules.days });
  return saved.length > 0;
}

export async function deleteSharedEntries(transaction: Transaction, days: number, limit: number): Promise<number> {
  const cutoff = cutoffSeconds({ days });
  const [deleted] = await transaction.execute<{ count: number }>(sql`
    with gone as (
      delete from audit_log where entry_no = any (array (
        select entry_no from audit_log
        where organization_uuid is null and at < to_timestamp(${cutoff}) and entry_no < ${firstEntryAt(cutoff + DISORDER_SECONDS)}
          and not ${sql.raw(IS_ANY_ORGANIZATION_HELD)} and not coalesce(${sql.raw(HELD.target)}, false)
        order by entry_no limit ${limit}
      )) returning entry_no
    )
    select count(*)::int as count from gone`);
  return deleted?.count ?? 0;
}

/** Invitations that were used, revoked or not used in time. */
export async function deleteSharedInvitations(transaction: Transaction, days: number, limit: number): Promise<number> {
  const [deleted] = await transaction.execute<{ count: number }>(sql`
    with gone as (
      delete from invitations where invitation_uuid = any (array (
        select invitation_uuid from invitations
        where organization_uuid is null and coalesce(ended_at, expires_at) < to_timestamp(${cutoffSeconds({ days })})
          and not ${sql.raw(IS_ANY_ORGANIZATION_HELD)}
        order by invitation_uuid limit ${limit}
      )) returning invitation_uuid
    )
    select count(*)::int as count from gone`);
  return deleted?.count ?? 0;
}
