import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { type Db, executePrepared, type PgClient, type Transaction } from '../client.js';
import { type PageRequest, toPage } from '../page.js';
import { organizations, remoteAgents } from '../schema/index.js';
import { inOrganization } from '../scope.js';
import { hashToken } from '../tokens.js';
import { isFree } from './agent-steps.js';

/** Throws a unique violation for a name that is taken. */
export async function insertAgent(transaction: Transaction, agent: typeof remoteAgents.$inferInsert): Promise<void> {
  await transaction.insert(remoteAgents).values(agent);
}

const waiting = sql`from agent_steps join connections using (connection_uuid)
  where connections.remote_agent_uuid = ${remoteAgents.agentUuid} and ${isFree}`;

export async function listRemoteAgents(db: Db, scope: string | null, page: PageRequest) {
  const rows = await db
    .select({
      agent_id: remoteAgents.agentUuid,
      organization_code: organizations.organizationCode,
      name: remoteAgents.name,
      version: remoteAgents.version,
      last_seen_at: remoteAgents.lastSeenAt,
      waiting_steps: sql<number>`(select count(*)::int ${waiting})`,
      waiting_since: sql<number | null>`(select extract(epoch from min(agent_steps.created_at))::int ${waiting})`,
      created_at: remoteAgents.createdAt,
      confirmed_at: remoteAgents.confirmedAt,
      revoked_at: remoteAgents.revokedAt,
    })
    .from(remoteAgents)
    .innerJoin(organizations, eq(organizations.organizationUuid, remoteAgents.organizationUuid))
    .where(
      and(inOrganization(remoteAgents.organizationUuid, scope), page.after === null ? undefined : gt(remoteAgents.agentUuid, page.after)),
    )
    .orderBy(asc(remoteAgents.agentUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.agent_id);
}

/** null where the scope has no such agent. */
export async function lockAgent(transaction: Transaction, scope: string | null, agentUuid: string) {
  const [agent] = await transaction
    .select({
      organizationUuid: remoteAgents.organizationUuid,
      name: remoteAgents.name,
      enrolledBy: remoteAgents.enrolledBy,
      confirmedAt: remoteAgents.confirmedAt,
      revokedAt: remoteAgents.revokedAt,
    })
    .from(remoteAgents)
    .where(and(eq(remoteAgents.agentUuid, agentUuid), inOrganization(remoteAgents.organizationUuid, scope)))
    .for('update');
  return agent ?? null;
}

export async function setAgentRevoked(transaction: Transaction, agentUuid: string, revokedAt: number): Promise<void> {
  await transaction.update(remoteAgents).set({ revokedAt }).where(eq(remoteAgents.agentUuid, agentUuid));
}

export async function setAgentConfirmed(transaction: Transaction, agentUuid: string, confirmedAt: number): Promise<void> {
  await transaction.update(remoteAgents).set({ confirmedAt }).where(eq(remoteAgents.agentUuid, agentUuid));
}

/** null where it does not exist. */
export async function findAgentFacts(
  db: Db | Transaction,
  agentUuid: string,
): Promise<{ name: string; confirmedAt: number | null } | null> {
  const [agent] = await db
    .select({ name: remoteAgents.name, confirmedAt: remoteAgents.confirmedAt })
    .from(remoteAgents)
    .where(eq(remoteAgents.agentUuid, agentUuid));
  return agent ?? null;
}

/** Whether the agent has called within this time and may have credentials. */
export async function findPresence(
  pg: PgClient,
  agentUuid: string,
  withinSeconds: number,
): Promise<{ name: string; isThere: boolean } | null> {
  const [agent] = await executePrepared<{ name: string; isThere: boolean }>(
    pg,
    sql`
    select name, revoked_at is null and (confirmed_at is not null or enrolled_by is null)
      and coalesce(last_seen_at > now() - make_interval(secs => ${withinSeconds}), false) as "isThere"
    from remote_agents where agent_uuid = ${agentUuid}`,
  );
  return agent ?? null;
}

/** Only an agent of this organization that is not revoked. */
export async function findUsableAgent(db: Db, organizationUuid: string, agentUuid: string): Promise<boolean> {
  const [found] = await db
    .select({ agentUuid: remoteAgents.agentUuid })
    .from(remoteAgents)
    .where(and(eq(remoteAgents.agentUuid, agentUuid), eq(remoteAgents.organizationUuid, organizationUuid), isNull(remoteAgents.revokedAt)));
  return found !== undefined;
}

/** Returns the agent of the token and records that it was seen, the first time in the audit log too; null for an unknown or revoked token. */
export async function markAgentSeen(pg: PgClient, token: string): Promise<string | null> {
  const [agent] = await executePrepared<{ agent_uuid: string }>(
    pg,
    sql`with known as (
        select agent_uuid, last_seen_at is null as is_new from remote_agents
        where token_hash = ${hashToken(token)} and revoked_at is null for update
      ), seen as (
        update remote_agents set last_seen_at = now(), away_since = null from known
        where remote_agents.agent_uuid = known.agent_uuid
        returning remote_agents.agent_uuid, remote_agents.organization_uuid, remote_agents.name, known.is_new
      ), noted as (
        insert into audit_log (at, principal_name, organization_uuid, action, target, details)
        select now(), 'service', organization_uuid, 'remote-agent.enrol', agent_uuid::text, jsonb_build_object('name', name) from seen where is_new
      ) select agent_uuid from seen`,
  );
  return agent?.agent_uuid ?? null;
}

/** Marks agents that made no call for this long as away. Returns those that were not away before. */
export async function takeSilentAgents(transaction: Transaction, silentForSeconds: number, awaySince: number) {
  return transaction
    .update(remoteAgents)
    .set({ awaySince })
    .where(
      and(
        isNull(remoteAgents.awaySince),
        isNull(remoteAgents.revokedAt),
        sql`${remoteAgents.lastSeenAt} < now() - make_interval(secs => ${silentForSeconds})`,
      ),
    )
    .returning({
      agentUuid: remoteAgents.agentUuid,
      organizationUuid: remoteAgents.organizationUuid,
      name: remoteAgents.name,
      lastSeenAt: sql<number>`extract(epoch from ${remoteAgents.lastSeenAt})::int`,
    });
}

export async function noteAgentVersion(db: Db, agentUuid: string, version: string): Promise<void> {
  await db.update(remoteAgents).set({ version }).where(eq(remoteAgents.agentUuid, agentUuid));
}
