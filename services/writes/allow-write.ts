import type { Db, Transaction } from '../../db/client.js';
import { lockProposal } from '../../db/response/proposal-rows.js';
import { lockRules } from '../../db/response/write-rules.js';
import { isReserved, markSent, type Reservation, reserveWrite, type SkillCall } from '../../db/skills/skill-results.js';
import { NotApproved, SkillError, WritesHeld } from '../../domain/connection/skill-errors.js';
import { readProposalId } from '../../domain/response/proposal.js';
import { countApprovals } from '../proposals/count-approvals.js';
import { findHold } from './find-hold.js';

/** What identifies a write for the rules. */
type Write = Pick<SkillCall, 'organizationUuid' | 'runUuid'> & { readonly operationKey: string };

/**
 * All rules for a write, as they are now: approvals, stop switch and hourly limit. Proposals, manual writes and undos pass here
 * before each try. null where the write may be sent.
 */
async function findObstacle(transaction: Transaction, write: Write): Promise<SkillError | null> {
  const unapproved = findWrongSender(write) ?? (await findMissingApproval(transaction, readProposalId(write.operationKey)));
  return unapproved ?? findHold(transaction, write.organizationUuid, write.operationKey);
}

/** Runs of earlier versions sent manual writes. Now the workflow of the proposal sends them, and two senders could send one twice. */
function findWrongSender({ runUuid }: Write): NotApproved | null {
  return runUuid === null ? null : new NotApproved('The workflow of a proposal sends this write now.');
}

/** The workflow of a held proposal begins again, which sets it back to `waiting` if approvals are missing. */
async function findMissingApproval(transaction: Transaction, proposalUuid: string): Promise<WritesHeld | null> {
  const row = await lockProposal(transaction, null, proposalUuid);
  if (row?.state !== 'running') return new WritesHeld('The proposal changed before the write was sent.', null);
  const { given, needed, caution } = await countApprovals(transaction, row);
  if (given >= needed) return null;
  return new WritesHeld([`It needs ${needed} approvals and has ${given}.`, ...caution].join(' '), null);
}

/** A held write is not even reserved. A write that was sent before needs only a lookup, which is never held. */
export async function reserveWithinRules(db: Db, call: SkillCall, operationKey: string): Promise<Reservation> {
  return withinRules(db, call.organizationUuid, async (transaction) => {
    const write = { ...call, operationKey };
    const obstacle = (await isReserved(transaction, operationKey)) ? findWrongSender(write) : await findObstacle(transaction, write);
    return obstacle ?? reserveWrite(transaction, call, operationKey);
  });
}

/**
 * The last step before the request of a write leaves, after all slow steps such as the token request. The lock makes sure that a
 * write which passes here is marked as sent before the stop switch returns.
 */
export async function allowSending(db: Db, write: Write): Promise<void> {
  await withinRules(db, write.organizationUuid, async (transaction) => {
    const obstacle = await findObstacle(transaction, write);
    return obstacle ?? markSent(transaction, write.operationKey);
  });
}

async function withinRules<Result>(
  db: Db,
  organizationUuid: string,
  act: (transaction: Transaction) => Promise<Result | SkillError>,
): Promise<Result> {
  const result = await db.transaction(async (transaction) => {
    await lockRules(transaction, organizationUuid);
    return act(transaction);
  });
  if (result instanceof SkillError) throw result;
  return result;
}
