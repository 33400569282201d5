import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Waiting } from '../../domain/connection/connection.js';
import type { SkillKey } from '../../domain/skill-key.js';
import { clip } from '../../domain/text.js';
import { listParkedSteps } from '../agents/agent-steps.js';
import { type Db, executePrepared, type PgClient, type Transaction } from '../client.js';
import { connections, connectionWaiters } from '../schema/index.js';

export interface Waiter {
  readonly connectionUuid: string;
  readonly workflowId: string;
  readonly generation: number;
}

/**
 * Registers a workflow that waits for a connection. False where the connection works again, so that the workflow continues.
 * The lock makes a concurrent reconnect and a new waiter see each other.
 */
export async function addWaiter(
  pg: PgClient,
  waiter: Waiter & { alertId: string | null; skillKey: SkillKey; skillId: string; reason: string; untilSeconds: number },
): Promise<boolean> {
  const parked = await executePrepared(
    pg,
    sql`
    with broken as (
      select connection_uuid from connections
      where connection_uuid = ${waiter.connectionUuid} and not (state = 'working' and generation > ${waiter.generation})
      for share
    )
    insert into connection_waiters (connection_uuid, workflow_id, alert_uuid, skill_key, skill_id, generation, reason, since, until)
    select connection_uuid, ${waiter.workflowId}::text, (select alert_uuid from alerts where alert_id = ${waiter.alertId}::text), ${waiter.skillKey}::text,
      ${waiter.skillId}::text, ${waiter.generation}::int, ${clip(waiter.reason, 1000)}::text, now(), to_timestamp(${waiter.untilSeconds}) from broken
    on conflict (connection_uuid, workflow_id) do update set generation = greatest(connection_waiters.generation, excluded.generation), reason = excluded.reason
    returning connection_uuid`,
  );
  return parked.length > 0;
}

export async function removeWaiter(db: Db, connectionUuid: string, workflowId: string): Promise<void> {
  await db
    .delete(connectionWaiters)
    .where(and(eq(connectionWaiters.connectionUuid, connectionUuid), eq(connectionWaiters.workflowId, workflowId)));
}

export interface Resumable extends Waiter {
  readonly currentGeneration: number;
}

export function toWaiterKey({ connectionUuid, workflowId }: Pick<Waiter, 'connectionUuid' | 'workflowId'>): string {
  return `${connectionUuid}/${workflowId}`;
}

/** In the order of the key. Waiters whose connection works with a newer generation than the one that failed. */
export async function listResumable(db: Db, { after, limit }: { after: string | null; limit: number }): Promise<Resumable[]> {
  const [connectionUuid = '', ...rest] = after?.split('/') ?? [];
  return db
    .select({
      connectionUuid: connectionWaiters.connectionUuid,
      workflowId: connectionWaiters.workflowId,
      generation: connectionWaiters.generation,
      currentGeneration: connections.generation,
    })
    .from(connectionWaiters)
    .innerJoin(connections, eq(connections.connectionUuid, connectionWaiters.connectionUuid))
    .where(
      and(
        eq(connections.state, 'working'),
        gt(connections.generation, connectionWaiters.generation),
        after === null
          ? undefined
          : sql`(${connectionWaiters.connectionUuid}, ${connectionWaiters.workflowId}) > (${connectionUuid}::uuid, ${rest.join('/')}::text)`,
      ),
    )
    .orderBy(asc(connectionWaiters.connectionUuid), asc(connectionWaiters.workflowId))
    .limit(limit);
}

/** The broken connections that investigations of these alerts wait for. */
export async function listWaiting(db: Db | Transaction, alertUuids: readonly string[]): Promise<Waiting[]> {
  const forReconnect = await db
    .select({
      connection_id: connections.connectionUuid,
      instance_name: connections.instanceName,
      skill_id: connectionWaiters.skillId,
      skill_key: connectionWaiters.skillKey,
      reason: connectionWaiters.reason,
      since: connectionWaiters.since,
      until: connectionWaiters.until,
    })
    .from(connectionWaiters)
    .innerJoin(connections, eq(connections.connectionUuid, connectionWaiters.connectionUuid))
    .where(inArray(connectionWaiters.alertUuid, [...alertUuids]));
  return [...forReconnect.map((waiting) => ({ ...waiting, remote_agent: null })), ...(await listParkedSteps(db, alertUuids))];
}
