import { proposalOperationKey } from '../../domain/response/proposal.js';
import type { Queries } from '../client.js';
import { newUuid } from '../ids.js';

/** A write skill, by the connector's key and the verb. */
export interface WriteSkill {
  readonly connectorKey: string;
  readonly verb: string;
}

interface PendingWrite {
  readonly operationKey: string;
  readonly organizationUuid: string;
  readonly connectionUuid: string;
  readonly connectorKind: string;
  readonly skillKey: string;
  readonly skillId: string;
  readonly alertUuid: string | null;
  readonly runUuid: string | null;
  readonly input: string;
}

/** The restored workflows are gone, and an agent would perform an old step again. */
export async function forgetRunningWork(pg: Queries): Promise<void> {
  await pg`delete from agent_steps`;
  await pg`delete from connection_waiters`;
  await pg`update alerts set lease_until = null where lease_until is not null`;
  await pg`update record_copies set reading_until = null where reading_until is not null`;
  // A backup of an earlier version has no copies of lists.
  const [{ hasLists } = { hasLists: false }] = await pg<
    { hasLists: boolean }[]
  >`select to_regclass('list_copies') is not null as "hasLists"`;
  if (hasLists) await pg`update list_copies set reading_by = null, reading_until = null where reading_until is not null`;
}

/**
 * The service may have sent a pending write after the backup. A reservation without an end makes each of them a write that may have
 * happened: the service looks it up at the third party, and sends it only if it is not there.
 * Returns the number of writes.
 */
export async function reservePendingWrites(
  pg: Queries,
  { backupAt, writes }: { backupAt: string; writes: readonly WriteSkill[] },
): Promise<number> {
  // A backup of an earlier version has other column names. The migration after the restore adds the keys.
  const [version] = await pg<{ isOld: boolean }[]>`
    select not exists (select from pg_attribute where attrelid = 'connections'::regclass and attname = 'connector_kind') as "isOld"`;
  const isOld = version?.isOld === true;
  const kind = pg(isOld ? 'connector' : 'connector_kind');
  const key = pg(isOld ? 'connector' : 'connector_key');
  const isWrite = pg`(skill_runs.${key}, verb) in (select * from unnest(${writes.map(({ connectorKey }) => connectorKey)}::text[],
    ${writes.map(({ verb }) => verb)}::text[]))`;
  const pending = await pg<PendingWrite[]>`
    select case when alert_uuid is null then '' else ${proposalOperationKey('', { isManual: false })}::text end || proposal_uuid::text as "operationKey",
      proposals.organization_uuid as "organizationUuid",
      connection_uuid as "connectionUuid", connections.${kind} as "connectorKind", proposals.${key} || '.' || verb as "skillKey",
      skill_id as "skillId", alert_uuid as "alertUuid", null as "runUuid", input::text
    from proposals join connections using (connection_uuid) where ended_at is null
    union all
    select run_uuid::text, skill_runs.organization_uuid, connection_uuid, connections.${kind}, skill_runs.${key} || '.' || verb, skill_id, null,
      run_uuid, input::text
    from skill_runs join connections using (connection_uuid) where ended_at is null and ${isWrite}`;
  // Not within the last hour, so that the reservations do not count for the hourly limit.
  for (const write of pending)
    await pg`
      insert into skill_results (result_uuid, organization_uuid, connection_uuid, ${kind}, ${isOld ? pg`` : pg`skill_key,`} skill_id, operation_key,
        alert_uuid, run_uuid, status, input, request_digest, started_at)
      values (${newUuid()}, ${write.organizationUuid}, ${write.connectionUuid}, ${write.connectorKind},
        ${isOld ? pg`` : pg`${write.skillKey},`} ${write.skillId}, ${write.operationKey}, ${write.alertUuid}, ${write.runUuid}, 'started', ${write.input}::text::jsonb, '',
        least(${backupAt}::timestamptz, now() - interval '1 hour'))
      on conflict (operation_key) do update set status = 'started' where skill_results.status = 'failed'`;
  return pending.length;
}
