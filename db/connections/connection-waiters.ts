import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Waiting } from '../../domain/connection/connection.js';
import { clip } from '../../domain/text.js';
import { listParkedSteps } from '../agents/agent-steps.js';
import { type Db, executePrepared, type PgClient } from '../client.js';
import { connections, connectionWaiters } from '../schema/index.js';

export interface Waiter {
  readonly connectionUuid: string;
  readonly workflowId: string;
  readonly generation: number;
}

/**
 * Joins those who wait for a connection. False: it has been mended since, go on at once. The lock makes a reconnect and
 * a waiter that comes at the same moment see each other.
 */
export async function addWaiter(
  pg: PgClient,
  waiter: Waiter & { alertId: string | null; skillId: string; reason: string; untilSeconds: number },
): Promise<boolean> {
  const parked = await executePrepared(
    pg,
    sql`
    with broken as (
      select connection_uuid from connections
      where connection_uuid = ${waiter.connectionUuid} and not (state = 'working' and generation > ${waiter.generation})
      for share
    )
    insert into connection_waiters (connection_uuid, workflow_id, alert_uuid, skill_id, generation, reason, since, until)
    select connection_uuid, ${waiter.workflowId}::text, (select alert_uuid from alerts where alert_id = ${waiter.alertId}::text), ${waiter.skillId}::text,
      ${waiter.generation}::int, ${clip(waiter.reason, 1000)}::text, now(), to_timestamp(${waiter.untilSeconds}) from broken
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

/** Those who may go on: their connection works, and not only since before it failed them. */
export async function listResumable(db: Db, limit: number): Promise<(Waiter & { currentGeneration: number })[]> {
  return db
    .select({
      connectionUuid: connectionWaiters.connectionUuid,
      workflowId: connectionWaiters.workflowId,
      generation: connectionWaiters.generation,
      currentGeneration: connections.generation,
    })
    .from(connectionWaiters)
    .innerJoin(connections, eq(connections.connectionUuid, connectionWaiters.connectionUuid))
    .where(and(eq(connections.state, 'working'), gt(connections.generation, connectionWaiters.generation)))
    .limit(limit);
}

/** What the investigations of these alerts wait for. */
export async function listWaiting(db: Db, alertUuids: readonly string[]): Promise<Waiting[]> {
  const forReconnect = await db
    .select({
      connection_id: connections.connectionUuid,
      instance_name: connections.instanceName,
      skill_id: connectionWaiters.skillId,
      reason: connectionWaiters.reason,
      since: connectionWaiters.since,
      until: connectionWaiters.until,
    })
    .from(connectionWaiters)
    .innerJoin(connections, eq(connections.connectionUuid, connectionWaiters.connectionUuid))
    .where(inArray(connectionWaiters.alertUuid, [...alertUuids]));
  return [...forReconnect.map((waiting) => ({ ...waiting, remote_agent: null })), ...(await listParkedSteps(db, alertUuids))];
}
