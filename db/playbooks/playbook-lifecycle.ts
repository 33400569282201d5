import { and, eq, sql } from 'drizzle-orm';
import { alertTypeKey } from '../../domain/alert/alert.js';
import type { Principal } from '../../domain/identity/identity.js';
import { GENERATED_WORKFLOW_TYPE } from '../../domain/playbook/playbook.js';
import { UNUSED_DAYS } from '../../domain/playbook/shared-playbook.js';
import type { Db, PgClient, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { playbookAlertTypes, playbookPlans, playbooks } from '../schema/index.js';
import { lockPlaybook, type PlanChange } from './playbooks.js';

export type OwnPlaybook =
  | { readonly outcome: 'created'; readonly playbookUuid: string }
  /** A written playbook declares the type, the organization has had no alert of it, or its playbook is not shared. */
  | { readonly outcome: 'written' | 'unknown' | 'own' };

/** Gives an alert type that shares a playbook one of its own, which starts with a copy of the plan in use. */
export async function createOwnPlaybook(
  db: Db,
  by: Principal,
  { organizationUuid, alertType }: { organizationUuid: string; alertType: string },
): Promise<OwnPlaybook> {
  return db.transaction(async (transaction) => {
    const found = await lockType(transaction, organizationUuid, alertTypeKey(alertType));
    if (found !== 'shared') return { outcome: found };
    const isThisType = and(
      eq(playbookAlertTypes.organizationUuid, organizationUuid),
      eq(playbookAlertTypes.alertTypeKey, alertTypeKey(alertType)),
    );
    const playbookUuid = newUuid();
    const at = sql`to_timestamp(${nowSeconds()})`;
    await transaction.execute(sql`
      with source as (
        select playbooks.*, types.alert_type, plan, planner, plans.author from ${playbookAlertTypes} as types join ${playbooks} using (playbook_uuid)
          join ${playbookPlans} as plans on plans.playbook_uuid = playbooks.playbook_uuid and plans.version = coalesce(pinned_version, playbooks.version)
        where types.organization_uuid = ${organizationUuid} and alert_type_key = ${alertTypeKey(alertType)}
      ), created as (
        insert into ${playbooks} (playbook_uuid, organization_uuid, name, origin, workflow_type, severity, created_at, modified_at)
        select ${playbookUuid}::uuid, organization_uuid, trim(alert_type), 'generated', ${GENERATED_WORKFLOW_TYPE}, severity, ${at}, ${at} from source
        returning playbook_uuid
      )
      insert into ${playbookPlans} (playbook_uuid, version, plan, planner, author, created_at)
      select ${playbookUuid}::uuid, 1, plan, planner, author, ${at} from source`);
    await transaction.update(playbookAlertTypes).set({ playbookUuid }).where(isThisType);
    await recordAudit(transaction, {
      by,
      organizationUuid,
      action: 'playbook.create',
      target: playbookUuid,
      details: { alert_type: alertType },
    });
    return { outcome: 'created', playbookUuid };
  });
}

async function lockType(transaction: Transaction, organizationUuid: string, typeKey: string) {
  const rows = await transaction.execute<{ is_written: boolean; is_shared: boolean }>(sql`
    select types.organization_uuid is null as is_written, shared_for is not null as is_shared
    from ${playbookAlertTypes} as types join ${playbooks} using (playbook_uuid)
    where alert_type_key = ${typeKey} and (types.organization_uuid is null or types.organization_uuid = ${organizationUuid})
    order by types.organization_uuid nulls first for update`);
  const [first] = rows;
  if (!first) return 'unknown';
  if (first.is_written) return 'written';
  return first.is_shared ? 'shared' : 'own';
}

/** Running investigations keep their plan. The next alert of one of its types gets a new playbook. */
export async function deletePlaybook(db: Db, by: Principal, playbookUuid: string): Promise<PlanChange<null>> {
  return db.transaction(async (transaction) => {
    const playbook = await lockPlaybook(transaction, by, playbookUuid);
    if (!playbook) return { outcome: 'unknown' };
    if (playbook.origin === 'written') return { outcome: 'written', name: playbook.name };
    await transaction.delete(playbookAlertTypes).where(eq(playbookAlertTypes.playbookUuid, playbookUuid));
    await transaction.update(playbooks).set({ deletedAt: nowSeconds(), sharedFor: null }).where(eq(playbooks.playbookUuid, playbookUuid));
    await recordAudit(transaction, {
      by,
      organizationUuid: playbook.organizationUuid,
      action: 'playbook.delete',
      target: playbookUuid,
      details: { name: playbook.name },
    });
    return { outcome: 'changed', changed: null };
  });
}

/**
 * Deletes the generated playbooks that no person edited or pinned and that no alert used for a long time, and removes deleted ones that
 * no investigation refers to.
 */
export async function deleteUnusedPlaybooks(pg: PgClient): Promise<void> {
  await pg.begin(async (transaction) => {
    const unused = await transaction<{ playbook_uuid: string }[]>`
      update playbooks set deleted_at = now(), shared_for = null
      where origin = 'generated' and deleted_at is null and pinned_version is null and created_at < now() - make_interval(days => ${UNUSED_DAYS})
        and not exists (select from playbook_plans where playbook_plans.playbook_uuid = playbooks.playbook_uuid and author is not null)
        and coalesce((
          select started_at from investigations where investigations.playbook_uuid = playbooks.playbook_uuid order by alert_uuid desc limit 1
        ), created_at) < now() - make_interval(days => ${UNUSED_DAYS})
      returning playbook_uuid`;
    const uuids = unused.map((row) => row.playbook_uuid);
    await transaction`delete from playbook_alert_types where playbook_uuid = any(${uuids}::uuid[])`;
    await transaction`
      insert into audit_log (at, principal_name, organization_uuid, action, target, details)
      select now(), 'service', organization_uuid, 'playbook.delete', playbook_uuid::text, jsonb_build_object('name', name, 'unused_days', ${UNUSED_DAYS}::int)
      from playbooks where playbook_uuid = any(${uuids}::uuid[])`;
    const gone = await transaction<{ playbook_uuid: string }[]>`
      delete from playbook_plans using playbooks
      where playbook_plans.playbook_uuid = playbooks.playbook_uuid and deleted_at < now() - interval '1 day'
        and not exists (select from investigations where investigations.playbook_uuid = playbooks.playbook_uuid)
      returning playbooks.playbook_uuid`;
    await transaction`delete from playbooks where playbook_uuid = any(${gone.map((row) => row.playbook_uuid)}::uuid[])`;
  });
}
