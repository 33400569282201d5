import { and, asc, desc, eq, getTableColumns, gt, isNull, lt, ne, not, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { SkillRunError } from '../../domain/connection/skill.js';
import {
  ACTION_FAILED,
  PROPOSAL_EXPIRES_AFTER_HOURS,
  type ProposalDraft,
  type ProposalState,
  proposalOperationKey,
} from '../../domain/response/proposal.js';
import { listCautions } from '../../domain/response/response-rules.js';
import { clip } from '../../domain/text.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { alerts, caseAlerts, cases, connections, proposals, skillResults } from '../schema/index.js';
import { countApprovals, withdraw } from './proposal-decisions.js';
import { addTimelineEntry } from './proposals.js';
import { protectedBy } from './protected-assets.js';

type ProposalRow = typeof proposals.$inferSelect;
const HOUR_SECONDS = 3600;

interface Proposed {
  readonly proposalUuid: string;
  readonly state: ProposalState;
  readonly caution: string[];
  /** The reason for it, with the outcome of an earlier proposal. */
  readonly reason: string;
  /** The case that has the same proposal for another alert; null where it belongs to this alert. */
  readonly standsIn: string | null;
}

/**
 * One proposal for each key: returns the existing proposal, or the same pending write of another alert, instead of a new one.
 * null where the organization does not have the connection.
 */
export async function insertProposal(db: Db, draft: ProposalDraft & { proposalKey: string; skillId: string }): Promise<Proposed | null> {
  return db.transaction(async (transaction) => {
    const [place] = await transaction
      .select({ alertUuid: alerts.alertUuid, organizationUuid: alerts.organizationUuid })
      .from(alerts)
      .innerJoin(connections, eq(connections.organizationUuid, alerts.organizationUuid))
      .where(and(eq(alerts.alertId, draft.alertId), eq(connections.connectionUuid, draft.connectionId)));
    if (!place) return null;
    const { alertUuid, organizationUuid } = place;
    const { investigationNo, proposalKey, connector, verb, skillId, input, assets, releaseAfterHours } = draft;
    const now = nowSeconds();
    const protectedHere = await protectedBy(transaction, [organizationUuid]);
    const cautionFor = (touched: typeof assets) => listCautions(touched, protectedHere.get(organizationUuid) ?? []);
    // The lock makes two alerts that propose the same write at the same moment see each other.
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`proposals of ${draft.connectionId}`}, 0))`);
    await giveBackFailed(transaction, proposalKey);
    const failure = await findFailure(transaction, alertUuid, proposalKey);
    const reason = clip([draft.reason, ...(failure === null ? [] : [`An earlier try failed: ${failure}`])].join(' '), 4000);
    const other = await findStanding(transaction, { ...draft, organizationUuid, alertUuid });
    if (other !== null) return { ...other, caution: cautionFor(other.assets), reason };
    const [added] = await transaction
      .insert(proposals)
      .values({
        proposalUuid: newUuid(),
        organizationUuid,
        alertUuid,
        investigationNo,
        proposalKey,
        connectionUuid: draft.connectionId,
        connectorKey: connector,
        verb,
        skillId,
        input,
        reason,
        assets,
        state: 'waiting',
        releaseAfterHours,
        proposedAt: now,
        expiresAt: now + PROPOSAL_EXPIRES_AFTER_HOURS * HOUR_SECONDS,
      })
      .onConflictDoUpdate({
        target: proposals.proposalKey,
        // The affected assets may have been unknown at the first proposal.
        set: { assets: sql`coalesce(excluded.assets, proposals.assets)` },
        setWhere: eq(proposals.state, 'waiting'),
      })
      .returning({ ...getTableColumns(proposals), isNew: sql<boolean>`xmax = 0` });
    const [row] = added ? [added] : await transaction.select().from(proposals).where(eq(proposals.proposalKey, proposalKey));
    if (!row) throw new Error(`The proposal ${proposalKey} was not found in the transaction that inserted it.`);
    const caution = cautionFor(row.assets);
    if (added?.isNew)
      await addTimelineEntry(transaction, alertUuid, {
        kind: 'proposed',
        by: null,
        text: [`${skillId}: ${row.reason}`, ...caution].join(' '),
      });
    return { proposalUuid: row.proposalUuid, state: row.state, caution, reason, standsIn: null };
  });
}

const failedKey = (proposalKey: string) => `${proposalKey}/failed/`;

/**
 * A failed proposal that provably had no effect releases its key, so that the write can be proposed again. A write without
 * a known outcome keeps its key.
 */
async function giveBackFailed(transaction: Transaction, proposalKey: string): Promise<void> {
  const mayHaveHappened = sql`exists (
    select from skill_results
    where operation_key = ${proposalOperationKey('')}::text || ${proposals.proposalUuid}::text
      and (status = 'started' or (status = 'done' and ${proposals.error}->>'code' is distinct from ${ACTION_FAILED})))`;
  await transaction
    .update(proposals)
    .set({ proposalKey: sql`${failedKey(proposalKey)}::text || ${proposals.proposalUuid}::text` })
    .where(and(eq(proposals.proposalKey, proposalKey), eq(proposals.state, 'failed'), not(mayHaveHappened)));
}

/** The error of the last failed proposal that released its key. */
async function findFailure(transaction: Transaction, alertUuid: string, proposalKey: string): Promise<string | null> {
  const [failed] = await transaction
    .select({ outcome: proposals.outcome })
    .from(proposals)
    .where(and(eq(proposals.alertUuid, alertUuid), sql`starts_with(${proposals.proposalKey}, ${failedKey(proposalKey)})`))
    .orderBy(desc(proposals.proposalUuid))
    .limit(1);
  return failed?.outcome ?? null;
}

/**
 * The same write for another alert that is pending, or done with its undo still to come. A done write without an undo does not
 * count, because its effect may have been reverted elsewhere. The alert's own proposal takes precedence.
 */
async function findStanding(
  transaction: Transaction,
  draft: ProposalDraft & { proposalKey: string; organizationUuid: string; alertUuid: string },
): Promise<(Pick<Proposed, 'proposalUuid' | 'state' | 'standsIn'> & Pick<ProposalRow, 'assets'>) | null> {
  const own = await transaction.$count(proposals, eq(proposals.proposalKey, draft.proposalKey));
  if (own > 0) return null;
  const unended = alias(proposals, 'unended');
  const [standing] = await transaction
    .select({ proposalUuid: proposals.proposalUuid, state: proposals.state, assets: proposals.assets, standsIn: cases.caseId })
    .from(unended)
    .innerJoin(proposals, eq(proposals.proposalUuid, sql`coalesce(${unended.undoOf}, ${unended.proposalUuid})`))
    .innerJoin(caseAlerts, eq(caseAlerts.alertUuid, proposals.alertUuid))
    .innerJoin(cases, eq(cases.caseUuid, caseAlerts.caseUuid))
    .where(
      and(
        isNull(unended.endedAt),
        eq(unended.organizationUuid, draft.organizationUuid),
        // A proposal past `expires_at` is expired, even if its workflow has not recorded that yet.
        or(ne(unended.state, 'waiting'), gt(unended.expiresAt, nowSeconds())),
        ne(proposals.alertUuid, draft.alertUuid),
        eq(proposals.connectionUuid, draft.connectionId),
        eq(proposals.connectorKey, draft.connector),
        eq(proposals.verb, draft.verb),
        eq(proposals.input, draft.input),
      ),
    )
    .orderBy(asc(proposals.proposalUuid))
    .limit(1);
  return standing ?? null;
}

/** null where the proposal or its connection does not exist. */
export async function readProposal(db: Db, proposalUuid: string) {
  const [found] = await db
    .select({
      row: proposals,
      alertId: alerts.alertId,
      instanceName: connections.instanceName,
      remoteAgentUuid: connections.remoteAgentUuid,
      mayBeSent: sql<boolean>`exists (
        select from ${skillResults} where operation_key = ${proposalOperationKey(proposalUuid)} and status <> 'failed')`,
    })
    .from(proposals)
    .innerJoin(alerts, eq(alerts.alertUuid, proposals.alertUuid))
    .innerJoin(connections, eq(connections.connectionUuid, proposals.connectionUuid))
    .where(eq(proposals.proposalUuid, proposalUuid));
  return found ?? null;
}

async function lockUnended(transaction: Transaction, proposalUuid: string): Promise<ProposalRow | null> {
  const [row] = await transaction
    .select()
    .from(proposals)
    .where(and(eq(proposals.proposalUuid, proposalUuid), isNull(proposals.endedAt)))
    .for('update');
  return row ?? null;
}

/** Marks a proposal as running, if it is approved or due and has the approvals that it needs now. */
export async function beginProposal(db: Db, proposalUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const row = await lockUnended(transaction, proposalUuid);
    if (!row) return false;
    const change = (changed: Partial<ProposalRow>) =>
      transaction
        .update(proposals)
        .set({ ...changed, heldBecause: null })
        .where(eq(proposals.proposalUuid, proposalUuid));
    // A restarted workflow finds its earlier write by the operation key.
    if (row.state === 'running') return true;
    const isDue = row.state === 'scheduled' && row.runAt !== null && row.runAt <= nowSeconds();
    if (row.state !== 'approved' && !isDue) return false;
    const { given, needed, caution } = await countApprovals(transaction, row);
    if (given >= needed) {
      await change({ state: 'running' });
      return true;
    }
    await change({ state: 'waiting', expiresAt: nowSeconds() + PROPOSAL_EXPIRES_AFTER_HOURS * HOUR_SECONDS });
    const text = [`${row.skillId} now needs ${needed} approvals and has ${given}.`, ...caution].join(' ');
    await addTimelineEntry(transaction, row.alertUuid, { kind: 'decided', by: null, text });
    return false;
  });
}

/** Sets a held proposal back to approved, so that people can still refuse it. */
export async function holdProposal(db: Db, proposalUuid: string, because: string): Promise<{ organizationUuid: string } | null> {
  const [held] = await db
    .update(proposals)
    .set({ heldBecause: clip(because, 1000), state: sql`case when undo_of is null then 'approved' else 'scheduled' end` })
    .where(and(eq(proposals.proposalUuid, proposalUuid), eq(proposals.state, 'running')))
    .returning({ organizationUuid: proposals.organizationUuid });
  return held ?? null;
}

/** Releases the key: the same write becomes a new proposal. */
export async function expireProposal(db: Db, proposalUuid: string): Promise<void> {
  await db.transaction(async (transaction) => {
    const row = await lockUnended(transaction, proposalUuid);
    if (row?.state !== 'waiting') return;
    await transaction
      .update(proposals)
      .set({ state: 'expired', endedAt: nowSeconds(), proposalKey: `${row.proposalKey}/expired/${proposalUuid}` })
      .where(eq(proposals.proposalUuid, proposalUuid));
    const text = `${row.skillId} expired without approval and was not sent`;
    await addTimelineEntry(transaction, row.alertUuid, { kind: 'decided', by: null, text });
  });
}

/** A person did it at the third party. An undo can be done there too. */
export async function withdrawDone(db: Db, proposalUuid: string): Promise<void> {
  await db.transaction(async (transaction) => {
    const row = await lockUnended(transaction, proposalUuid);
    if (!row || row.state === 'running') return;
    await withdraw(transaction, null, row, 'The third party reports that this is already done.');
  });
}

export interface Undo {
  readonly verb: string;
  readonly skillId: string;
  readonly input: Record<string, unknown>;
}

/** Also schedules the undo, if there is one. */
export async function endProposal(
  db: Db,
  proposalUuid: string,
  end: { resultId: string; outcome: string } | { error: SkillRunError },
  undo: Undo | null,
): Promise<void> {
  await db.transaction(async (transaction) => {
    const row = await lockUnended(transaction, proposalUuid);
    if (!row) return;
    const outcome = clip('error' in end ? end.error.message : end.outcome, 2000);
    await transaction
      .update(proposals)
      .set({
        ...('error' in end ? { state: 'failed' as const, error: { ...end.error } } : { state: 'done' as const, resultUuid: end.resultId }),
        outcome,
        heldBecause: null,
        endedAt: nowSeconds(),
      })
      .where(eq(proposals.proposalUuid, proposalUuid));
    const text = 'error' in end ? `${row.skillId} failed: ${outcome}` : outcome;
    await addTimelineEntry(transaction, row.alertUuid, { kind: 'action', by: null, text });
    if (undo !== null && row.releaseAfterHours !== null && !('error' in end))
      await scheduleUndoAfter(transaction, row, undo, row.releaseAfterHours);
  });
}

async function scheduleUndoAfter(transaction: Transaction, row: ProposalRow, undo: Undo, hours: number): Promise<void> {
  const runAt = nowSeconds() + hours * HOUR_SECONDS;
  const reason = `${row.skillId} was approved for ${hours} hour${hours === 1 ? '' : 's'}.`;
  await scheduleUndo(transaction, row, undo, { runAt, reason });
  const text = `${undo.skillId} runs at ${new Date(runAt * 1000).toISOString()} unless a person reconfirms ${row.skillId}`;
  await addTimelineEntry(transaction, row.alertUuid, { kind: 'proposed', by: null, text });
}

export async function scheduleUndo(
  transaction: Transaction,
  row: ProposalRow,
  undo: Undo,
  { runAt, reason }: { runAt: number; reason: string },
): Promise<ProposalRow | null> {
  const [added] = await transaction
    .insert(proposals)
    .values({
      ...row,
      ...undo,
      proposalUuid: newUuid(),
      proposalKey: `undo/${row.proposalUuid}`,
      reason,
      state: 'scheduled',
      heldBecause: null,
      releaseAfterHours: null,
      undoOf: row.proposalUuid,
      runAt,
      proposedAt: nowSeconds(),
      expiresAt: null,
      endedAt: null,
      resultUuid: null,
      outcome: null,
      error: null,
    })
    .returning();
  return added ?? null;
}

export interface StartableProposal {
  readonly proposalUuid: string;
  readonly state: ProposalState;
  readonly heldBecause: string | null;
  readonly runAt: number | null;
}
const startable = {
  proposalUuid: proposals.proposalUuid,
  state: proposals.state,
  heldBecause: proposals.heldBecause,
  runAt: proposals.runAt,
};

/** The scheduled undo; null where there is none. */
export async function findUndo(db: Db, proposalUuid: string): Promise<StartableProposal | null> {
  const [undo] = await db
    .select(startable)
    .from(proposals)
    .where(and(eq(proposals.undoOf, proposalUuid), eq(proposals.state, 'scheduled')));
  return undo ?? null;
}

/** Open proposals that are not new, in the order of the key, so that many pending ones do not hide a lost one. */
export async function listUnended(
  db: Db,
  options: { untouchedForSeconds: number; after: string | null; limit: number },
): Promise<StartableProposal[]> {
  return db
    .select(startable)
    .from(proposals)
    .where(
      and(
        isNull(proposals.endedAt),
        lt(proposals.proposedAt, nowSeconds() - options.untouchedForSeconds),
        options.after === null ? undefined : gt(proposals.proposalUuid, options.after),
      ),
    )
    .orderBy(asc(proposals.proposalUuid))
    .limit(options.limit);
}
