import { and, desc, eq, lt, not, or, sql } from 'drizzle-orm';
import type { SkillRunState } from '../../domain/connection/connection.js';
import type { SkillRunBrief, SkillRunError, SkillRunStart } from '../../domain/connection/skill.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { AffectedAssets } from '../../domain/response/affected-assets.js';
import { listCautions } from '../../domain/response/response-rules.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import type { ResolvedConnection } from '../connections/connection-calls.js';
import { recordAudit } from '../identity/audit.js';
import { isSamePerson } from '../identity/person.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { lockRules } from '../response/lock-rules.js';
import { protectedBy } from '../response/protected-assets.js';
import { connections, organizations, protectedAssets, skillResults, skillRuns } from '../schema/index.js';

/** Stored and audited before the workflow starts, which reads its input from here. */
export async function askForSkill(
  db: Db,
  by: Principal,
  asked: {
    connectionUuid: string;
    organizationUuid: string;
    connectorKey: string;
    verb: string;
    skillId: string;
    input: unknown;
    state: 'running' | 'proposed';
  },
): Promise<string> {
  const runUuid = newUuid();
  await db.transaction(async (transaction) => {
    await transaction.insert(skillRuns).values({ runUuid, ...asked, askedBy: by.name, askedByUuid: by.uuid, askedAt: nowSeconds() });
    await recordAudit(transaction, {
      by,
      organizationUuid: asked.organizationUuid,
      action: asked.state === 'proposed' ? 'skill.propose' : 'skill.run',
      target: runUuid,
      details: { skill_id: asked.skillId, connection_id: asked.connectionUuid },
    });
  });
  return runUuid;
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

type StoredRun = typeof skillRuns.$inferSelect;

/** Stores the affected assets. False where the run has to wait for a second person. */
export async function guardSkillRun(db: Db, runUuid: string, assets: AffectedAssets | null): Promise<boolean> {
  return db.transaction(async (transaction) => {
    await transaction.update(skillRuns).set({ assets }).where(eq(skillRuns.runUuid, runUuid));
    return (await requireDecision(transaction, runUuid)) === null;
  });
}

/** A run that needs a second person now becomes a proposal. Returns why the write may not be sent; null where it may. */
export async function requireDecision(transaction: Transaction, runUuid: string): Promise<string | null> {
  const [run] = await transaction.select().from(skillRuns).where(eq(skillRuns.runUuid, runUuid)).for('update');
  if (!run || run.state === 'refused') return 'A person refused this run.';
  const caution = run.state === 'running' ? await listRunCautions(transaction, run) : [];
  if (run.state === 'running' && caution.length === 0) return null;
  if (run.state === 'running') await proposeRun(transaction, run, caution);
  return 'A second person must approve this run.';
}

/** The reasons why a second person must approve the run; empty where none is needed, or one has approved it. */
async function listRunCautions(transaction: Transaction, run: StoredRun): Promise<string[]> {
  if (run.decidedBy !== null) return [];
  const [connection] = await transaction
    .select({ needsSecondPerson: connections.needsSecondPerson })
    .from(connections)
    .where(eq(connections.connectionUuid, run.connectionUuid));
  const assets = (await protectedBy(transaction, [run.organizationUuid])).get(run.organizationUuid) ?? [];
  return [
    ...(connection?.needsSecondPerson ? ['The connection requires a second person.'] : []),
    // Without a protected asset it does not matter which assets the write affects.
    ...(assets.length > 0 ? listCautions(run.assets, assets) : []),
  ];
}

async function proposeRun(transaction: Transaction, run: StoredRun, caution: readonly string[]): Promise<void> {
  const { runUuid, organizationUuid, skillId, connectionUuid } = run;
  const error: SkillRunError = {
    code: 'SecondPersonNeeded',
    message: caution.join(' '),
    third_party_status: null,
    resolution: 'A second person has to approve it.',
  };
  await transaction
    .update(skillRuns)
    .set({ state: 'proposed', error: { ...error } })
    .where(eq(skillRuns.runUuid, runUuid));
  await recordAudit(transaction, {
    by: null,
    organizationUuid,
    action: 'skill.propose',
    target: runUuid,
    details: { skill_id: skillId, connection_id: connectionUuid, caution },
  });
}

/** The reason while the run is held; the end replaces it. */
export async function holdSkillRun(db: Db, runUuid: string, because: string): Promise<{ organizationUuid: string } | null> {
  const error: SkillRunError = { code: 'WritesHeld', message: because, third_party_status: null, resolution: null };
  const [held] = await db
    .update(skillRuns)
    .set({ error: { ...error } })
    .where(and(eq(skillRuns.runUuid, runUuid), eq(skillRuns.state, 'running')))
    .returning({ organizationUuid: skillRuns.organizationUuid });
  return held ?? null;
}

/** Old runs without an end: the process that had to start them may have died. */
export async function listUnendedRuns(db: Db, olderThanSeconds: number, limit: number): Promise<SkillRunStart[]> {
  return db
    .select({
      runUuid: skillRuns.runUuid,
      skillId: skillRuns.skillId,
      input: skillRuns.input,
      organizationCode: organizations.organizationCode,
    })
    .from(skillRuns)
    .innerJoin(organizations, eq(organizations.organizationUuid, skillRuns.organizationUuid))
    .where(and(eq(skillRuns.state, 'running'), lt(skillRuns.askedAt, nowSeconds() - olderThanSeconds)))
    .limit(limit);
}

/** Returns the run, or null where it has ended before. */
export async function endSkillRun(
  db: Db,
  runUuid: string,
  end: { resultId: string } | { error: SkillRunError },
): Promise<typeof skillRuns.$inferSelect | null> {
  const outcome =
    'resultId' in end
      ? { state: 'done' as const, resultUuid: end.resultId, error: null }
      : { state: 'failed' as const, error: { ...end.error } };
  const [ended] = await db
    .update(skillRuns)
    .set({ ...outcome, endedAt: nowSeconds() })
    .where(and(eq(skillRuns.runUuid, runUuid), eq(skillRuns.state, 'running')))
    .returning();
  return ended ?? null;
}

export interface AskedSkillRun {
  readonly runUuid: string;
  readonly connectionUuid: string;
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

export async function findSkillRun(db: Db, scope: string | null, runUuid: string): Promise<SkillRunRow | null> {
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

/** The rules hold the write, and no attempt of it is reserved. */
const isHeld = sql`${skillRuns.state} = 'running' and ${skillRuns.error}->>'code' = 'WritesHeld' and not exists (
  select from skill_results where operation_key = ${skillRuns.runUuid}::text and status <> 'failed')`;

/**
 * A second person approves or refuses a proposed run. Anyone, also the person who requested it, can refuse a run that is not sent
 * yet. False where the decision is not possible.
 */
export async function decideSkillRun(db: Db, by: Principal, run: SkillRunRow, approve: boolean): Promise<boolean> {
  return db.transaction(async (transaction) => {
    await transaction.execute(lockRules(run.organizationUuid));
    const isProposed = eq(skillRuns.state, 'proposed');
    const decided = await transaction
      .update(skillRuns)
      .set({ state: approve ? 'running' : 'refused', decidedBy: by.name, error: null, ...(approve ? {} : { endedAt: nowSeconds() }) })
      .where(
        and(
          eq(skillRuns.runUuid, run.runUuid),
          approve ? and(isProposed, not(isSamePerson(skillRuns.askedByUuid, by))) : or(isProposed, isHeld),
        ),
      )
      .returning({ runUuid: skillRuns.runUuid });
    if (decided.length === 0) return false;
    await recordAudit(transaction, {
      by,
      organizationUuid: run.organizationUuid,
      action: approve ? 'skill.approve' : 'skill.refuse',
      target: run.runUuid,
      details: { skill_id: run.skillId, connection_id: run.connectionUuid },
    });
    return true;
  });
}
