import { eq, sql } from 'drizzle-orm';
import { NotApproved, SkillError, WritesHeld } from '../../domain/connection/skill-errors.js';
import { findProposalId } from '../../domain/response/proposal.js';
import { DEFAULT_WRITES_PER_HOUR } from '../../domain/response/response-rules.js';
import type { Db, Transaction } from '../client.js';
import { proposals } from '../schema/index.js';
import { markSent, type Reservation, reserveWrite, type SkillCall } from '../skills/skill-results.js';
import { requireDecision } from '../skills/skill-runs.js';
import { lockRules } from './lock-rules.js';
import { countApprovals } from './proposal-decisions.js';

/** Writes of the last hour that were sent, or may have been. A refused write does not count. */
export const sentInLastHour = sql`operation_key is not null and status <> 'failed' and started_at > now() - interval '1 hour'`;

interface Rules extends Record<string, unknown> {
  readonly limit: number;
  readonly writes: number;
  readonly stopped_by: string | null;
  readonly stop_reason: string | null;
  /** Seconds until the limit allows one more write; null where it allows one now. */
  readonly free_in_seconds: number | null;
}

/** The stop switch or the hourly limit; null where neither holds the write. Its own earlier try does not count. */
export async function findHold(db: Db | Transaction, organizationUuid: string, operationKey: string): Promise<WritesHeld | null> {
  const [rules] = await db.execute<Rules>(sql`
    with rules as (
      select coalesce(writes_per_hour, ${DEFAULT_WRITES_PER_HOUR}) as allowed, stopped_by, stop_reason
      from organizations left join response_rules using (organization_uuid) where organization_uuid = ${organizationUuid}
    ), sent as (
      select started_at, row_number() over (order by started_at desc) as place from skill_results
      where organization_uuid = ${organizationUuid} and operation_key <> ${operationKey} and ${sentInLastHour}
    )
    select allowed as limit, stopped_by, stop_reason, (select count(*)::int from sent) as writes,
      (select ceil(extract(epoch from started_at + interval '1 hour' - now()))::float8 from sent where place = allowed) as free_in_seconds
    from rules`);
  if (!rules) return null;
  if (rules.stopped_by !== null)
    return new WritesHeld(`${rules.stopped_by} stopped all writes of the organization: ${rules.stop_reason ?? ''}`, null);
  if (rules.free_in_seconds === null) return null;
  const reason = `The organization sent ${rules.writes} writes in the last hour. Its limit is ${rules.limit}.`;
  return new WritesHeld(reason, Math.max(1, rules.free_in_seconds));
}

/** What identifies a write for the rules. */
type Write = Pick<SkillCall, 'organizationUuid' | 'runUuid'> & { readonly operationKey: string };

/**
 * All rules for a write, as they are now: approvals, stop switch and hourly limit. Proposals, undos and manual runs pass here
 * before each try. null where the write may be sent.
 */
async function findObstacle(transaction: Transaction, write: Write): Promise<SkillError | null> {
  const proposalUuid = findProposalId(write.operationKey);
  const unapproved =
    proposalUuid === null ? await findMissingDecision(transaction, write.runUuid) : await findMissingApproval(transaction, proposalUuid);
  return unapproved ?? findHold(transaction, write.organizationUuid, write.operationKey);
}

/** The workflow of a held proposal begins again, which sets it back to `waiting` if approvals are missing. */
async function findMissingApproval(transaction: Transaction, proposalUuid: string): Promise<WritesHeld | null> {
  const [row] = await transaction.select().from(proposals).where(eq(proposals.proposalUuid, proposalUuid)).for('update');
  if (row?.state !== 'running') return new WritesHeld('The proposal changed before the write was sent.', null);
  const { given, needed, caution } = await countApprovals(transaction, row);
  if (given >= needed) return null;
  return new WritesHeld([`It needs ${needed} approvals and has ${given}.`, ...caution].join(' '), null);
}

async function findMissingDecision(transaction: Transaction, runUuid: string | null): Promise<NotApproved | null> {
  const missing = runUuid === null ? null : await requireDecision(transaction, runUuid);
  return missing === null ? null : new NotApproved(missing);
}

/** A held write is not even reserved. A write that was sent before needs only a lookup, which is never held. */
export async function reserveWithinRules(db: Db, call: SkillCall, operationKey: string): Promise<Reservation> {
  return withinRules(db, call.organizationUuid, async (transaction) => {
    const sent = await transaction.execute(
      sql`select result_uuid from skill_results where operation_key = ${operationKey} and status <> 'failed'`,
    );
    const obstacle = sent.length > 0 ? null : await findObstacle(transaction, { ...call, operationKey });
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

/** The transaction ends before the error is thrown, because an obstacle can change the stored run. */
async function withinRules<Result>(
  db: Db,
  organizationUuid: string,
  act: (transaction: Transaction) => Promise<Result | SkillError>,
): Promise<Result> {
  const result = await db.transaction(async (transaction) => {
    await transaction.execute(lockRules(organizationUuid));
    return act(transaction);
  });
  if (result instanceof SkillError) throw result;
  return result;
}
