import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { proposalOperationKey, proposalWorkflowId } from '../../domain/response/proposal.js';
import { DEFAULT_WRITES_PER_HOUR, type ResponseRules } from '../../domain/response/response-rules.js';
import type { Db, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { proposals, responseRules } from '../schema/index.js';
import { listPendingChanges } from './rule-changes.js';
import { sentInLastHour } from './write-rules.js';

export async function readRules(db: Db, organizationUuid: string): Promise<ResponseRules> {
  const [rules] = await db.execute<Omit<ResponseRules, 'pending_changes'>>(sql`
    select organization_code, coalesce(writes_per_hour, ${DEFAULT_WRITES_PER_HOUR}) as writes_per_hour,
      (select count(*)::int from skill_results
        where skill_results.organization_uuid = organizations.organization_uuid and ${sentInLastHour}) as writes_last_hour,
      stopped_at is not null as stopped, ${currentName(responseRules.stoppedByUuid, responseRules.stoppedBy)} as stopped_by, extract(epoch from stopped_at)::float8 as stopped_at, stop_reason,
      (select coalesce(jsonb_agg(jsonb_build_object('proposal_id', proposal_uuid, 'run_id', case when proposals.alert_uuid is null then proposal_uuid end,
            'connection_id', skill_results.connection_uuid, 'skill_id', skill_results.skill_id, 'skill_key', skill_results.skill_key,
            'sent_at', extract(epoch from sent_at)::bigint) order by sent_at), '[]')
        from skill_results
        join proposals on proposals.state = 'running'
          and operation_key in (proposal_uuid::text, ${proposalOperationKey('', { isManual: false })}::text || proposal_uuid::text)
        where skill_results.organization_uuid = organizations.organization_uuid and operation_key is not null and status = 'started'
          and sent_at is not null) as writes_in_flight
    from organizations left join response_rules using (organization_uuid) where organization_uuid = ${organizationUuid}`);
  if (!rules) throw new Error('The organization does not exist.');
  return { ...rules, pending_changes: await listPendingChanges(db, organizationUuid) };
}

export type StoredRules = typeof responseRules.$inferSelect;

export async function findRules(transaction: Transaction, organizationUuid: string): Promise<StoredRules | null> {
  const [rules] = await transaction.select().from(responseRules).where(eq(responseRules.organizationUuid, organizationUuid));
  return rules ?? null;
}

export async function storeRules(
  transaction: Transaction,
  organizationUuid: string,
  changed: Partial<Omit<StoredRules, 'organizationUuid'>>,
): Promise<void> {
  await transaction
    .insert(responseRules)
    .values({ organizationUuid, ...changed })
    .onConflictDoUpdate({ target: responseRules.organizationUuid, set: changed });
}

/** Workflows with held writes. */
export async function listHeld(db: Db, organizationUuid: string): Promise<string[]> {
  const held = await db
    .select({ proposalUuid: proposals.proposalUuid })
    .from(proposals)
    .where(and(eq(proposals.organizationUuid, organizationUuid), isNotNull(proposals.heldBecause)));
  return held.map(({ proposalUuid }) => proposalWorkflowId(proposalUuid));
}
