import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { AffectedAssets } from '../../domain/connection/affected-assets.js';
import type { SkillRunState } from '../../domain/connection/connection.js';
import type { SkillRunBrief, SkillRunStart } from '../../domain/connection/skill.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { SkillKey } from '../../domain/skill-key.js';
import type { Db, Transaction } from '../client.js';
import type { ResolvedConnection } from '../connections/connection-calls.js';
import { isSamePerson } from '../identity/person.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { connections, organizations, protectedAssets, skillResults, skillRuns } from '../schema/index.js';

export type StoredRun = typeof skillRuns.$inferSelect;

export async function insertRun(transaction: Transaction, run: typeof skillRuns.$inferInsert): Promise<void> {
  await transaction.insert(skillRuns).values(run);
}

export async function lockRun(transaction: Transaction, runUuid: string): Promise<StoredRun | null> {
  const [run] = await transaction.select().from(skillRuns).where(eq(skillRuns.runUuid, runUuid)).for('update');
  return run ?? null;
}

export async function updateRun(transaction: Transaction, runUuid: string, changes: Partial<Omit<StoredRun, 'runUuid'>>): Promise<void> {
  await transaction.update(skillRuns).set(changes).where(eq(skillRuns.runUuid, runUuid));
}

/** Whether the person requested the run, with any of their keys. */
export async function isRequestedBy(transaction: Transaction, by: Principal, runUuid: string): Promise<boolean> {
  return (await transaction.$count(skillRuns, and(eq(skillRuns.runUuid, runUuid), isSamePerson(skillRuns.askedByUuid, by)))) > 0;
}

export async function findRunState(db: Db | Transaction, runUuid: string): Promise<SkillRunState | null> {
  const [run] = await db.select({ state: skillRuns.state }).from(skillRuns).where(eq(skillRuns.runUuid, runUuid));
  return run?.state ?? null;
}

/** The connection's part of an event; null where the connection is gone. */
export async function findConnectionFacts(transaction: Transaction, connectionUuid: string) {
  const [found] = await transaction
    .select({
      connection_id: connections.connectionUuid,
      connector: connections.connectorKind,
      instance_name: connections.instanceName,
    })
    .from(connections)
    .where(eq(connections.connectionUuid, connectionUuid));
  return found ?? null;
}

/** null where the run does not exist or is not running. */
export async function readSkillRun(
  db: Db,
  runUuid: string,
): Promise<(Omit<SkillRunBrief, 'connection'> & { connection: ResolvedConnection }) | null> {
  const [row] = await db
    .select({
      connector: skillRuns.connectorKey,
      verb: skillRuns.verb,
      input: skillRuns.input,
      isGuarded: sql<boolean>`decided_by is null and exists (select from ${protectedAssets}
        where ${protectedAssets.organizationUuid} = ${skillRuns.organizationUuid})`,
      connectionId: connections.connectionUuid,
      instanceName: connections.instanceName,
      remoteAgentUuid: connections.remoteAgentUuid,
    })
    .from(skillRuns)
    .innerJoin(connections, eq(connections.connectionUuid, skillRuns.connectionUuid))
    .where(and(eq(skillRuns.runUuid, runUuid), eq(skillRuns.state, 'running')));
  if (!row) return null;
  const { connector, verb, input, isGuarded, connectionId, instanceName, remoteAgentUuid } = row;
  return { connector, verb, input, isGuarded, connection: { connectionId, instanceName, routed: remoteAgentUuid !== null } };
}

/** Old runs without an end: the process that had to start them may have died. */
export async function listUnendedRuns(db: Db, askedBefore: number, limit: number): Promise<SkillRunStart[]> {
  return db
    .select({
      runUuid: skillRuns.runUuid,
      skillId: skillRuns.skillId,
      input: skillRuns.input,
      organizationCode: organizations.organizationCode,
    })
    .from(skillRuns)
    .innerJoin(organizations, eq(organizations.organizationUuid, skillRuns.organizationUuid))
    .where(and(eq(skillRuns.state, 'running'), lt(skillRuns.askedAt, askedBefore)))
    .limit(limit);
}

export interface AskedSkillRun {
  readonly runUuid: string;
  readonly connectionUuid: string;
  readonly skillKey: SkillKey;
  readonly skillId: string;
  readonly input: unknown;
  readonly askedBy: string;
  readonly askedAt: number;
  readonly state: SkillRunState;
  readonly decidedBy: string | null;
  readonly error: Record<string, unknown> | null;
}

interface ListedSkillRun extends AskedSkillRun {
  readonly organizationCode: string;
  readonly connectorKind: string;
  readonly instanceName: string;
}

export interface SkillRunRow extends AskedSkillRun {
  readonly connectorKey: string;
  readonly verb: string;
  readonly assets: AffectedAssets | null;
  readonly instanceName: string;
  readonly organizationName: string;
  readonly organizationCode: string;
  readonly organizationUuid: string;
  readonly output: unknown;
  readonly attempts: number | null;
  readonly durationMs: number | null;
}

const SHOWN = {
  runUuid: skillRuns.runUuid,
  connectionUuid: skillRuns.connectionUuid,
  skillKey: skillRuns.skillKey,
  skillId: skillRuns.skillId,
  input: skillRuns.input,
  askedBy: skillRuns.askedBy,
  askedAt: skillRuns.askedAt,
  state: skillRuns.state,
  decidedBy: skillRuns.decidedBy,
  error: skillRuns.error,
};

const instanceName = sql<string>`coalesce(${connections.instanceName}, 'gone')`;

/** Newest first, with the names of connection and organization. */
export async function listSkillRuns(
  db: Db,
  scope: string | null,
  filters: { state?: SkillRunState | undefined; connectorKind?: string | undefined },
  page: PageRequest,
): Promise<Page<ListedSkillRun>> {
  const rows = await db
    .select({
      ...SHOWN,
      organizationCode: organizations.organizationCode,
      connectorKind: sql<string>`coalesce(${connections.connectorKind}, ${skillRuns.connectorKey})`,
      instanceName,
    })
    .from(skillRuns)
    .innerJoin(organizations, eq(organizations.organizationUuid, skillRuns.organizationUuid))
    .leftJoin(connections, eq(connections.connectionUuid, skillRuns.connectionUuid))
    .where(
      and(
        scope === null ? undefined : eq(skillRuns.organizationUuid, scope),
        // The literal matches the condition of the partial index.
        filters.state === 'proposed' ? sql`${skillRuns.state} = 'proposed'` : filters.state && eq(skillRuns.state, filters.state),
        filters.connectorKind === undefined ? undefined : eq(connections.connectorKind, filters.connectorKind),
        page.after === null ? undefined : lt(skillRuns.runUuid, page.after),
      ),
    )
    .orderBy(desc(skillRuns.runUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, ({ runUuid }) => runUuid);
}

export async function findSkillRun(db: Db | Transaction, scope: string | null, runUuid: string): Promise<SkillRunRow | null> {
  const [row] = await db
    .select({
      ...SHOWN,
      connectorKey: skillRuns.connectorKey,
      verb: skillRuns.verb,
      assets: skillRuns.assets,
      instanceName,
      organizationUuid: skillRuns.organizationUuid,
      organizationCode: organizations.organizationCode,
      organizationName: organizations.name,
      output: skillResults.output,
      attempts: skillResults.attempts,
      durationMs: skillResults.durationMs,
    })
    .from(skillRuns)
    .innerJoin(organizations, eq(organizations.organizationUuid, skillRuns.organizationUuid))
    .leftJoin(connections, eq(connections.connectionUuid, skillRuns.connectionUuid))
    .leftJoin(skillResults, eq(skillResults.resultUuid, skillRuns.resultUuid))
    .where(and(eq(skillRuns.runUuid, runUuid), scope === null ? undefined : eq(skillRuns.organizationUuid, scope)));
  return row ?? null;
}
