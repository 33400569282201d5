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
import { alerts, caseAlerts, cases, connections, proposals } from '../schema/index.js';
import { countApprovals } from './proposal-decisions.js';
import { addTimelineEntry } from './proposals.js';
import { protectedBy } from './protected-assets.js';

type ProposalRow = typeof proposals.$inferSelect;
const HOUR_SECONDS = 3600;

interface Proposed {
  readonly proposalUuid: string;
  readonly state: ProposalState;
  readonly caution: string[];
  /** Why it is proposed, with what became of it before. */
  readonly reason: string;
  /** The case that it stands in already, for another alert; null: it is this alert's own. */
  readonly standsIn: string | null;
}

/**
 * Once a key: what was proposed before is answered as it stands, and so is the same write that stands for another alert.
 * null: the connection is not the organization's (any more).
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
    // One after the other: two alerts that ask for the same write at the same moment see each other.
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`proposals of ${draft.connectionId}`}, 0))`);
    await giveBackFailed(transaction, proposalKey);
    const failure = await findFailure(transaction, alertUuid, proposalKey);
    const reason = clip([draft.reason, ...(failure === null ? [] : [`Tried before, it failed: ${failure}`])].join(' '), 4000);
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
        // What could not be found out then may be known now.
        set: { assets: sql`coalesce(excluded.assets, proposals.assets)` },
        setWhere: eq(proposals.state, 'waiting'),
      })
      .returning({ ...getTableColumns(proposals), isNew: sql<boolean>`xmax = 0` });
    const [row] = added ? [added] : await transaction.select().from(proposals).where(eq(proposals.proposalKey, proposalKey));
    if (!row) throw new Error(`The proposal ${proposalKey} vanished in its own transaction.`);
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
 * What surely did not happen may be asked for again: its key is given back. Sent and never answered, or sent and its end
 * never learned, it may have happened, and keeps its key.
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

/** How the last one ended that failed and gave its key back. */
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
 * The same write for another alert, where that one is not over: nobody is asked twice. One that was done stands while its
 * undo is to come; without an undo nobody here knows whether it still does. An alert's own proposal goes before.
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
        // Nobody's word in time was a no, also where its workflow has yet to write that down.
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

/** What its workflow works on; null where it or its connection is gone. */
export async function readProposal(db: Db, proposalUuid: string) {
  const [found] = await db
    .select({
      row: proposals,
      alertId: alerts.alertId,
      instanceName: connections.instanceName,
      remoteAgentUuid: connections.remoteAgentUuid,
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

/** About to be sent: only with the approvals that are needed now, or when an undo is due. False: not (any more), or not yet. */
export async function beginProposal(db: Db, proposalUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const row = await lockUnended(transaction, proposalUuid);
    if (!row) return false;
    const change = (changed: Partial<ProposalRow>) =>
      transaction
        .update(proposals)
        .set({ ...changed, heldBecause: null })
        .where(eq(proposals.proposalUuid, proposalUuid));
    // A workflow that was begun again finds what it has sent by its operation key.
    if (row.state === 'running') return true;
    if (row.state === 'scheduled') {
      if (row.runAt === null || row.runAt > nowSeconds()) return false;
      await change({ state: 'running' });
      return true;
    }
    if (row.state !== 'approved') return false;
    const { given, needed, caution } = await countApprovals(transaction, row);
    if (given >= needed) {
      await change({ state: 'running' });
      return true;
    }
    await change({ state: 'waiting', expiresAt: nowSeconds() + PROPOSAL_EXPIRES_AFTER_HOURS * HOUR_SECONDS });
    const text = [`${row.skillId} needs ${needed} approvals now and has ${given}.`, ...caution].join(' ');
    await addTimelineEntry(transaction, row.alertUuid, { kind: 'decided', by: null, text });
    return false;
  });
}

/** Back to where it was before it was begun: what held it may last, and people may change their mind. */
export async function holdProposal(db: Db, proposalUuid: string, because: string): Promise<{ organizationUuid: string } | null> {
  const [held] = await db
    .update(proposals)
    .set({ heldBecause: clip(because, 1000), state: sql`case when undo_of is null then 'approved' else 'scheduled' end` })
    .where(and(eq(proposals.proposalUuid, proposalUuid), eq(proposals.state, 'running')))
    .returning({ organizationUuid: proposals.organizationUuid });
  return held ?? null;
}

/** Its key is given back: asked for again, it is another proposal. */
export async function expireProposal(db: Db, proposalUuid: string): Promise<void> {
  await db.transaction(async (transaction) => {
    const row = await lockUnended(transaction, proposalUuid);
    if (row?.state !== 'waiting') return;
    await transaction
      .update(proposals)
      .set({ state: 'expired', endedAt: nowSeconds(), proposalKey: `${row.proposalKey}/expired/${proposalUuid}` })
      .where(eq(proposals.proposalUuid, proposalUuid));
    const text = `${row.skillId} was not approved in time, and is not sent`;
    await addTimelineEntry(transaction, row.alertUuid, { kind: 'decided', by: null, text });
  });
}

export interface Undo {
  readonly verb: string;
  readonly skillId: string;
  readonly input: Record<string, unknown>;
}

/** Together with the undo that follows from it. */
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
      await scheduleUndo(transaction, row, undo, row.releaseAfterHours);
  });
}

async function scheduleUndo(transaction: Transaction, row: ProposalRow, undo: Undo, hours: number): Promise<void> {
  const now = nowSeconds();
  const runAt = now + hours * HOUR_SECONDS;
  await transaction.insert(proposals).values({
    ...row,
    ...undo,
    proposalUuid: newUuid(),
    proposalKey: `undo/${row.proposalUuid}`,
    reason: `${row.skillId} was meant for ${hours} hour${hours === 1 ? '' : 's'}.`,
    state: 'scheduled',
    heldBecause: null,
    releaseAfterHours: null,
    undoOf: row.proposalUuid,
    runAt,
    proposedAt: now,
    expiresAt: null,
  });
  const text = `${undo.skillId} follows at ${new Date(runAt * 1000).toISOString()}, unless somebody reconfirms ${row.skillId}`;
  await addTimelineEntry(transaction, row.alertUuid, { kind: 'proposed', by: null, text });
}

/** What a workflow of a proposal is started with. */
export interface StartableProposal {
  readonly proposalUuid: string;
  readonly skillId: string;
  readonly state: ProposalState;
  readonly heldBecause: string | null;
  readonly runAt: number | null;
}
const startable = {
  proposalUuid: proposals.proposalUuid,
  skillId: proposals.skillId,
  state: proposals.state,
  heldBecause: proposals.heldBecause,
  runAt: proposals.runAt,
};

/** The undo that waits for its time; null where there is none. */
export async function findUndo(db: Db, proposalUuid: string): Promise<StartableProposal | null> {
  const [undo] = await db
    .select(startable)
    .from(proposals)
    .where(and(eq(proposals.undoOf, proposalUuid), eq(proposals.state, 'scheduled')));
  return undo ?? null;
}

/** Not ended and not new, in order of the key: a thousand that wait never hide the lost one behind them. */
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
