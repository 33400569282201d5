import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { Queries, Transaction } from '../client.js';
import { playbookAlertTypes, playbookPlans, playbooks } from '../schema/index.js';

/** The playbook of an alert type: a written one comes before the organization's. null: the type is unknown. */
export async function findPlaybookOfType(
  transaction: Transaction,
  organizationUuid: string,
  typeKey: string,
): Promise<{ isWritten: boolean; playbookUuid: string | null } | null> {
  const [first] = await transaction.execute<{ is_written: boolean; investigator_uuid: string | null }>(sql`
    select organization_uuid is null as is_written, investigator_uuid from ${playbookAlertTypes}
    where alert_type_key = ${typeKey} and (organization_uuid is null or organization_uuid = ${organizationUuid})
    order by organization_uuid nulls first limit 1`);
  return first ? { isWritten: first.is_written, playbookUuid: first.investigator_uuid } : null;
}

/**
 * A playbook with the plan of its category gets a copy of the plan with all versions, so that past investigations keep theirs, and
 * is independent of the category from then on.
 */
export async function copyPlanOf(transaction: Transaction, playbookUuid: string, modifiedAt: number): Promise<void> {
  await transaction.execute(sql`
    with source as (
      select playbooks.playbook_uuid as to_uuid, used.playbook_uuid, used.version, used.pinned_version
      from ${playbooks} join ${playbooks} as used on used.playbook_uuid = playbooks.plan_of where playbooks.playbook_uuid = ${playbookUuid}
    ), copied as (
      insert into ${playbookPlans} (playbook_uuid, version, plan, planner, author, author_uuid, made_from, created_at)
      select to_uuid, plans.version, plan, planner, author, author_uuid, made_from, created_at
      from source join ${playbookPlans} as plans on plans.playbook_uuid = source.playbook_uuid and plans.version <= source.version
    ), changed as (
      update ${playbooks} set plan_of = null, version = source.version, pinned_version = source.pinned_version,
        modified_at = to_timestamp(${modifiedAt})
      from source where playbooks.playbook_uuid = to_uuid returning playbooks.playbook_uuid
    )
    update ${playbookAlertTypes} set playbook_uuid = changed.playbook_uuid from changed where investigator_uuid = changed.playbook_uuid`);
}

/** Running investigations keep their plan. The playbooks of the types that use the plan go with it. */
export async function markPlaybookDeleted(transaction: Transaction, playbookUuid: string, deletedAt: number): Promise<void> {
  await transaction
    .delete(playbookAlertTypes)
    .where(or(eq(playbookAlertTypes.playbookUuid, playbookUuid), eq(playbookAlertTypes.investigatorUuid, playbookUuid)));
  await transaction
    .update(playbooks)
    .set({ deletedAt, sharedFor: null })
    .where(and(isNull(playbooks.deletedAt), or(eq(playbooks.playbookUuid, playbookUuid), eq(playbooks.planOf, playbookUuid))));
}

/** Marks the generated playbooks that no person edited or pinned and that no alert used for so many days, with an audit entry each. */
export async function markUnusedPlaybooksDeleted(pg: Queries, unusedDays: number): Promise<void> {
  const unused = await pg<{ playbook_uuid: string }[]>`
    update playbooks set deleted_at = now(), shared_for = null
    where origin = 'generated' and deleted_at is null and pinned_version is null and created_at < now() - make_interval(days => ${unusedDays})
      and not exists (select from playbook_plans where playbook_plans.playbook_uuid = playbooks.playbook_uuid and author is not null)
      and not exists (select from playbooks as types where types.plan_of = playbooks.playbook_uuid and types.deleted_at is null)
      and coalesce((
        select started_at from investigations where investigations.playbook_uuid = playbooks.playbook_uuid order by alert_uuid desc limit 1
      ), created_at) < now() - make_interval(days => ${unusedDays})
    returning playbook_uuid`;
  const uuids = unused.map((row) => row.playbook_uuid);
  await pg`delete from playbook_alert_types where playbook_uuid = any(${uuids}::uuid[]) or investigator_uuid = any(${uuids}::uuid[])`;
  await pg`
    insert into audit_log (at, principal_name, organization_uuid, action, target, details)
    select now(), 'service', organization_uuid, 'playbook.delete', playbook_uuid::text, jsonb_build_object('name', name, 'unused_days', ${unusedDays}::int)
    from playbooks where playbook_uuid = any(${uuids}::uuid[])`;
}

/** Removes the deleted playbooks that no investigation refers to. */
export async function removeDeletedPlaybooks(pg: Queries): Promise<void> {
  const gone = await pg<{ playbook_uuid: string }[]>`
    select playbook_uuid from playbooks
    where deleted_at < now() - interval '1 day'
      and not exists (select from investigations where investigations.playbook_uuid = playbooks.playbook_uuid)
      and not exists (select from playbooks as types where types.plan_of = playbooks.playbook_uuid)`;
  const uuids = gone.map((row) => row.playbook_uuid);
  await pg`delete from playbook_plans where playbook_uuid = any(${uuids}::uuid[])`;
  await pg`delete from playbooks where playbook_uuid = any(${uuids}::uuid[])`;
}
