import { and, countDistinct, eq, getTableColumns, inArray, isNull, or, type SQL } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import type { ApproveProposal, ReconfirmProposal } from '../../domain/response/proposal.js';
import { listCautions } from '../../domain/response/response-rules.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { isSamePerson, selectPerson } from '../identity/person.js';
import { caseAlerts, connections, proposalDecisions, proposals } from '../schema/index.js';
import { addTimelineEntry, approvalsNeeded } from './proposals.js';
import { protectedBy } from './protected-assets.js';

export type ProposalRow = typeof proposals.$inferSelect;

/** `missing`: outside the caller's scope. `decided`: no longer pending. `repeated`: the same person approved before. */
export type Decided = 'done' | 'missing' | 'decided' | 'repeated';

/** The lock serialises concurrent decisions. */
export async function lockProposal(transaction: Transaction, by: Principal, proposalUuid: string): Promise<ProposalRow | null> {
  const scope = by.organizationUuid;
  const [row] = await transaction
    .select()
    .from(proposals)
    .where(and(eq(proposals.proposalUuid, proposalUuid), scope === null ? undefined : eq(proposals.organizationUuid, scope)))
    .for('update');
  return row ?? null;
}

/** Given and needed approvals now: an asset that was protected since the proposal counts. */
export async function countApprovals(
  transaction: Transaction,
  row: ProposalRow,
): Promise<{ given: number; needed: number; caution: string[] }> {
  const [connection] = await transaction
    .select({ needsSecondPerson: connections.needsSecondPerson })
    .from(connections)
    .where(eq(connections.connectionUuid, row.connectionUuid));
  const assets = await protectedBy(transaction, [row.organizationUuid]);
  const caution = listCautions(row.assets, assets.get(row.organizationUuid) ?? []);
  const approvalsOf = async (proposalUuid: string) => {
    const [counted] = await transaction
      .select({ people: countDistinct(selectPerson(proposalDecisions.principalUuid)) })
      .from(proposalDecisions)
      .where(isApprovalOf(proposalUuid));
    return counted?.people ?? 0;
  };
  const approvalsOfWrite = row.undoOf === null ? 0 : await approvalsOf(row.undoOf);
  const needed = approvalsNeeded({ needsSecondPerson: connection?.needsSecondPerson ?? null, approvalsOfWrite }, caution);
  return { given: await approvalsOf(row.proposalUuid), needed, caution };
}

function isApprovalOf(proposalUuid: string): SQL | undefined {
  return and(eq(proposalDecisions.proposalUuid, proposalUuid), eq(proposalDecisions.decision, 'approve'));
}

/** One person counts once, with any of their keys, also for a write and its undo. */
async function hasApproved(transaction: Transaction, by: Principal, { proposalUuid, undoOf }: ProposalRow): Promise<boolean> {
  const approvals = undoOf === null ? isApprovalOf(proposalUuid) : or(isApprovalOf(proposalUuid), isApprovalOf(undoOf));
  return (await transaction.$count(proposalDecisions, and(approvals, isSamePerson(proposalDecisions.principalUuid, by)))) > 0;
}

export async function approveProposal(db: Db, by: Principal, proposalUuid: string, approval: ApproveProposal): Promise<Decided> {
  return db.transaction(async (transaction) => {
    const row = await lockProposal(transaction, by, proposalUuid);
    if (!row) return 'missing';
    // A proposal past `expires_at` is expired, even if its workflow has not recorded that yet.
    if (row.state !== 'waiting' || (row.expiresAt !== null && row.expiresAt <= nowSeconds())) return 'decided';
    if (await hasApproved(transaction, by, row)) return 'repeated';
    const approve = { decision: 'approve', reason: approval.reason ?? null, at: nowSeconds() } as const;
    await transaction.insert(proposalDecisions).values({ proposalUuid, principalUuid: by.uuid, by: by.name, ...approve });
    const { given, needed } = await countApprovals(transaction, row);
    const release = approval.release_after_hours;
    await transaction
      .update(proposals)
      .set({
        state: given >= needed ? 'approved' : 'waiting',
        ...(release === undefined ? {} : { releaseAfterHours: release }),
      })
      .where(eq(proposals.proposalUuid, proposalUuid));
    const progress = needed > 1 ? ` (${given} of ${needed} approvals)` : '';
    await noteDecision(transaction, by, row, 'proposal.approve', `${row.skillId} approved${progress}`, {
      reason: approval.reason ?? null,
      ...(release === undefined ? {} : { release_after_hours: release }),
    });
    return 'done';
  });
}

/** An approved proposal that is not sent yet can still be refused, also by its approver. */
export async function refuseProposal(db: Db, by: Principal, proposalUuid: string, reason: string): Promise<Decided> {
  return db.transaction(async (transaction) => {
    const row = await lockProposal(transaction, by, proposalUuid);
    if (!row) return 'missing';
    if (row.state !== 'waiting' && row.state !== 'approved') return 'decided';
    const refusal = { decision: 'refuse' as const, reason, at: nowSeconds() };
    await transaction
      .insert(proposalDecisions)
      .values({ proposalUuid, principalUuid: by.uuid, by: by.name, ...refusal })
      .onConflictDoUpdate({ target: [proposalDecisions.proposalUuid, proposalDecisions.principalUuid], set: refusal });
    await transaction
      .update(proposals)
      .set({ state: 'refused', heldBecause: null, endedAt: nowSeconds() })
      .where(eq(proposals.proposalUuid, proposalUuid));
    await noteDecision(transaction, by, row, 'proposal.refuse', `${row.skillId} refused`, { reason });
    return 'done';
  });
}

/** Moves or withdraws the undo of a proposal. `moved`: the id of the undo whose workflow starts at another time. */
export async function reconfirmProposal(
  db: Db,
  by: Principal,
  proposalUuid: string,
  { hours, reason }: ReconfirmProposal,
): Promise<{ decided: Decided; moved: string | null }> {
  return db.transaction(async (transaction) => {
    if (!(await lockProposal(transaction, by, proposalUuid))) return { decided: 'missing', moved: null };
    const [undo] = await transaction
      .select()
      .from(proposals)
      .where(and(or(eq(proposals.undoOf, proposalUuid), eq(proposals.proposalUuid, proposalUuid)), eq(proposals.state, 'scheduled')))
      .for('update');
    if (!undo) return { decided: 'decided', moved: null };
    const now = nowSeconds();
    const runAt = hours === null ? null : now + hours * 3600;
    await transaction
      .update(proposals)
      .set(runAt === null ? { state: 'withdrawn', heldBecause: null, endedAt: now, outcome: reason } : { runAt, heldBecause: null })
      .where(eq(proposals.proposalUuid, undo.proposalUuid));
    const change = runAt === null ? 'is withdrawn' : `is postponed until ${new Date(runAt * 1000).toISOString()}`;
    await noteDecision(transaction, by, undo, 'proposal.reconfirm', `${undo.skillId} ${change}`, { reason, hours });
    return { decided: 'done', moved: runAt === null ? null : undo.proposalUuid };
  });
}

/** Ends the proposals of a case that no worker sends yet, and returns their ids. The undo of a write that was sent stays. */
export async function withdrawProposals(transaction: Transaction, by: Principal, caseUuid: string, reason: string): Promise<string[]> {
  const rows = await transaction
    .select(getTableColumns(proposals))
    .from(proposals)
    .innerJoin(caseAlerts, eq(caseAlerts.alertUuid, proposals.alertUuid))
    .where(and(eq(caseAlerts.caseUuid, caseUuid), inArray(proposals.state, ['waiting', 'approved']), isNull(proposals.undoOf)))
    .for('update', { of: proposals });
  for (const row of rows) await withdraw(transaction, by, row, reason);
  return rows.map(({ proposalUuid }) => proposalUuid);
}

/** Ends a locked proposal. `by`: null for the service itself. */
export async function withdraw(transaction: Transaction, by: Principal | null, row: ProposalRow, reason: string): Promise<void> {
  await transaction
    .update(proposals)
    .set({ state: 'withdrawn', heldBecause: null, endedAt: nowSeconds(), outcome: reason })
    .where(eq(proposals.proposalUuid, row.proposalUuid));
  await noteDecision(transaction, by, row, 'proposal.withdraw', `${row.skillId} is withdrawn`, { reason });
}

/** `by`: null for the service itself. */
export async function noteDecision(
  transaction: Transaction,
  by: Principal | null,
  row: ProposalRow,
  action: string,
  text: string,
  details: { reason: string | null; [name: string]: unknown },
): Promise<void> {
  await addTimelineEntry(transaction, row.alertUuid, {
    kind: 'decided',
    by: by?.name ?? null,
    text: details.reason === null ? text : `${text}: ${details.reason}`,
  });
  await recordAudit(transaction, {
    by,
    organizationUuid: row.organizationUuid,
    action,
    target: row.proposalUuid,
    details: { skill_id: row.skillId, ...details },
  });
}
