import { and, eq, getTableColumns, gt } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import { type PendingRuleChange, RULE_CHANGE_EXPIRES_AFTER_HOURS, type RuleChangeKind } from '../../domain/response/rule-change.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { isSamePerson } from '../identity/person.js';
import { connections, ruleChanges } from '../schema/index.js';
import { lockRules } from './lock-rules.js';

const EXPIRES_AFTER_SECONDS = RULE_CHANGE_EXPIRES_AFTER_HOURS * 3600;

interface RuleChange {
  readonly organizationUuid: string;
  readonly change: RuleChangeKind;
  readonly target: string;
  readonly value: number | null;
}

/** Whether a connection of the organization requires a second person for its writes. */
export async function needsSecondPerson(transaction: Transaction, organizationUuid: string): Promise<boolean> {
  const guarded = and(eq(connections.organizationUuid, organizationUuid), eq(connections.needsSecondPerson, true));
  return (await transaction.$count(connections, guarded)) > 0;
}

/** Returns null if another person asked for the same change: it may take effect now. Otherwise stores the request. */
export async function confirmRuleChange(transaction: Transaction, by: Principal, asked: RuleChange): Promise<PendingRuleChange | null> {
  const { organizationUuid, change, target, value } = asked;
  // Two people who ask at the same moment see each other.
  await transaction.execute(lockRules(organizationUuid));
  const isSame = and(eq(ruleChanges.organizationUuid, organizationUuid), eq(ruleChanges.change, change), eq(ruleChanges.target, target));
  const [earlier] = await transaction
    .select({ ...getTableColumns(ruleChanges), bySamePerson: isSamePerson(ruleChanges.askedByUuid, by) })
    .from(ruleChanges)
    .where(isSame);
  const now = nowSeconds();
  const isConfirmed =
    earlier !== undefined && !earlier.bySamePerson && earlier.value === value && earlier.askedAt + EXPIRES_AFTER_SECONDS > now;
  if (isConfirmed) {
    await transaction.delete(ruleChanges).where(isSame);
    return null;
  }
  const request = { value, askedBy: by.name, askedByUuid: by.uuid, askedAt: now };
  await transaction
    .insert(ruleChanges)
    .values({ organizationUuid, change, target, ...request })
    .onConflictDoUpdate({ target: [ruleChanges.organizationUuid, ruleChanges.change, ruleChanges.target], set: request });
  await recordAudit(transaction, { by, organizationUuid, action: 'rule-change.ask', target, details: { change, value } });
  return toPending({ ...asked, ...request });
}

/** The requests of an organization that wait for a second person, oldest first. */
export async function listPendingChanges(db: Db, organizationUuid: string): Promise<PendingRuleChange[]> {
  const rows = await db
    .select()
    .from(ruleChanges)
    .where(and(eq(ruleChanges.organizationUuid, organizationUuid), gt(ruleChanges.askedAt, nowSeconds() - EXPIRES_AFTER_SECONDS)))
    .orderBy(ruleChanges.askedAt);
  return rows.map(toPending);
}

function toPending({ change, target, value, askedBy, askedAt }: RuleChange & { askedBy: string; askedAt: number }): PendingRuleChange {
  return { change, target, value, asked_by: askedBy, asked_at: askedAt, expires_at: askedAt + EXPIRES_AFTER_SECONDS };
}
