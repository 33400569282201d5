import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Waiting } from '../../domain/connection/connection.js';
import { AGENT_SILENCE_SECONDS, describeAgentWait } from '../../domain/connection/remote-agent.js';
import type { SkillRequest } from '../../domain/connection/skill.js';
import type { SkillKey } from '../../domain/skill-key.js';
import { type Db, executePrepared, type PgClient, type Transaction } from '../client.js';
import { newUuid } from '../ids.js';
import { agentSteps, connections, remoteAgents } from '../schema/index.js';

/** The payload is the id of the agent that has a new step. */
export const AGENT_STEPS_CHANNEL = 'agent_steps';

export interface StepRequest extends SkillRequest {
  readonly attempt: number;
}

/** A step for a remote agent. Temporal's activity ends when the agent reports. */
export interface HandedStep {
  readonly agentUuid: string;
  readonly connectionUuid: string;
  readonly activityKey: string;
  readonly taskToken: string;
  readonly request: StepRequest;
  readonly skillKey: SkillKey;
  readonly skillId: string;
  readonly alertUuid: string | null;
  /** Set if no activity of Temporal waits for the step. Epoch seconds. */
  readonly wantedUntil?: number;
}

/** A retry by Temporal has a new token: the same step gets it and becomes free to claim again. Its agent learns of it at the commit. */
export async function upsertStep(transaction: Transaction, { request, ...step }: HandedStep, createdAt: number): Promise<void> {
  const { taskToken, agentUuid } = step;
  await transaction
    .insert(agentSteps)
    .values({ ...step, stepUuid: newUuid(), request: { ...request }, createdAt })
    .onConflictDoUpdate({
      target: agentSteps.activityKey,
      set: { taskToken, agentUuid, request: { ...request }, claimedAt: null, seenAt: null },
    });
  await transaction.execute(sql`select pg_notify(${AGENT_STEPS_CHANNEL}, ${agentUuid})`);
}

export interface HeldStep {
  readonly stepUuid: string;
  /** Identifies this claim among all claims of the step. */
  readonly claim: string;
  readonly taskToken: string;
  /** The workflow that called the skill. */
  readonly workflowId: string;
  readonly skillKey: SkillKey;
  readonly request: StepRequest;
  readonly alertUuid: string | null;
  readonly connectionUuid: string;
  readonly organizationUuid: string;
  readonly instanceName: string;
  /** The generation of the credentials at the time of the claim. */
  readonly generation: number;
  readonly failuresInARow: number;
  readonly throttledInARow: number;
  /** A copy of records waits for the answer, and no activity of Temporal. */
  readonly isForRecords: boolean;
  /** Of such a step: whether the copy no longer waits. */
  readonly isExpired: boolean;
}

const claim = sql`round(extract(epoch from agent_steps.claimed_at) * 1000)::bigint::text`;
const held = sql`step_uuid as "stepUuid", ${claim} as claim, task_token as "taskToken",
  regexp_replace(activity_key, '/[^/]*/[^/]*$', '') as "workflowId", skill_key as "skillKey", request,
  agent_steps.alert_uuid as "alertUuid", agent_steps.connection_uuid as "connectionUuid", organization_uuid as "organizationUuid",
  instance_name as "instanceName", (request->>'generation')::int as generation, failures_in_a_row as "failuresInARow",
  throttled_in_a_row as "throttledInARow", wanted_until is not null as "isForRecords", coalesce(wanted_until < now(), false) as "isExpired"`;
/** No agent holds the step, or its agent no longer sends heartbeats. */
export const isFree = sql`(claimed_at is null or seen_at < now() - make_interval(secs => ${AGENT_SILENCE_SECONDS}))`;

/**
 * The oldest free step of the connections that this agent serves now, if it may have their secrets. The request keeps the generation, so that a failure
 * counts against those credentials and not against newer ones.
 */
export async function claimStep(pg: PgClient, agentUuid: string): Promise<HeldStep | null> {
  const [step] = await executePrepared<HeldStep>(
    pg,
    sql`
    with next as (
      select step_uuid as next_uuid from agent_steps join connections using (connection_uuid)
      where remote_agent_uuid = ${agentUuid} and ${isFree} and answer is null
        and exists (select from remote_agents where agent_uuid = ${agentUuid} and revoked_at is null
          and (confirmed_at is not null or enrolled_by is null))
      order by step_uuid limit 1 for update of agent_steps skip locked
    )
    update agent_steps set agent_uuid = ${agentUuid}, claimed_at = clock_timestamp(), seen_at = clock_timestamp(),
      request = request || jsonb_build_object('generation', connections.generation)
    from next, connections
    where step_uuid = next_uuid and connections.connection_uuid = agent_steps.connection_uuid
    returning ${held}`,
  );
  return step ?? null;
}

/** Records a heartbeat. null where the agent no longer holds the step. */
export async function touchStep(pg: PgClient, holder: { agentUuid: string; stepUuid: string; claim: string }): Promise<HeldStep | null> {
  const [step] = await executePrepared<HeldStep>(
    pg,
    sql`
    update agent_steps set seen_at = clock_timestamp() from connections
    where step_uuid = ${holder.stepUuid} and agent_uuid = ${holder.agentUuid} and ${claim} = ${holder.claim}
      and connections.connection_uuid = agent_steps.connection_uuid
    returning ${held}`,
  );
  return step ?? null;
}

/** null where the agent does not hold the step. */
export async function findHeldSkill(
  pg: PgClient,
  { stepUuid, agentUuid }: { stepUuid: string; agentUuid: string },
): Promise<SkillKey | null> {
  const [step] = await executePrepared<{ skillKey: SkillKey }>(
    pg,
    sql`select skill_key as "skillKey" from agent_steps where step_uuid = ${stepUuid} and agent_uuid = ${agentUuid} and claimed_at is not null`,
  );
  return step?.skillKey ?? null;
}

/** Makes the step free to claim at once. */
export async function releaseStep(pg: PgClient, step: Pick<HeldStep, 'stepUuid' | 'claim'>): Promise<void> {
  await executePrepared(
    pg,
    sql`update agent_steps set claimed_at = null, seen_at = null where step_uuid = ${step.stepUuid} and ${claim} = ${step.claim}`,
  );
}

/** Another token means another attempt, which has not ended. */
export async function removeStep(db: Db, step: { stepUuid: string; taskToken: string }): Promise<void> {
  await db.delete(agentSteps).where(and(eq(agentSteps.stepUuid, step.stepUuid), eq(agentSteps.taskToken, step.taskToken)));
}

export interface FreeStep {
  readonly stepUuid: string;
  readonly taskToken: string;
  readonly connectionId: string;
  readonly instanceName: string | null;
  readonly generation: number | null;
  /** Whether any agent serves the connection. */
  readonly routed: boolean;
  /** The connection is broken because its agent ended with the access of a person. */
  readonly brokenBecause: string | null;
}

/** Free steps that an activity of Temporal waits for, oldest first. */
export async function listFreeSteps(pg: PgClient, { after, limit }: { after: string | null; limit: number }): Promise<FreeStep[]> {
  return executePrepared(
    pg,
    sql`
    select step_uuid as "stepUuid", task_token as "taskToken", agent_steps.connection_uuid as "connectionId", instance_name as "instanceName",
      generation, remote_agent_uuid is not null as routed,
      case when state = 'broken' and revoked_at is not null then state_reason end as "brokenBecause"
    from agent_steps left join connections on connections.connection_uuid = agent_steps.connection_uuid
    left join remote_agents on remote_agents.agent_uuid = remote_agent_uuid
    where ${isFree} and wanted_until is null and (${after}::uuid is null or step_uuid > ${after}::uuid) order by step_uuid limit ${limit}`,
  );
}

/** What became of a step for records. */
export interface RecordStep {
  readonly isClaimed: boolean;
  readonly answer: unknown;
}

/** null where the step is gone, for example with its connection. */
export async function readRecordStep(pg: PgClient, activityKey: string): Promise<RecordStep | null> {
  const [step] = await executePrepared<RecordStep>(
    pg,
    sql`select claimed_at is not null as "isClaimed", answer from agent_steps where activity_key = ${activityKey}`,
  );
  return step ?? null;
}

/** `json`: the text of the answer. */
export async function answerRecordStep(pg: PgClient, stepUuid: string, json: string): Promise<void> {
  await executePrepared(
    pg,
    sql`update agent_steps set answer = ${json}::text::jsonb where step_uuid = ${stepUuid} and wanted_until is not null`,
  );
}

export async function removeRecordStep(pg: PgClient, activityKey: string): Promise<void> {
  await executePrepared(pg, sql`delete from agent_steps where activity_key = ${activityKey} and wanted_until is not null`);
}

/** Those of a worker that died. */
export async function removeExpiredSteps(pg: PgClient): Promise<void> {
  await executePrepared(pg, sql`delete from agent_steps where wanted_until < now() - interval '1 minute'`);
}

/** Steps of these alerts that wait for an agent. */
export async function listParkedSteps(db: Db, alertUuids: readonly string[]): Promise<Waiting[]> {
  const rows = await db
    .select({
      connection_id: connections.connectionUuid,
      instance_name: connections.instanceName,
      skill_id: agentSteps.skillId,
      skill_key: agentSteps.skillKey,
      since: agentSteps.createdAt,
      agent_id: remoteAgents.agentUuid,
      name: remoteAgents.name,
      last_seen_at: remoteAgents.lastSeenAt,
      revoked_at: remoteAgents.revokedAt,
    })
    .from(agentSteps)
    .innerJoin(connections, eq(connections.connectionUuid, agentSteps.connectionUuid))
    .innerJoin(remoteAgents, eq(remoteAgents.agentUuid, connections.remoteAgentUuid))
    .where(and(inArray(agentSteps.alertUuid, [...alertUuids]), isFree));
  return rows.map(({ agent_id, name, last_seen_at, revoked_at, ...step }) => ({
    ...step,
    reason: describeAgentWait({ name, isRevoked: revoked_at !== null }),
    until: null,
    remote_agent: { agent_id, name, last_seen_at },
  }));
}
