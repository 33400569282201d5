import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { skillRunWorkflowId } from '../../domain/connection/skill.js';
import { WritesHeld } from '../../domain/connection/skill-errors.js';
import type { Principal } from '../../domain/identity/identity.js';
import { proposalWorkflowId } from '../../domain/response/proposal.js';
import { DEFAULT_WRITES_PER_HOUR, type ResponseRules } from '../../domain/response/response-rules.js';
import { type Db, executePrepared, type PgClient, type Queries } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { proposals, responseRules, skillRuns } from '../schema/index.js';
import { type Reservation, reserveWrite, type SkillCall } from '../skills/skill-results.js';

/** Writes of the last hour that were sent, or may have been. A refused write does not count. */
const sentByOrganization = sql`operation_key is not null and status <> 'failed' and started_at > now() - interval '1 hour'`;

export async function readRules(pg: PgClient, organizationUuid: string): Promise<ResponseRules> {
  const [rules] = await executePrepared<ResponseRules>(
    pg,
    sql`
    select organization_code, coalesce(writes_per_hour, ${DEFAULT_WRITES_PER_HOUR}) as writes_per_hour,
      (select count(*)::int from skill_results
        where skill_results.organization_uuid = organizations.organization_uuid and ${sentByOrganization}) as writes_last_hour,
      stopped_at is not null as stopped, stopped_by, extract(epoch from stopped_at)::float8 as stopped_at, stop_reason
    from organizations left join response_rules using (organization_uuid) where organization_uuid = ${organizationUuid}`,
  );
  if (!rules) throw new Error('The organization does not exist.');
  return rules;
}

interface Rules {
  readonly limit: number;
  readonly writes: number;
  readonly stopped_by: string | null;
  readonly stop_reason: string | null;
  /** Seconds until the limit allows one more write; null where it allows one now. */
  readonly free_in_seconds: number | null;
}

/** The reason to hold a write; null where it may be sent. Its own earlier try does not count. */
export async function findHold(pg: Queries, organizationUuid: string, operationKey: string): Promise<WritesHeld | null> {
  const [rules] = await executePrepared<Rules>(
    pg,
    sql`
    with rules as (
      select coalesce(writes_per_hour, ${DEFAULT_WRITES_PER_HOUR}) as allowed, stopped_by, stop_reason
      from organizations left join response_rules using (organization_uuid) where organization_uuid = ${organizationUuid}
    ), sent as (
      select started_at, row_number() over (order by started_at desc) as place from skill_results
      where organization_uuid = ${organizationUuid} and operation_key <> ${operationKey} and ${sentByOrganization}
    )
    select allowed as limit, stopped_by, stop_reason, (select count(*)::int from sent) as writes,
      (select ceil(extract(epoch from started_at + interval '1 hour' - now()))::float8 from sent where place = allowed) as free_in_seconds
    from rules`,
  );
  if (!rules) return null;
  if (rules.stopped_by !== null)
    return new WritesHeld(`${rules.stopped_by} stopped all writes of the organization: ${rules.stop_reason ?? ''}`, null);
  if (rules.free_in_seconds === null) return null;
  const reason = `The organization sent ${rules.writes} writes in the last hour. Its limit is ${rules.limit}.`;
  return new WritesHeld(reason, Math.max(1, rules.free_in_seconds));
}

/** Serialises counting and the stop switch, so that two writes cannot both take the last place within the limit. */
function lockRules(organizationUuid: string): SQL {
  return sql`select pg_advisory_xact_lock(hashtextextended(${`writes of ${organizationUuid}`}, 0))`;
}

/** Every write passes here before it is sent. A write that was sent before needs only a lookup, which is never held. */
export async function reserveWithinRules(pg: PgClient, call: SkillCall, operationKey: string): Promise<Reservation> {
  return pg.begin(async (transaction) => {
    await executePrepared(transaction, lockRules(call.organizationUuid));
    const sent = await executePrepared(
      transaction,
      sql`select result_uuid from skill_results where operation_key = ${operationKey} and status <> 'failed'`,
    );
    const held = sent.length > 0 ? null : await findHold(transaction, call.organizationUuid, operationKey);
    if (held) throw held;
    return reserveWrite(transaction, call, operationKey);
  });
}

/** For a write that provably did not happen and is sent again: the same rules as for a new write. */
export async function requireWithinRules(pg: PgClient, organizationUuid: string, operationKey: string): Promise<void> {
  const held = await findHold(pg, organizationUuid, operationKey);
  if (held) throw held;
}

async function changeRules(
  db: Db,
  by: Principal,
  organizationUuid: string,
  changed: Partial<Omit<typeof responseRules.$inferInsert, 'organizationUuid'>>,
  audit: { action: string; details: Record<string, unknown> },
): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.execute(lockRules(organizationUuid));
    await transaction
      .insert(responseRules)
      .values({ organizationUuid, ...changed })
      .onConflictDoUpdate({ target: responseRules.organizationUuid, set: changed });
    await recordAudit(transaction, { by, organizationUuid, target: organizationUuid, ...audit });
  });
}

export async function limitWrites(db: Db, by: Principal, organizationUuid: string, writesPerHour: number): Promise<void> {
  const audit = { action: 'response.update', details: { writes_per_hour: writesPerHour } };
  await changeRules(db, by, organizationUuid, { writesPerHour }, audit);
}

export async function stopWrites(db: Db, by: Principal, organizationUuid: string, reason: string): Promise<void> {
  const stopped = { stoppedAt: nowSeconds(), stoppedBy: by.name, stopReason: reason };
  await changeRules(db, by, organizationUuid, stopped, { action: 'response.stop', details: { reason } });
}

export async function resumeWrites(db: Db, by: Principal, organizationUuid: string, reason: string): Promise<void> {
  const resumed = { stoppedAt: null, stoppedBy: null, stopReason: null };
  await changeRules(db, by, organizationUuid, resumed, { action: 'response.resume', details: { reason } });
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
