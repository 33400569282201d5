import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { AGENT_AWAY_AFTER_SECONDS, type RemoteAgent } from '../../domain/connection/remote-agent.js';
import type { Principal } from '../../domain/identity/identity.js';
import { type Db, executePrepared, type PgClient } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { organizations, remoteAgents } from '../schema/index.js';
import { hashToken } from '../tokens.js';
import { isFree } from './agent-steps.js';

/** Throws a unique violation for a name that is taken. */
export async function createRemoteAgent(
  db: Db,
  by: Principal,
  given: { organizationUuid: string; name: string },
  token: string,
): Promise<{ agent_id: string; created_at: number }> {
  return db.transaction(async (transaction) => {
    const agentUuid = newUuid();
    const createdAt = nowSeconds();
    await transaction.insert(remoteAgents).values({ agentUuid, ...given, tokenHash: hashToken(token), createdAt });
    await recordAudit(transaction, {
      by,
      organizationUuid: given.organizationUuid,
      action: 'remote-agent.create',
      target: agentUuid,
      details: { name: given.name },
    });
    return { agent_id: agentUuid, created_at: createdAt };
  });
}

const waiting = sql`from agent_steps join connections using (connection_uuid)
  where connections.remote_agent_uuid = ${remoteAgents.agentUuid} and ${isFree}`;

export async function listRemoteAgents(db: Db, scope: string | null, page: PageRequest): Promise<Page<RemoteAgent>> {
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
      revoked_at: remoteAgents.revokedAt,
    })
    .from(remoteAgents)
    .innerJoin(organizations, eq(organizations.organizationUuid, remoteAgents.organizationUuid))
    .where(
      and(
        scope === null ? undefined : eq(remoteAgents.organizationUuid, scope),
        page.after === null ? undefined : gt(remoteAgents.agentUuid, page.after),
      ),
    )
    .orderBy(asc(remoteAgents.agentUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.agent_id);
}

/** False where the scope has no such agent. Revoking twice changes nothing. */
export async function revokeRemoteAgent(db: Db, by: Principal, agentUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [found] = await transaction
      .select({ organizationUuid: remoteAgents.organizationUuid, name: remoteAgents.name, revokedAt: remoteAgents.revokedAt })
      .from(remoteAgents)
      .where(
        and(
          eq(remoteAgents.agentUuid, agentUuid),
          by.organizationUuid === null ? undefined : eq(remoteAgents.organizationUuid, by.organizationUuid),
        ),
      )
      .for('update');
    if (!found) return false;
    if (found.revokedAt !== null) return true;
    await transaction.update(remoteAgents).set({ revokedAt: nowSeconds() }).where(eq(remoteAgents.agentUuid, agentUuid));
    const { organizationUuid, name } = found;
    await recordAudit(transaction, { by, organizationUuid, action: 'remote-agent.revoke', target: agentUuid, details: { name } });
    return true;
  });
}

/** Only an agent of this organization that is not revoked. */
export async function findUsableAgent(db: Db, organizationUuid: string, agentUuid: string): Promise<boolean> {
  const [found] = await db
    .select({ agentUuid: remoteAgents.agentUuid })
    .from(remoteAgents)
    .where(and(eq(remoteAgents.agentUuid, agentUuid), eq(remoteAgents.organizationUuid, organizationUuid), isNull(remoteAgents.revokedAt)));
  return found !== undefined;
}

/** Returns the agent of the token and records that it was seen; null for an unknown or revoked token. */
export async function markAgentSeen(pg: PgClient, token: string): Promise<string | null> {
  const [agent] = await executePrepared<{ agent_uuid: string }>(
    pg,
    sql`update remote_agents set last_seen_at = now(), away_since = null where token_hash = ${hashToken(token)} and revoked_at is null returning agent_uuid`,
  );
  return agent?.agent_uuid ?? null;
}

/** Agents that were there and do not respond any more. */
export async function markSilentAgents(pg: PgClient): Promise<void> {
  await pg`
    update remote_agents set away_since = now()
    where away_since is null and revoked_at is null and last_seen_at < now() - make_interval(secs => ${AGENT_AWAY_AFTER_SECONDS})`;
}

export async function noteAgentVersion(db: Db, agentUuid: string, version: string): Promise<void> {
  await db.update(remoteAgents).set({ version }).where(eq(remoteAgents.agentUuid, agentUuid));
}
