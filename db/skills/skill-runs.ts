import { and, asc, desc, eq, gt, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { SkillRunState } from '../../domain/connection/connection.js';
import type { SkillRunBrief, SkillRunStart } from '../../domain/connection/skill.js';
import { ProposalState } from '../../domain/response/proposal.js';
import { findRunProblem, type ManualWrite, RUN_STATES } from '../../domain/response/run-result.js';
import type { SkillKey } from '../../domain/skill-key.js';
import type { Db, Transaction } from '../client.js';
import type { ResolvedConnection } from '../connections/connection-calls.js';
import { currentName } from '../identity/people.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { connections, organizations, proposalDecisions, proposals, skillResults, skillRuns } from '../schema/index.js';
import { inOrganization } from '../scope.js';

export async function insertRun(db: Db | Transaction, run: typeof skillRuns.$inferInsert): Promise<void> {
  await db.insert(skillRuns).values(run);
}

type RunEnd = Pick<typeof skillRuns.$inferInsert, 'state' | 'resultUuid' | 'error' | 'endedAt'>;

/** Changes nothing after the first end. */
export async function endRunningRun(db: Db, runUuid: string, end: RunEnd): Promise<void> {
  await db
    .update(skillRuns)
    .set(end)
    .where(and(eq(skillRuns.runUuid, runUuid), eq(skillRuns.state, 'running')));
}

/** null where the run does not exist or is not running. */
export async function readSkillRun(
  db: Db,
  runUuid: string,
): Promise<(Omit<SkillRunBrief, 'connection' | 'isGuarded'> & { connection: ResolvedConnection }) | null> {
  const [row] = await db
    .select({
      connector: skillRuns.connectorKey,
      verb: skillRuns.verb,
      input: skillRuns.input,
      connectionId: connections.connectionUuid,
      instanceName: connections.instanceName,
      remoteAgentUuid: connections.remoteAgentUuid,
    })
    .from(skillRuns)
    .innerJoin(connections, eq(connections.connectionUuid, skillRuns.connectionUuid))
    .where(and(eq(skillRuns.runUuid, runUuid), eq(skillRuns.state, 'running')));
  if (!row) return null;
  const { connector, verb, input, connectionId, instanceName, remoteAgentUuid } = row;
  return { connector, verb, input, connection: { connectionId, instanceName, routed: remoteAgentUuid !== null } };
}

/** Old runs without an end: the process that had to start them may have died. */
export async function listUnendedRuns(
  db: Db,
  { askedBefore, after, limit }: { askedBefore: number; after: string | null; limit: number },
): Promise<SkillRunStart[]> {
  return db
    .select({
      runUuid: skillRuns.runUuid,
      skillId: skillRuns.skillId,
      input: skillRuns.input,
      organizationCode: organizations.organizationCode,
    })
    .from(skillRuns)
    .innerJoin(organizations, eq(organizations.organizationUuid, skillRuns.organizationUuid))
    .where(
      and(eq(skillRuns.state, 'running'), lt(skillRuns.askedAt, askedBefore), after === null ? undefined : gt(skillRuns.runUuid, after)),
    )
    .orderBy(asc(skillRuns.runUuid))
    .limit(limit);
}

/** A manual run: a read, or a write of an earlier version, or a proposal that a person requested. */
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
  readonly organizationCode: string;
  readonly isProposal: boolean;
  readonly output: unknown;
  readonly attempts: number | null;
  readonly durationMs: number | null;
}

/** The requester's own request is no decision. */
const decidedBy = sql<string | null>`(select ${currentName(proposalDecisions.byUuid, proposalDecisions.by)} from ${proposalDecisions}
  where proposal_decisions.proposal_uuid = proposals.proposal_uuid and not (decision = 'approve' and principal_uuid = requested_by_uuid)
  order by decision desc, at desc limit 1)`;

/** Reads, ended writes of earlier versions, and the writes that people request, as far as the conditions select them. */
function queryRuns(db: Db | Transaction, ofRuns: SQL | undefined, ofProposals: SQL | undefined) {
  const runs = db
    .select({
      runUuid: skillRuns.runUuid,
      organizationUuid: skillRuns.organizationUuid,
      connectionUuid: skillRuns.connectionUuid,
      connectorKey: skillRuns.connectorKey,
      skillKey: skillRuns.skillKey,
      skillId: skillRuns.skillId,
      input: skillRuns.input,
      askedBy: currentName(skillRuns.askedByUserUuid, skillRuns.askedBy).as('asked_by'),
      askedAt: skillRuns.askedAt,
      decidedBy: sql<string | null>`${skillRuns.decidedBy}`.as('decided_by'),
      resultUuid: skillRuns.resultUuid,
      error: skillRuns.error,
      runState: sql<SkillRunState | null>`${skillRuns.state}`.as('run_state'),
      state: sql<ProposalState>`null`.as('proposal_state'),
      heldBecause: sql<string | null>`null`.as('held_because'),
      outcome: sql<string | null>`null`.as('outcome'),
    })
    .from(skillRuns)
    .where(ofRuns);
  const writes = db
    .select({
      runUuid: proposals.proposalUuid,
      organizationUuid: proposals.organizationUuid,
      connectionUuid: proposals.connectionUuid,
      connectorKey: proposals.connectorKey,
      skillKey: proposals.skillKey,
      skillId: proposals.skillId,
      input: sql<unknown>`${proposals.input}`.as('input'),
      askedBy: sql<string>`${currentName(proposals.requestedByUserUuid, proposals.requestedBy)}`.as('asked_by'),
      askedAt: proposals.proposedAt,
      decidedBy: decidedBy.as('decided_by'),
      resultUuid: proposals.resultUuid,
      error: proposals.error,
      runState: sql<SkillRunState | null>`null`.as('run_state'),
      state: sql<ProposalState>`${proposals.state}`.as('proposal_state'),
      heldBecause: sql<string | null>`${proposals.heldBecause}`.as('held_because'),
      outcome: sql<string | null>`${proposals.outcome}`.as('outcome'),
    })
    .from(proposals)
    .where(and(isNull(proposals.alertUuid), ofProposals));
  return runs.unionAll(writes).as('asked');
}

type QueriedRun = Omit<AskedSkillRun, 'state'> & ManualWrite & { readonly runState: SkillRunState | null };

/** Shows a proposal as a run. */
function toAsked({ runState, heldBecause, outcome, ...run }: QueriedRun): AskedSkillRun {
  if (runState !== null) return { ...run, state: runState };
  return { ...run, state: RUN_STATES[run.state], error: findRunProblem({ ...run, heldBecause, outcome }) };
}

/** Newest first, with the names of connection and organization. */
export async function listSkillRuns(
  db: Db,
  scope: string | null,
  filters: { state?: SkillRunState | undefined; connectorKind?: string | undefined },
  page: PageRequest,
): Promise<Page<ListedSkillRun>> {
  const { state } = filters;
  const proposalStates = ProposalState.options.filter((each) => RUN_STATES[each] === state);
  const asked = queryRuns(
    db,
    and(
      inOrganization(skillRuns.organizationUuid, scope),
      state && eq(skillRuns.state, state),
      page.after === null ? undefined : lt(skillRuns.runUuid, page.after),
    ),
    and(
      inOrganization(proposals.organizationUuid, scope),
      state && inArray(proposals.state, proposalStates),
      page.after === null ? undefined : lt(proposals.proposalUuid, page.after),
    ),
  );
  const rows = await db
    .select()
    .from(asked)
    .innerJoin(organizations, eq(organizations.organizationUuid, asked.organizationUuid))
    .leftJoin(connections, eq(connections.connectionUuid, asked.connectionUuid))
    .where(filters.connectorKind === undefined ? undefined : eq(connections.connectorKind, filters.connectorKind))
    .orderBy(desc(asked.runUuid))
    .limit(page.limit + 1);
  const listed = rows.map(({ asked: run, organizations: { organizationCode }, connections: connection }) => ({
    ...toAsked(run),
    organizationCode,
    connectorKind: connection?.connectorKind ?? run.connectorKey,
    instanceName: connection?.instanceName ?? 'gone',
  }));
  return toPage(listed, page, ({ runUuid }) => runUuid);
}

export async function findSkillRun(db: Db | Transaction, scope: string | null, runUuid: string): Promise<SkillRunRow | null> {
  const asked = queryRuns(db, eq(skillRuns.runUuid, runUuid), eq(proposals.proposalUuid, runUuid));
  const [row] = await db
    .select()
    .from(asked)
    .innerJoin(organizations, eq(organizations.organizationUuid, asked.organizationUuid))
    .leftJoin(skillResults, eq(skillResults.resultUuid, asked.resultUuid))
    .where(inOrganization(asked.organizationUuid, scope));
  if (!row) return null;
  const { asked: run, organizations: organization, skill_results: result } = row;
  return {
    ...toAsked(run),
    organizationCode: organization.organizationCode,
    isProposal: run.runState === null,
    output: result?.output ?? null,
    attempts: result?.attempts ?? null,
    durationMs: result?.durationMs ?? null,
  };
}
