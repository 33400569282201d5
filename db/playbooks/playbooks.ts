import { and, asc, count, desc, eq, getTableColumns, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { alertTypeKey } from '../../domain/alert/alert.js';
import type { Choosable } from '../../domain/playbook/choose-playbook.js';
import { GENERATED_WORKFLOW_TYPE, type Plan } from '../../domain/playbook/playbook.js';
import type { SharedPlaybook } from '../../domain/playbook/shared-playbook.js';
import type { Severity } from '../../domain/verdict/evidence.js';
import type { Db, PgClient, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { newUuid } from '../ids.js';
import { type PageRequest, toPage } from '../page.js';
import { investigations, organizations, playbookAlertTypes, playbookPlans, playbooks } from '../schema/index.js';

/** A written playbook with the alerts that it takes. */
export interface WrittenPlaybook extends Choosable {
  readonly playbookUuid: string;
  readonly name: string;
  readonly workflowType: string;
  readonly severity: Severity | null;
}

export async function listWrittenPlaybooks(pg: PgClient): Promise<WrittenPlaybook[]> {
  return pg<WrittenPlaybook[]>`
    select playbook_uuid as "playbookUuid", name, workflow_type as "workflowType", severity, categories,
      array_agg(alert_type order by alert_type_key) as "alertTypes"
    from playbooks join playbook_alert_types as types using (playbook_uuid)
    where origin = 'written' and types.organization_uuid is null
    group by playbook_uuid order by playbook_uuid`;
}

export interface ChosenPlaybook {
  /** The playbook that the alert shows. */
  readonly playbookUuid: string;
  /** The playbook whose plan investigates the alert: that of a category, until a person edits the one of the alert type. */
  readonly planUuid: string;
  readonly name: string;
  readonly workflowType: string;
  /** The version for an investigation that starts now; null for a written playbook. */
  readonly planVersion: number | null;
  readonly severity: Severity | null;
  /** The category of the plan; null for a written playbook, and for a plan that only this type uses. */
  readonly sharedFor: string | null;
  /** A sentence for the case. */
  readonly reason: string;
  /** False where the content of an alert can choose another playbook. */
  readonly isFinal: boolean;
}

export interface PlaybookForType extends Omit<ChosenPlaybook, 'reason' | 'isFinal'> {
  /** There is a playbook that is named after the type. */
  readonly isNamed: boolean;
  /** Null for a written playbook. */
  readonly organizationUuid: string | null;
  /** A person edited the plan or pinned a version. */
  readonly isPersonal: boolean;
  /** As the alert spelled it that the playbook was created for. */
  readonly alertType: string;
  /** The service made the newest plan, no version is pinned, and the given planner has not made one. */
  readonly isOutdated: boolean;
}

function selectPlan(pg: PgClient, plannerDigest: string) {
  return pg`playbooks.playbook_uuid as "planUuid", playbooks.workflow_type as "workflowType", playbooks.severity,
    playbooks.organization_uuid as "organizationUuid", playbooks.shared_for as "sharedFor",
    coalesce(playbooks.pinned_version is not null or newest.author is not null, false) as "isPersonal",
    case when newest.version is null then null else coalesce(playbooks.pinned_version, newest.version) end as "planVersion",
    newest.version is not null and playbooks.pinned_version is null and newest.author is null and not exists (
      select from playbook_plans as ours where ours.playbook_uuid = playbooks.playbook_uuid and ours.planner = ${plannerDigest}
    ) as "isOutdated"`;
}

/** A written playbook comes before the organization's generated one. */
export async function findPlaybookForType(
  pg: PgClient,
  organizationUuid: string,
  typeKey: string,
  plannerDigest: string,
): Promise<PlaybookForType | null> {
  const [found] = await pg<PlaybookForType[]>`
    select ${selectPlan(pg, plannerDigest)}, types.alert_type as "alertType", investigator_uuid is not null as "isNamed",
      coalesce(investigator_uuid, playbooks.playbook_uuid) as "playbookUuid", coalesce(named.name, playbooks.name) as name
    from playbook_alert_types as types join playbooks using (playbook_uuid)
      left join playbooks as named on named.playbook_uuid = investigator_uuid
      left join playbook_plans as newest on newest.playbook_uuid = playbooks.playbook_uuid and newest.version = playbooks.version
    where types.alert_type_key = ${typeKey} and (types.organization_uuid is null or types.organization_uuid = ${organizationUuid})
    order by types.organization_uuid nulls first limit 1`;
  return found ?? null;
}

/** The playbook of a category, which no alert type names. */
export async function findSharedPlaybook(
  pg: PgClient,
  organizationUuid: string,
  sharedFor: string,
  plannerDigest: string,
): Promise<PlaybookForType | null> {
  const [found] = await pg<PlaybookForType[]>`
    select ${selectPlan(pg, plannerDigest)}, '' as "alertType", false as "isNamed", playbook_uuid as "playbookUuid", name
    from playbooks left join playbook_plans as newest using (playbook_uuid, version)
    where playbooks.organization_uuid = ${organizationUuid} and shared_for = ${sharedFor}`;
  return found ?? null;
}

export interface GeneratedPlan {
  readonly plan: Plan;
  /** The digest of the planner that made it. */
  readonly planner: string;
  readonly severity: Severity | null;
}

/**
 * Creates the generated playbook of a category, unless it exists, and one for the given type, which uses its plan. The unique keys
 * decide between processes. Changes nothing where the organization got as many new playbooks within the hour.
 */
export async function joinSharedPlaybook(
  pg: PgClient,
  organizationUuid: string,
  type: { alertType: string; alertTypeKey: string; name: string } | null,
  shared: SharedPlaybook & GeneratedPlan & { newPerHour: { readonly categories: number; readonly types: number } },
): Promise<void> {
  const { sharedFor, name, plan, planner, severity, newPerHour } = shared;
  const [sharedUuid, investigatorUuid] = [newUuid(), newUuid()];
  const isNew = (limit: number, hasPlan: boolean) => pg`${limit}::bigint > (
    select count(*) from playbooks
    where organization_uuid = ${organizationUuid} and created_at > now() - interval '1 hour' and plan_of is ${hasPlan ? pg`null` : pg`not null`})`;
  await pg`
    with shared as (
      insert into playbooks (playbook_uuid, organization_uuid, name, origin, workflow_type, severity, shared_for, created_at, modified_at)
      select ${sharedUuid}::uuid, ${organizationUuid}::uuid, ${name}, 'generated', ${GENERATED_WORKFLOW_TYPE}, ${severity}, ${sharedFor}, now(), now()
      where exists (select from playbooks where organization_uuid = ${organizationUuid} and shared_for = ${sharedFor})
        or ${isNew(newPerHour.categories, true)}
      -- An update returns the row of another process too, which inserted it at the same moment.
      on conflict (organization_uuid, shared_for) do update set shared_for = excluded.shared_for
      returning playbook_uuid, xmax = 0 as is_new
    ), planned as (
      insert into playbook_plans (playbook_uuid, version, plan, planner, created_at)
      select playbook_uuid, 1, ${JSON.stringify(plan)}::text::jsonb, ${planner}, now() from shared where is_new
    ), joined as (
      insert into playbook_alert_types as types (organization_uuid, alert_type_key, alert_type, playbook_uuid, investigator_uuid)
      select ${organizationUuid}::uuid, ${type?.alertTypeKey ?? ''}, ${type?.alertType ?? ''}, playbook_uuid, ${investigatorUuid}::uuid
      from shared where ${type !== null} and ${isNew(newPerHour.types, false)}
      -- An earlier version of the service did not name the type.
      on conflict on constraint playbook_alert_types_key do update set investigator_uuid = excluded.investigator_uuid
        where types.investigator_uuid is null
          and exists (select from playbooks where playbooks.playbook_uuid = types.playbook_uuid and playbooks.shared_for is not null)
      returning playbook_uuid, investigator_uuid
    ), named as (
      insert into playbooks (playbook_uuid, organization_uuid, name, origin, workflow_type, severity, plan_of, created_at, modified_at)
      select investigator_uuid, ${organizationUuid}::uuid, ${type?.name ?? ''}, 'generated', ${GENERATED_WORKFLOW_TYPE}, ${severity}, playbook_uuid,
        now(), now()
      from joined returning playbook_uuid
    )
    insert into audit_log (at, principal_name, organization_uuid, action, target)
    select now(), 'service', ${organizationUuid}::uuid, 'playbook.create', made.playbook_uuid::text
    from (select playbook_uuid from shared where is_new union all select playbook_uuid from named) as made`;
}

/** From now on the playbook of an alert type uses another plan, unless it has left the given one. */
export async function changePlanOf(
  pg: PgClient,
  playbookUuid: string,
  plan: { readonly from: string; readonly to: string; readonly severity: Severity | null },
): Promise<void> {
  await pg`
    with changed as (
      update playbooks set plan_of = ${plan.to}, severity = ${plan.severity}, modified_at = now()
      where playbook_uuid = ${playbookUuid} and plan_of = ${plan.from} returning playbook_uuid
    )
    update playbook_alert_types set playbook_uuid = ${plan.to} from changed where investigator_uuid = changed.playbook_uuid`;
}

/** A plan that equals the newest one only takes over the planner's digest; a different plan becomes the next version. */
export async function addGeneratedPlan(pg: PgClient, playbookUuid: string, generated: GeneratedPlan): Promise<void> {
  const { planner, severity } = generated;
  const plan = JSON.stringify(generated.plan);
  await pg`
    with newest as (
      select playbook_uuid, version, plan, organization_uuid from playbooks join playbook_plans using (playbook_uuid, version)
      where playbook_uuid = ${playbookUuid} and author is null and pinned_version is null
    ), confirmed as (
      update playbook_plans set planner = ${planner} from newest
      where playbook_plans.playbook_uuid = newest.playbook_uuid and playbook_plans.version = newest.version
        and newest.plan = ${plan}::text::jsonb
    ), made as (
      insert into playbook_plans (playbook_uuid, version, plan, made_from, planner, created_at)
      select playbook_uuid, version + 1, ${plan}::text::jsonb, version, ${planner}, now()
      from newest where newest.plan <> ${plan}::text::jsonb
      on conflict do nothing returning playbook_uuid, version
    ), raised as (
      update playbooks set version = coalesce((select version from made), playbooks.version), severity = ${severity}, modified_at = now()
      from newest where playbooks.playbook_uuid = newest.playbook_uuid
    )
    insert into audit_log (at, principal_name, organization_uuid, action, target, details)
    select now(), 'service', organization_uuid, 'playbook.plan', playbook_uuid::text, jsonb_build_object('version', made.version)
    from made join newest using (playbook_uuid)`;
}

/** Workers that start at the same moment register one after the other. Returns the written playbooks. */
export async function lockWrittenPlaybooks(transaction: Transaction): Promise<(typeof playbooks.$inferSelect)[]> {
  await transaction.execute(sql`lock table ${playbookAlertTypes} in share row exclusive mode`);
  return transaction.select().from(playbooks).where(eq(playbooks.origin, 'written'));
}

/** The name of the written playbook that is registered for each key of an alert type. */
export async function readWrittenTypes(transaction: Transaction): Promise<Map<string, string>> {
  const rows = await transaction
    .select({ key: playbookAlertTypes.alertTypeKey, name: playbooks.workflowType })
    .from(playbookAlertTypes)
    .innerJoin(playbooks, eq(playbooks.playbookUuid, playbookAlertTypes.playbookUuid))
    .where(isNull(playbookAlertTypes.organizationUuid));
  return new Map(rows.map(({ key, name }) => [key, name]));
}

export async function insertPlaybook(transaction: Transaction, row: typeof playbooks.$inferInsert): Promise<void> {
  await transaction.insert(playbooks).values(row);
}

export async function updatePlaybook(
  transaction: Transaction,
  playbookUuid: string,
  changes: Partial<typeof playbooks.$inferInsert>,
): Promise<void> {
  await transaction.update(playbooks).set(changes).where(eq(playbooks.playbookUuid, playbookUuid));
}

/** Replaces the alert types of all written playbooks. */
export async function replaceWrittenTypes(
  transaction: Transaction,
  types: readonly { alertType: string; playbookUuid: string }[],
): Promise<void> {
  await transaction.delete(playbookAlertTypes).where(isNull(playbookAlertTypes.organizationUuid));
  const rows = types.map((type) => ({ ...type, organizationUuid: null, alertTypeKey: alertTypeKey(type.alertType) }));
  if (rows.length > 0) await transaction.insert(playbookAlertTypes).values(rows);
}

/** The playbook whose plan another one uses. */
const source = alias(playbooks, 'source');
const usesPlanOf = eq(source.playbookUuid, playbooks.planOf);
const planUuid = sql<string>`coalesce(${playbooks.planOf}, ${playbooks.playbookUuid})`;
/** Of the plan in use. */
const newestVersion = sql<number>`coalesce(${source.version}, ${playbooks.version})`;
const pinnedVersion = sql<
  number | null
>`case when ${playbooks.planOf} is null then ${playbooks.pinnedVersion} else ${source.pinnedVersion} end`;
/** Joins a playbook with the plan version that new investigations use. */
const inUse = and(eq(playbookPlans.playbookUuid, planUuid), eq(playbookPlans.version, sql`coalesce(${pinnedVersion}, ${newestVersion})`));

/** Every organization sees written playbooks; a generated playbook belongs to one organization. */
function isAvailableTo(scope: string | null) {
  return scope === null ? undefined : or(isNull(playbooks.organizationUuid), eq(playbooks.organizationUuid, scope));
}

const summary = {
  playbook: { ...getTableColumns(playbooks), version: newestVersion, pinnedVersion },
  planName: source.name,
  organizationCode: organizations.organizationCode,
};
interface PlaybookRow {
  readonly playbook: typeof playbooks.$inferSelect;
  readonly planName: string | null;
  readonly organizationCode: string | null;
}

export async function listPlaybooks(db: Db, scope: string | null, page: PageRequest) {
  const rows = await db
    .select(summary)
    .from(playbooks)
    .leftJoin(organizations, eq(organizations.organizationUuid, playbooks.organizationUuid))
    .leftJoin(source, usesPlanOf)
    .where(and(isAvailableTo(scope), isNull(playbooks.deletedAt), page.after === null ? undefined : gt(playbooks.playbookUuid, page.after)))
    .orderBy(asc(playbooks.playbookUuid))
    .limit(page.limit + 1);
  const { items, next } = toPage(rows, page, (row) => row.playbook.playbookUuid);
  return { next, items: await withTypes(db, scope, items) };
}

export async function findPlaybook(db: Db | Transaction, scope: string | null, playbookUuid: string) {
  const rows = await db
    .select({ ...summary, plan: playbookPlans.plan })
    .from(playbooks)
    .leftJoin(organizations, eq(organizations.organizationUuid, playbooks.organizationUuid))
    .leftJoin(source, usesPlanOf)
    .leftJoin(playbookPlans, inUse)
    .where(and(isAvailableTo(scope), eq(playbooks.playbookUuid, playbookUuid)));
  const [found] = await withTypes(db, scope, rows);
  return found === undefined ? null : { ...found, plan: rows[0]?.plan ?? null };
}

const MAX_RUNS_COUNTED = 500;
interface RunCounts {
  readonly counted: number;
  readonly completed: number;
  /** The median. */
  readonly typical_seconds: number | null;
}
const NO_RUNS: RunCounts = { counted: 0, completed: 0, typical_seconds: null };

/** Counts only the newest runs, so that each playbook costs one range of an index. The runs of a shared plan are those of its types. */
async function countRuns(db: Db | Transaction, scope: string | null, uuids: readonly string[]): Promise<Map<string, RunCounts>> {
  if (uuids.length === 0) return new Map();
  const rows = await db.execute<{ playbook_uuid: string; counted: number; completed: number; typical: number | null }>(sql`
    select wanted.playbook_uuid, count(*)::int as counted, count(*) filter (where status = 'Completed')::int as completed,
      percentile_cont(0.5) within group (order by extract(epoch from ended_at - started_at)::float8) as typical
    from ${playbooks} as wanted cross join lateral (
      select runs.* from ${playbooks} as members cross join lateral (
        select alert_uuid, status, started_at, ended_at from ${investigations}
        where investigations.playbook_uuid = members.playbook_uuid order by alert_uuid desc limit ${MAX_RUNS_COUNTED}
      ) as runs
      where members.playbook_uuid = wanted.playbook_uuid or members.plan_of = wanted.playbook_uuid
      order by alert_uuid desc limit ${MAX_RUNS_COUNTED}
    ) as newest
    where wanted.playbook_uuid in ${[...uuids]}
      and ${scope === null ? sql`true` : sql`exists (select from alerts where alerts.alert_uuid = newest.alert_uuid and organization_uuid = ${scope})`}
    group by wanted.playbook_uuid`);
  return new Map(
    rows.map(({ playbook_uuid, counted, completed, typical }) => [playbook_uuid, { counted, completed, typical_seconds: typical }]),
  );
}

async function withTypes(db: Db | Transaction, scope: string | null, rows: readonly PlaybookRow[]) {
  const uuids = rows.map((row) => row.playbook.playbookUuid);
  const [types, users, runs] = await Promise.all([listTypes(db, uuids), countUsers(db, uuids), countRuns(db, scope, uuids)]);
  return rows.map(({ playbook, planName, organizationCode }) => ({
    playbook_id: playbook.playbookUuid,
    name: playbook.name,
    origin: playbook.origin,
    organization_code: organizationCode,
    alert_types: types.get(playbook.playbookUuid)?.listed ?? [],
    alert_type_count: types.get(playbook.playbookUuid)?.counted ?? 0,
    is_shared: playbook.sharedFor !== null,
    used_by: users.get(playbook.playbookUuid) ?? 0,
    plan_of: playbook.planOf === null ? null : { playbook_id: playbook.planOf, name: planName ?? '' },
    workflow_type: playbook.workflowType,
    severity: playbook.severity,
    version: playbook.version,
    pinned_version: playbook.pinnedVersion,
    runs: runs.get(playbook.playbookUuid) ?? NO_RUNS,
    created_at: playbook.createdAt,
    modified_at: playbook.modifiedAt,
    deleted_at: playbook.deletedAt,
  }));
}

/** The number of playbooks that use the plan of each. */
async function countUsers(db: Db | Transaction, uuids: readonly string[]): Promise<Map<string | null, number>> {
  if (uuids.length === 0) return new Map();
  const isUsing = and(inArray(playbooks.planOf, [...uuids]), isNull(playbooks.deletedAt));
  const rows = await db.select({ uuid: playbooks.planOf, users: count() }).from(playbooks).where(isUsing).groupBy(playbooks.planOf);
  return new Map(rows.map(({ uuid, users }) => [uuid, users]));
}

const MAX_TYPES_LISTED = 100;

/** A sender can bring any number of types, so a playbook lists only some of them. */
async function listTypes(db: Db | Transaction, uuids: readonly string[]): Promise<Map<string, { listed: string[]; counted: number }>> {
  if (uuids.length === 0) return new Map();
  const rows = await db.execute<{ playbook_uuid: string; listed: string[]; counted: number }>(sql`
    select playbook_uuid, counted::int, (array_agg(alert_type order by alert_type_key))[1:${sql.raw(String(MAX_TYPES_LISTED))}] as listed
    from (
      select playbook_uuid, alert_type, alert_type_key, count(*) over (partition by playbook_uuid) as counted
      from (
        select playbook_uuid, alert_type, alert_type_key from ${playbookAlertTypes}
        where playbook_uuid in ${[...uuids]} and (investigator_uuid is null or investigator_uuid = playbook_uuid)
        union
        select investigator_uuid, alert_type, alert_type_key from ${playbookAlertTypes} where investigator_uuid in ${[...uuids]}
      ) as named
    ) as types group by playbook_uuid, counted`);
  return new Map(rows.map(({ playbook_uuid, listed, counted }) => [playbook_uuid, { listed, counted }]));
}

const author = currentName(playbookPlans.authorUuid, playbookPlans.author);

/** Without a version, the one in use. null where it does not exist or the scope does not allow it. */
export async function findPlan(db: Db, scope: string | null, playbookUuid: string, version: number | null) {
  const wanted = version === null ? inUse : and(eq(playbookPlans.playbookUuid, planUuid), eq(playbookPlans.version, version));
  const [found] = await db
    .select({ playbook: summary.playbook, version: { ...getTableColumns(playbookPlans), author } })
    .from(playbooks)
    .leftJoin(source, usesPlanOf)
    .innerJoin(playbookPlans, wanted)
    .where(and(isAvailableTo(scope), eq(playbooks.playbookUuid, playbookUuid)));
  return found ? toPlanVersion(found.playbook, found.version) : null;
}

type PlanRow = Pick<typeof playbookPlans.$inferSelect, 'version' | 'plan' | 'author' | 'madeFrom' | 'createdAt'>;

export function toPlanVersion(playbook: typeof playbooks.$inferSelect, row: PlanRow) {
  return {
    playbook_id: playbook.playbookUuid,
    version: row.version,
    newest_version: playbook.version,
    pinned_version: playbook.pinnedVersion,
    plan: row.plan,
    author: row.author,
    made_from: row.madeFrom,
    created_at: row.createdAt,
  };
}

/** The largest number that the column holds; a cursor may be any number. */
const MAX_VERSION = 2 ** 31 - 1;

/** Newest first. */
export async function listPlanVersions(db: Db, playbookUuid: string, page: PageRequest) {
  const owner = db.select({ uuid: planUuid }).from(playbooks).where(eq(playbooks.playbookUuid, playbookUuid));
  const rows = await db
    .select({
      version: playbookPlans.version,
      author,
      made_from: playbookPlans.madeFrom,
      created_at: playbookPlans.createdAt,
    })
    .from(playbookPlans)
    .where(
      and(
        eq(playbookPlans.playbookUuid, owner),
        page.after === null ? undefined : lt(playbookPlans.version, Math.min(Number(page.after), MAX_VERSION)),
      ),
    )
    .orderBy(desc(playbookPlans.version))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => String(row.version));
}

/** null where another version has the number. */
export async function insertPlanVersion(transaction: Transaction, row: typeof playbookPlans.$inferInsert) {
  const [made] = await transaction.insert(playbookPlans).values(row).onConflictDoNothing().returning();
  return made ?? null;
}

/** A deleted playbook is unknown to everything that would change it. Its versions are those of the plan in use, which is locked first. */
export async function lockPlaybook(transaction: Transaction, scope: string | null, playbookUuid: string) {
  const usedPlan = transaction.select({ uuid: playbooks.planOf }).from(playbooks).where(eq(playbooks.playbookUuid, playbookUuid));
  const [locked] = await transaction.select().from(playbooks).where(eq(playbooks.playbookUuid, usedPlan)).for('update');
  const [playbook] = await transaction
    .select()
    .from(playbooks)
    .where(and(isAvailableTo(scope), isNull(playbooks.deletedAt), eq(playbooks.playbookUuid, playbookUuid)))
    .for('update');
  if (!playbook) return null;
  return locked && playbook.planOf === locked.playbookUuid
    ? { ...playbook, version: locked.version, pinnedVersion: locked.pinnedVersion }
    : playbook;
}
