import { isDeepStrictEqual } from 'node:util';
import type { Db, Transaction } from '../../db/client.js';
import { isUuid } from '../../db/ids.js';
import { lockProposal, type ProposalRow } from '../../db/response/proposal-rows.js';
import { lockRules } from '../../db/response/write-rules.js';
import { isReserved, markSent, type Reservation, reserveWrite, type SkillCall } from '../../db/skills/skill-results.js';
import { NotApproved, SkillError, WritesHeld } from '../../domain/connection/skill-errors.js';
import { proposalOperationKey, readProposalId } from '../../domain/response/proposal.js';
import { recordRefusedCall } from '../callers/record-refused-call.js';
import { countApprovals } from '../proposals/count-approvals.js';
import { findHold } from './find-hold.js';

/** A write as its caller describes it. Nothing of it is trusted. */
export interface Write extends Pick<SkillCall, 'organizationUuid' | 'connectionUuid' | 'skillKey' | 'alertUuid' | 'runUuid'> {
  readonly operationKey: string;
  /** As the workflow passed it, before the contract parsed it. */
  readonly input: unknown;
  readonly workflowId: string;
}

/** A held write is not even reserved. A write that was sent before needs only a lookup, which is never held. */
export async function reserveWithinRules(db: Db, call: SkillCall, write: Write): Promise<Reservation> {
  return withinRules(db, write, async (transaction, proposal) => {
    const { operationKey } = write;
    const obstacle = (await isReserved(transaction, operationKey)) ? null : await findObstacle(transaction, write, proposal);
    return obstacle ?? reserveWrite(transaction, call, operationKey);
  });
}

/**
 * The last step before the request of a write leaves, after all slow steps such as the token request. The lock makes sure that a
 * write which passes here is marked as sent before the stop switch returns.
 */
export async function allowSending(db: Db, write: Write): Promise<void> {
  await withinRules(db, write, async (transaction, proposal) => {
    const obstacle = await findObstacle(transaction, write, proposal);
    return obstacle ?? markSent(transaction, write.operationKey);
  });
}

/** Reads the proposal of the write in the transaction that reserves it or marks it as sent. */
async function withinRules<Result>(
  db: Db,
  write: Write,
  act: (transaction: Transaction, proposal: ProposalRow) => Promise<Result | SkillError>,
): Promise<Result> {
  const result = await db.transaction(async (transaction) => {
    await lockRules(transaction, write.organizationUuid);
    const proposal = await findProposal(transaction, write);
    return proposal instanceof SkillError ? proposal : act(transaction, proposal);
  });
  if (result instanceof SkillError) throw result;
  return result;
}

async function findProposal(transaction: Transaction, write: Write): Promise<ProposalRow | NotApproved> {
  // Runs of earlier versions sent manual writes. Two senders could send one twice.
  if (write.runUuid !== null) return refuse(transaction, write, 'The workflow of a proposal sends this write now.');
  const proposalUuid = readProposalId(write.operationKey);
  const row = isUuid(proposalUuid) ? await lockProposal(transaction, write.organizationUuid, proposalUuid) : null;
  if (row === null) return refuse(transaction, write, 'No proposal of the organization has the operation key of the write.');
  const difference = findDifference(row, write);
  return difference === null ? row : refuse(transaction, write, `The proposal of this operation key has ${difference}.`);
}

/** null: the proposal is for exactly this write. Another spelling of the key would be a second write. */
function findDifference(row: ProposalRow, write: Write): string | null {
  if (write.operationKey !== proposalOperationKey(row.proposalUuid, { isManual: row.alertUuid === null })) return 'another operation key';
  if (write.connectionUuid !== row.connectionUuid) return 'another connection';
  if (write.skillKey !== row.skillKey) return 'another skill';
  if (write.alertUuid !== row.alertUuid) return 'another alert';
  return isDeepStrictEqual(write.input, row.input) ? null : 'another input';
}

async function refuse(transaction: Transaction, write: Write, reason: string): Promise<NotApproved> {
  const { organizationUuid, workflowId, skillKey, connectionUuid } = write;
  await recordRefusedCall({ db: transaction }, { organizationUuid, workflowId, activity: skillKey, connectionUuid, reason });
  return new NotApproved(reason);
}

/** The approvals, the stop switch and the hourly limit as they are now. null where the write may be sent. */
async function findObstacle(transaction: Transaction, write: Write, row: ProposalRow): Promise<SkillError | null> {
  return (await findMissingApproval(transaction, write, row)) ?? findHold(transaction, write.organizationUuid, write.operationKey);
}

/** The workflow of a held proposal begins again, which sets it back to `waiting` if approvals are missing. */
async function findMissingApproval(transaction: Transaction, write: Write, row: ProposalRow): Promise<WritesHeld | null> {
  if (row.state !== 'running') {
    await refuse(transaction, write, `The proposal is ${row.state}, not running.`);
    return new WritesHeld('The proposal changed before the write was sent.', null);
  }
  const { given, needed, caution } = await countApprovals(transaction, row);
  if (given >= needed) return null;
  return new WritesHeld([`It needs ${needed} approvals and has ${given}.`, ...caution].join(' '), null);
}
