import { and, eq, sql } from 'drizzle-orm';
import { GENERATED_WORKFLOW_TYPE } from '../../domain/playbook/playbook.js';
import type { Queries, Transaction } from '../client.js';
import { playbookAlertTypes, playbookPlans, playbooks } from '../schema/index.js';

/** The playbook that investigates an alert type: a written one comes before the organization's. null: the type is unknown. */
export async function lockPlaybookOfType(
  transaction: Transaction,
  organizationUuid: string,
  typeKey: string,
): Promise<{ isWritten: boolean; isShared: boolean } | null> {
  const [first] = await transaction.execute<{ is_written: boolean; is_shared: boolean }>(sql`
    select types.organization_uuid is null as is_written, shared_for is not null as is_shared
    from ${playbookAlertTypes} as types join ${playbooks} using (playbook_uuid)
    where alert_type_key = ${typeKey} and (types.organization_uuid is null or types.organization_uuid = ${organizationUuid})
    order by types.organization_uuid nulls first for update`);
  return first ? { isWritten: first.is_written, isShared: first.is_shared } : null;
}

/** A new playbook with a copy of the plan in use, which takes over the alert type. */
export async function copyPlaybookForType(
  transaction: Transaction,
  given: { playbookUuid: string; organizationUuid: string; typeKey: string; createdAt: number },
): Promise<void> {
  const { playbookUuid, organizationUuid, typeKey } = given;
  const at = sql`to_timestamp(${given.createdAt})`;
  await transaction.execute(sql`
    with source as (
      select playbooks.*, types.alert_type, plan, planner, plans.author, plans.author_uuid from ${playbookAlertTypes} as types join ${playbooks} using (playbook_uuid)
        join ${playbookPlans} as plans on plans.playbook_uuid = playbooks.playbook_uuid and plans.version = coalesce(pinned_version, playbooks.version)
      where types.organization_uuid = ${organizationUuid} and alert_type_key = ${typeKey}
    ), created as (
      insert into ${playbooks} (playbook_uuid, organization_uuid, name, origin, workflow_type, severity, created_at, modified_at)
      select ${playbookUuid}::uuid, organization_uuid, trim(alert_type), 'generated', ${GENERATED_WORKFLOW_TYPE}, severity, ${at}, ${at} from source
      returning playbook_uuid
    )
    insert into ${playbookPlans} (playbook_uuid, version, plan, planner, author, author_uuid, created_at)
    select ${playbookUuid}::uuid, 1, plan, planner, author, author_uuid, ${at} from source`);
  await transaction
    .update(playbookAlertTypes)
    .set({ playbookUuid })
    .where(and(eq(playbookAlertTypes.organizationUuid, organizationUuid), eq(playbookAlertTypes.alertTypeKey, typeKey)));
}

/** Running investigations keep their plan. */
export async function markPlaybookDeleted(transaction: Transaction, playbookUuid: string, deletedAt: number): Promise<void> {
  await transaction.delete(playbookAlertTypes).where(eq(playbookAlertTypes.playbookUuid, playbookUuid));
  await transaction.update(playbooks).set({ deletedAt, sharedFor: null }).where(eq(playbooks.playbookUuid, playbookUuid));
}

/** Marks the generated playbooks that no person edited or pinned and that no alert used for so many days, with an audit entry each. */
export async function markUnusedPlaybooksDeleted(pg: Queries, unusedDays: number): Promise<void> {
  const unused = await pg<{ playbook_uuid: string }[]>`
    update playbooks set deleted_at = now(), shared_for = null
    where origin = 'generated' and deleted_at is null and pinned_version is null and created_at < now() - make_interval(days => ${unusedDays})
      and not exists (select from playbook_plans where playbook_plans.playbook_uuid = playbooks.playbook_uuid and author is not null)
      and coalesce((
        select started_at from investigations where investigations.playbook_uuid = playbooks.playbook_uuid order by alert_uuid desc limit 1
      ), created_at) < now() - make_interval(days => ${unusedDays})
    returning playbook_uuid`;
  const uuids = unused.map((row) => row.playbook_uuid);
  await pg`delete from playbook_alert_types where playbook_uuid = any(${uuids}::uuid[])`;
  await pg`
    insert into audit_log (at, principal_name, organization_uuid, action, target, details)
    select now(), 'service', organization_uuid, 'playbook.delete', playbook_uuid::text, jsonb_build_object('name', name, 'unused_days', ${unusedDays}::int)
    from playbooks where playbook_uuid = any(${uuids}::uuid[])`;
}

/** Removes the deleted playbooks that no investigation refers to. */
export async function removeDeletedPlaybooks(pg: Queries): Promise<void> {
  const gone = await pg<{ playbook_uuid: string }[]>`
    delete from playbook_plans using playbooks
    where playbook_plans.playbook_uuid = playbooks.playbook_uuid and deleted_at < now() - interval '1 day'
      and not exists (select from investigations where investigations.playbook_uuid = playbooks.playbook_uuid)
    returning playbooks.playbook_uuid`;
  await pg`delete from playbooks where playbook_uuid = any(${gone.map((row) => row.playbook_uuid)}::uuid[])`;
}
