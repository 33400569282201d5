import { and, asc, eq, gt, inArray, isNull, or, sql as raw } from 'drizzle-orm';
import { alertTypeKey } from '../domain/alert.js';
import { GENERATED_WORKFLOW_TYPE, type Plan, type Playbook, type PlaybookDeclaration } from '../domain/playbook.js';
import type { Db, Sql } from './client.js';
import { nowSeconds } from './columns.js';
import { newUuid } from './ids.js';
import { type Page, type PageRequest, pageOf } from './page.js';
import { organizations, playbookAlertTypes, playbooks } from './schema.js';

export interface ChosenPlaybook {
  readonly playbookUuid: string;
  readonly name: string;
  readonly workflowType: string;
}

/**
 * The playbook that investigates this type for this organization: a written one where there is one, else the generated
 * one, which is made here when the type is new. Whoever comes second finds the first one's.
 */
export async function findOrCreatePlaybook(
  sql: Sql,
  organizationUuid: string,
  alertType: string,
  planFor: (alertType: string) => Plan,
): Promise<ChosenPlaybook> {
  const key = alertTypeKey(alertType);
  return (await choose(sql, organizationUuid, key)) ?? (await generate(sql, organizationUuid, alertType, key, planFor(alertType)));
}

async function choose(sql: Sql, organizationUuid: string, key: string): Promise<ChosenPlaybook | null> {
  const [found] = await sql<ChosenPlaybook[]>`
    select playbook_uuid as "playbookUuid", playbooks.name, playbooks.workflow_type as "workflowType"
    from playbook_alert_types as types join playbooks using (playbook_uuid)
    where types.alert_type_key = ${key} and (types.organization_uuid is null or types.organization_uuid = ${organizationUuid})
    order by types.organization_uuid nulls first limit 1`;
  return found ?? null;
}

async function generate(sql: Sql, organizationUuid: string, alertType: string, key: string, plan: Plan): Promise<ChosenPlaybook> {
  const made = { playbookUuid: newUuid(), name: alertType.trim(), workflowType: GENERATED_WORKFLOW_TYPE };
  await sql`
    with claimed as (
      insert into playbook_alert_types (organization_uuid, alert_type_key, alert_type, playbook_uuid)
      values (${organizationUuid}, ${key}, ${alertType}, ${made.playbookUuid})
      on conflict do nothing returning playbook_uuid
    ), created as (
      insert into playbooks (playbook_uuid, organization_uuid, name, origin, workflow_type, plan, created_at, modified_at)
      select playbook_uuid, ${organizationUuid}, ${made.name}, 'generated', ${made.workflowType}, ${JSON.stringify(plan)}::text::jsonb, now(), now()
      from claimed returning playbook_uuid
    )
    insert into audit_log (at, principal_name, organization_uuid, action, target)
    select now(), 'service', ${organizationUuid}, 'playbook.create', playbook_uuid::text from created`;
  return (await choose(sql, organizationUuid, key)) ?? made;
}

/** A starting worker says which playbooks it carries; what it no longer carries no longer takes alerts. */
export async function registerWrittenPlaybooks(db: Db, declared: readonly PlaybookDeclaration[]): Promise<void> {
  await db.transaction(async (transaction) => {
    // Two workers that start at once register one after the other.
    await transaction.execute(raw`lock table ${playbookAlertTypes} in share row exclusive mode`);
    const present = await transaction.select().from(playbooks).where(eq(playbooks.origin, 'written'));
    const uuids = new Map(present.map((row) => [row.workflowType, row.playbookUuid]));
    const now = nowSeconds();
    const missing = declared.filter((playbook) => !uuids.has(playbook.name));
    for (const playbook of missing) {
      const playbookUuid = newUuid();
      uuids.set(playbook.name, playbookUuid);
      await transaction.insert(playbooks).values({
        playbookUuid,
        organizationUuid: null,
        name: playbook.name,
        origin: 'written',
        workflowType: playbook.name,
        createdAt: now,
        modifiedAt: now,
      });
    }
    await transaction.delete(playbookAlertTypes).where(isNull(playbookAlertTypes.organizationUuid));
    const types = declared.flatMap((playbook) =>
      playbook.alertTypes.map((alertType) => ({
        organizationUuid: null,
        alertTypeKey: alertTypeKey(alertType),
        alertType,
        playbookUuid: uuids.get(playbook.name) ?? '',
      })),
    );
    if (types.length > 0) await transaction.insert(playbookAlertTypes).values(types);
  });
}

export async function listPlaybooks(db: Db, scope: string | null, page: PageRequest): Promise<Page<Playbook>> {
  const rows = await db
    .select({ playbook: playbooks, organizationCode: organizations.organizationCode })
    .from(playbooks)
    .leftJoin(organizations, eq(organizations.organizationUuid, playbooks.organizationUuid))
    .where(
      and(
        scope === null ? undefined : or(isNull(playbooks.organizationUuid), eq(playbooks.organizationUuid, scope)),
        page.after === null ? undefined : gt(playbooks.playbookUuid, page.after),
      ),
    )
    .orderBy(asc(playbooks.playbookUuid))
    .limit(page.limit + 1);
  const types = await db
    .select()
    .from(playbookAlertTypes)
    .where(
      inArray(
        playbookAlertTypes.playbookUuid,
        rows.map((row) => row.playbook.playbookUuid),
      ),
    );
  const { items, next } = pageOf(rows, page, (row) => row.playbook.playbookUuid);
  return {
    next,
    items: items.map(({ playbook, organizationCode }) => ({
      playbook_id: playbook.playbookUuid,
      name: playbook.name,
      origin: playbook.origin,
      organization_code: organizationCode,
      alert_types: types.filter((type) => type.playbookUuid === playbook.playbookUuid).map((type) => type.alertType),
      workflow_type: playbook.workflowType,
      version: playbook.version,
      plan: playbook.plan,
      created_at: playbook.createdAt,
      modified_at: playbook.modifiedAt,
    })),
  };
}
