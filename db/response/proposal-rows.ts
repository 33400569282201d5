import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Principal } from '../../domain/identity/identity.js';
import { ACTION_FAILED, type ProposalState, proposalOperationKey } from '../../domain/response/proposal.js';
import type { Db, Transaction } from '../client.js';
import { secondPersonRule } from '../connections/second-person.js';
import { currentName } from '../identity/people.js';
import { isSamePerson } from '../identity/person.js';
import { alerts, caseAlerts, cases, connections, proposalDecisions, proposals, protectedAssets, skillResults } from '../schema/index.js';
import { inOrganization } from '../scope.js';

export type ProposalRow = typeof proposals.$inferSelect;
type NewProposal = typeof proposals.$inferInsert;
const columns = { ...getTableColumns(proposals), requestedBy: currentName(proposals.requestedByUserUuid, proposals.requestedBy) };

/** A write that a person requested. Its undo obeys the same rules as any other undo. */
export function isManualWrite({ alertUuid, undoOf }: Pick<ProposalRow, 'alertUuid' | 'undoOf'>): boolean {
  return alertUuid === null && undoOf === null;
}

/** The lock serialises concurrent decisions. null: outside the scope. */
export async function lockProposal(transaction: Transaction, scope: string | null, proposalUuid: string): Promise<ProposalRow | null> {
  const [row] = await transaction
    .select(columns)
    .from(proposals)
    .where(and(eq(proposals.proposalUuid, proposalUuid), inOrganization(proposals.organizationUuid, scope)))
    .for('update');
  return row ?? null;
}

export async function lockUnended(transaction: Transaction, proposalUuid: string): Promise<ProposalRow | null> {
  const [row] = await transaction
    .select(columns)
    .from(proposals)
    .where(and(eq(proposals.proposalUuid, proposalUuid), isNull(proposals.endedAt)))
    .for('update');
  return row ?? null;
}

/** The undo of a proposal in one of the states, or the proposal itself if it is a scheduled undo. */
export async function lockUndo(
  transaction: Transaction,
  proposalUuid: string,
  states: readonly ProposalState[],
): Promise<ProposalRow | null> {
  const [undo] = await transaction
    .select(columns)
    .from(proposals)
    .where(
      or(
        and(eq(proposals.undoOf, proposalUuid), inArray(proposals.state, states)),
        and(eq(proposals.proposalUuid, proposalUuid), eq(proposals.state, 'scheduled')),
      ),
    )
    .for('update');
  return undo ?? null;
}

export async function findProposalRow(db: Db | Transaction, proposalUuid: string): Promise<ProposalRow | null> {
  const [row] = await db.select(columns).from(proposals).where(eq(proposals.proposalUuid, proposalUuid));
  return row ?? null;
}

export async function findScheduledUndo(db: Db | Transaction, proposalUuid: string): Promise<string | null> {
  const [undo] = await db
    .select({ proposalUuid: proposals.proposalUuid })
    .from(proposals)
    .where(and(eq(proposals.undoOf, proposalUuid), eq(proposals.state, 'scheduled')));
  return undo?.proposalUuid ?? null;
}

export async function hasUndo(transaction: Transaction, proposalUuid: string): Promise<boolean> {
  return (await transaction.$count(proposals, eq(proposals.undoOf, proposalUuid))) > 0;
}

const isUnsent = and(inArray(proposals.state, ['waiting', 'approved']), isNull(proposals.undoOf));

/** The proposals of a case that no worker sends yet. The undo of a write that was sent is not among them. */
export function lockUnsentOfCase(transaction: Transaction, scope: string | null, caseId: string): Promise<ProposalRow[]> {
  return transaction
    .select(columns)
    .from(proposals)
    .innerJoin(caseAlerts, eq(caseAlerts.alertUuid, proposals.alertUuid))
    .innerJoin(cases, eq(cases.caseUuid, caseAlerts.caseUuid))
    .where(and(eq(cases.caseId, caseId), inOrganization(cases.organizationUuid, scope), isUnsent))
    .orderBy(proposals.proposalUuid)
    .for('update', { of: proposals });
}

export type SentWrite = Pick<ProposalRow, 'organizationUuid' | 'connectionUuid' | 'connectorKey' | 'verb'>;

/** The proposals of investigations for the same skill and connection that no worker sends yet. */
export function lockUnsentOfSkill(transaction: Transaction, write: SentWrite): Promise<ProposalRow[]> {
  return transaction
    .select(columns)
    .from(proposals)
    .where(
      and(
        isNull(proposals.endedAt),
        isUnsent,
        isNotNull(proposals.alertUuid),
        eq(proposals.organizationUuid, write.organizationUuid),
        eq(proposals.connectionUuid, write.connectionUuid),
        eq(proposals.connectorKey, write.connectorKey),
        eq(proposals.verb, write.verb),
      ),
    )
    .orderBy(proposals.proposalUuid)
    .for('update');
}

export async function updateProposal(
  transaction: Transaction,
  proposalUuid: string,
  changes: Partial<Omit<NewProposal, 'proposalUuid'>>,
): Promise<void> {
  await transaction.update(proposals).set(changes).where(eq(proposals.proposalUuid, proposalUuid));
}

export async function insertProposal(transaction: Transaction, proposal: NewProposal): Promise<void> {
  await transaction.insert(proposals).values(proposal);
}

/** One proposal for each key. The affected assets may have been unknown at the first proposal. */
export async function upsertProposal(transaction: Transaction, proposal: NewProposal): Promise<ProposalRow & { isNew: boolean }> {
  const isNew = sql<boolean>`xmax = 0`;
  const [added] = await transaction
    .insert(proposals)
    .values(proposal)
    .onConflictDoUpdate({
      target: proposals.proposalKey,
      set: { assets: sql`coalesce(excluded.assets, proposals.assets)` },
      setWhere: eq(proposals.state, 'waiting'),
    })
    .returning({ ...getTableColumns(proposals), isNew });
  if (added) return added;
  const [row] = await transaction.select().from(proposals).where(eq(proposals.proposalKey, proposal.proposalKey));
  if (!row) throw new Error(`The proposal ${proposal.proposalKey} was not found in the transaction that inserted it.`);
  return { ...row, isNew: false };
}

export async function findAlertWithConnection(
  transaction: Transaction,
  { alertId, connectionUuid }: { alertId: string; connectionUuid: string },
): Promise<{ alertUuid: string; organizationUuid: string } | null> {
  const [found] = await transaction
    .select({ alertUuid: alerts.alertUuid, organizationUuid: alerts.organizationUuid })
    .from(alerts)
    .innerJoin(connections, eq(connections.organizationUuid, alerts.organizationUuid))
    .where(and(eq(alerts.alertId, alertId), eq(connections.connectionUuid, connectionUuid)));
  return found ?? null;
}

/** Two alerts that propose the same write at the same moment see each other. */
export async function lockProposalsOfConnection(transaction: Transaction, connectionUuid: string): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`proposals of ${connectionUuid}`}, 0))`);
}

const failedKey = (proposalKey: string) => `${proposalKey}/failed/`;

/**
 * A failed proposal that provably had no effect releases its key, so that the write can be proposed again. A write without
 * a known outcome keeps its key.
 */
export async function releaseKeyOfFailed(transaction: Transaction, proposalKey: string): Promise<void> {
  const mayHaveHappened = sql`exists (
    select from skill_results
    where operation_key = ${proposalOperationKey('', { isManual: false })}::text || ${proposals.proposalUuid}::text
      and (status = 'started' or (status = 'done' and ${proposals.error}->>'code' is distinct from ${ACTION_FAILED})))`;
  await transaction
    .update(proposals)
    .set({ proposalKey: sql`${failedKey(proposalKey)}::text || ${proposals.proposalUuid}::text` })
    .where(and(eq(proposals.proposalKey, proposalKey), eq(proposals.state, 'failed'), not(mayHaveHappened)));
}

/** The error of the last failed proposal that released its key. */
export async function findFailure(transaction: Transaction, alertUuid: string, proposalKey: string): Promise<string | null> {
  const [failed] = await transaction
    .select({ outcome: proposals.outcome })
    .from(proposals)
    .where(and(eq(proposals.alertUuid, alertUuid), sql`starts_with(${proposals.proposalKey}, ${failedKey(proposalKey)})`))
    .orderBy(desc(proposals.proposalUuid))
    .limit(1);
  return failed?.outcome ?? null;
}

type Wanted = { readonly alertUuid: string } & Pick<
  NewProposal,
  'proposalKey' | 'organizationUuid' | 'connectionUuid' | 'connectorKey' | 'verb' | 'input'
>;
type Equivalent = Pick<ProposalRow, 'proposalUuid' | 'state' | 'assets'> & { readonly existingCaseId: string };

/**
 * The same write for another alert that is pending, or done with its undo still to come. A done write without an undo does not
 * count, because its effect may have been reverted elsewhere. The alert's own proposal takes precedence.
 */
export async function findEquivalentProposal(transaction: Transaction, wanted: Wanted, now: number): Promise<Equivalent | null> {
  const own = await transaction.$count(proposals, eq(proposals.proposalKey, wanted.proposalKey));
  if (own > 0) return null;
  const unended = alias(proposals, 'unended');
  const [found] = await transaction
    .select({ proposalUuid: proposals.proposalUuid, state: proposals.state, assets: proposals.assets, existingCaseId: cases.caseId })
    .from(unended)
    .innerJoin(proposals, eq(proposals.proposalUuid, sql`coalesce(${unended.undoOf}, ${unended.proposalUuid})`))
    .innerJoin(caseAlerts, eq(caseAlerts.alertUuid, proposals.alertUuid))
    .innerJoin(cases, eq(cases.caseUuid, caseAlerts.caseUuid))
    .where(
      and(
        isNull(unended.endedAt),
        eq(unended.organizationUuid, wanted.organizationUuid),
        // A proposal past `expires_at` is expired, even if its workflow has not recorded that yet.
        or(ne(unended.state, 'waiting'), gt(unended.expiresAt, now)),
        ne(proposals.alertUuid, wanted.alertUuid),
        eq(proposals.connectionUuid, wanted.connectionUuid),
        eq(proposals.connectorKey, wanted.connectorKey),
        eq(proposals.verb, wanted.verb),
        eq(proposals.input, wanted.input),
      ),
    )
    .orderBy(asc(proposals.proposalUuid))
    .limit(1);
  return found ?? null;
}

type Decision = typeof proposalDecisions.$inferInsert;

export async function insertDecision(transaction: Transaction, decision: Decision): Promise<void> {
  await transaction.insert(proposalDecisions).values(decision);
}

/** Replaces an earlier decision of the same principal. */
export async function replaceDecision(transaction: Transaction, { proposalUuid, principalUuid, by, ...made }: Decision): Promise<void> {
  await transaction
    .insert(proposalDecisions)
    .values({ proposalUuid, principalUuid, by, ...made })
    .onConflictDoUpdate({ target: [proposalDecisions.proposalUuid, proposalDecisions.principalUuid], set: made });
}

function isApprovalOf(proposalUuids: readonly string[]): SQL | undefined {
  return and(inArray(proposalDecisions.proposalUuid, [...proposalUuids]), eq(proposalDecisions.decision, 'approve'));
}

/** The principals who approved the proposals, oldest first. */
export function listApprovals(
  transaction: Transaction,
  proposalUuids: readonly string[],
): Promise<{ readonly proposalUuid: string; readonly principalUuid: string }[]> {
  return transaction
    .select({ proposalUuid: proposalDecisions.proposalUuid, principalUuid: proposalDecisions.principalUuid })
    .from(proposalDecisions)
    .where(isApprovalOf(proposalUuids))
    .orderBy(proposalDecisions.at, proposalDecisions.principalUuid);
}

/**
 * Whether the person approved one of the proposals, with any of their keys. A person can approve after the key of a service that they
 * created, because that key never counts as a person.
 */
export async function hasApproved(transaction: Transaction, by: Principal, proposalUuids: readonly string[]): Promise<boolean> {
  const isOfUser = by.userUuid === null ? undefined : isNotNull(proposalDecisions.byUuid);
  const approvals = and(isApprovalOf(proposalUuids), isSamePerson(proposalDecisions.principalUuid, by), isOfUser);
  return (await transaction.$count(proposalDecisions, approvals)) > 0;
}

/** null where the proposal or its connection does not exist. */
export async function readProposal(db: Db | Transaction, proposalUuid: string) {
  const [found] = await db
    .select({
      row: proposals,
      alertId: alerts.alertId,
      instanceName: connections.instanceName,
      remoteAgentUuid: connections.remoteAgentUuid,
      mayBeSent: sql<boolean>`exists (
        select from ${skillResults}
        where operation_key in (${proposalOperationKey(proposalUuid, { isManual: true })}, ${proposalOperationKey(proposalUuid, { isManual: false })})
          and status <> 'failed')`,
      secondPersonRule,
      hasProtectedAssets: sql<boolean>`exists (
        select from ${protectedAssets} where ${protectedAssets.organizationUuid} = ${proposals.organizationUuid})`,
      /** Of a manual write: a person other than the requester approved it. */
      hasSecondApproval: sql<boolean>`exists (
        select from ${proposalDecisions} where ${proposalDecisions.proposalUuid} = ${proposals.proposalUuid}
          and decision = 'approve' and ${proposalDecisions.principalUuid} <> ${proposals.requestedByUuid})`,
    })
    .from(proposals)
    .leftJoin(alerts, eq(alerts.alertUuid, proposals.alertUuid))
    .innerJoin(connections, eq(connections.connectionUuid, proposals.connectionUuid))
    .where(eq(proposals.proposalUuid, proposalUuid));
  return found ?? null;
}

export type OpenProposal = Pick<ProposalRow, 'proposalUuid' | 'state' | 'heldBecause' | 'runAt'>;

/** Open proposals that are not new, in the order of the key, so that many pending ones do not hide a lost one. */
export function listUnended(db: Db, options: { before: number; after: string | null; limit: number }): Promise<OpenProposal[]> {
  return db
    .select({
      proposalUuid: proposals.proposalUuid,
      state: proposals.state,
      heldBecause: proposals.heldBecause,
      runAt: proposals.runAt,
    })
    .from(proposals)
    .where(
      and(
        isNull(proposals.endedAt),
        lt(proposals.proposedAt, options.before),
        options.after === null ? undefined : gt(proposals.proposalUuid, options.after),
      ),
    )
    .orderBy(asc(proposals.proposalUuid))
    .limit(options.limit);
}
