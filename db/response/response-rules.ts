import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { skillRunWorkflowId } from '../../domain/connection/skill.js';
import type { Principal } from '../../domain/identity/identity.js';
import { proposalOperationKey, proposalWorkflowId } from '../../domain/response/proposal.js';
import { DEFAULT_WRITES_PER_HOUR, type ResponseRules } from '../../domain/response/response-rules.js';
import type { PendingRuleChange, RuleChangeKind } from '../../domain/response/rule-change.js';
import { type Database, type Db, executePrepared } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { proposals, responseRules, skillRuns } from '../schema/index.js';
import { sentInLastHour } from './allow-write.js';
import { lockRules } from './lock-rules.js';
import { confirmRuleChange, listPendingChanges, needsSecondPerson } from './rule-changes.js';

export async function readRules({ db, pg }: Pick<Database, 'db' | 'pg'>, organizationUuid: string): Promise<ResponseRules> {
  const [rules] = await executePrepared<Omit<ResponseRules, 'pending_changes'>>(
    pg,
    sql`
    select organization_code, coalesce(writes_per_hour, ${DEFAULT_WRITES_PER_HOUR}) as writes_per_hour,
      (select count(*)::int from skill_results
        where skill_results.organization_uuid = organizations.organization_uuid and ${sentInLastHour}) as writes_last_hour,
      stopped_at is not null as stopped, stopped_by, extract(epoch from stopped_at)::float8 as stopped_at, stop_reason,
      (select coalesce(jsonb_agg(jsonb_build_object('proposal_id', proposal_uuid, 'run_id', skill_runs.run_uuid,
            'connection_id', skill_results.connection_uuid, 'skill_id', skill_results.skill_id,
            'sent_at', extract(epoch from sent_at)::bigint) order by sent_at), '[]')
        from skill_results
        left join proposals on proposals.state = 'running' and operation_key = ${proposalOperationKey('')}::text || proposal_uuid::text
        left join skill_runs on skill_runs.state = 'running' and skill_runs.run_uuid = skill_results.run_uuid
        where skill_results.organization_uuid = organizations.organization_uuid and operation_key is not null and status = 'started'
          and sent_at is not null and (proposal_uuid is not null or skill_runs.run_uuid is not null)) as writes_in_flight
    from organizations left join response_rules using (organization_uuid) where organization_uuid = ${organizationUuid}`,
  );
  if (!rules) throw new Error('The organization does not exist.');
  return { ...rules, pending_changes: await listPendingChanges(db, organizationUuid) };
}

type StoredRules = typeof responseRules.$inferSelect;

interface RulesChange {
  readonly changed: Partial<Omit<StoredRules, 'organizationUuid'>>;
  readonly audit: { action: string; details: Record<string, unknown> };
  /** For a change that can relax the rules: whether it does, compared with the current ones. */
  readonly relaxes?: {
    readonly change: RuleChangeKind;
    readonly value: number | null;
    from(current: StoredRules | undefined): boolean;
  };
}

/** Returns the request if it waits for a second person; null where the change took effect. */
async function changeRules(db: Db, by: Principal, organizationUuid: string, given: RulesChange): Promise<PendingRuleChange | null> {
  const { changed, audit, relaxes } = given;
  return db.transaction(async (transaction) => {
    await transaction.execute(lockRules(organizationUuid));
    const [current] = await transaction.select().from(responseRules).where(eq(responseRules.organizationUuid, organizationUuid));
    if (relaxes?.from(current) && (await needsSecondPerson(transaction, organizationUuid))) {
      const { change, value } = relaxes;
      const pending = await confirmRuleChange(transaction, by, { organizationUuid, change, target: organizationUuid, value });
      if (pending !== null) return pending;
    }
    await transaction
      .insert(responseRules)
      .values({ organizationUuid, ...changed })
      .onConflictDoUpdate({ target: responseRules.organizationUuid, set: changed });
    await recordAudit(transaction, { by, organizationUuid, target: organizationUuid, ...audit });
    return null;
  });
}

export async function limitWrites(
  db: Db,
  by: Principal,
  organizationUuid: string,
  writesPerHour: number,
): Promise<PendingRuleChange | null> {
  return changeRules(db, by, organizationUuid, {
    changed: { writesPerHour },
    audit: { action: 'response.update', details: { writes_per_hour: writesPerHour } },
    relaxes: {
      change: 'raise-limit',
      value: writesPerHour,
      from: (current) => writesPerHour > (current?.writesPerHour ?? DEFAULT_WRITES_PER_HOUR),
    },
  });
}

export async function stopWrites(db: Db, by: Principal, organizationUuid: string, reason: string): Promise<void> {
  const changed = { stoppedAt: nowSeconds(), stoppedBy: by.name, stopReason: reason };
  await changeRules(db, by, organizationUuid, { changed, audit: { action: 'response.stop', details: { reason } } });
}

export async function resumeWrites(db: Db, by: Principal, organizationUuid: string, reason: string): Promise<PendingRuleChange | null> {
  return changeRules(db, by, organizationUuid, {
    changed: { stoppedAt: null, stoppedBy: null, stopReason: null },
    audit: { action: 'response.resume', details: { reason } },
    relaxes: { change: 'resume-writes', value: null, from: (current) => (current?.stoppedAt ?? null) !== null },
  });
}

/** Workflows with held writes. */
export async function listHeld(db: Db, organizationUuid: string): Promise<string[]> {
  const [held, runs] = await Promise.all([
    db
      .select({ proposalUuid: proposals.proposalUuid })
      .from(proposals)
      .where(and(eq(proposals.organizationUuid, organizationUuid), isNotNull(proposals.heldBecause))),
    db
      .select({ runUuid: skillRuns.runUuid })
      .from(skillRuns)
      .where(and(eq(skillRuns.organizationUuid, organizationUuid), eq(skillRuns.state, 'running'), isNotNull(skillRuns.error))),
  ]);
  return [...held.map(({ proposalUuid }) => proposalWorkflowId(proposalUuid)), ...runs.map(({ runUuid }) => skillRunWorkflowId(runUuid))];
}
