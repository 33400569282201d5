import { and, eq, getTableColumns, gt, inArray, isNull, or, type SQL } from 'drizzle-orm';
import { explainUncounted } from '../../domain/identity/approver.js';
import { type PendingRuleChange, RULE_CHANGE_EXPIRES_AFTER_HOURS, type RuleChangeKind } from '../../domain/response/rule-change.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { currentName } from '../identity/people.js';
import { findApprovers } from '../identity/person.js';
import { connections, protectedAssets, ruleChanges } from '../schema/index.js';

export const RULE_CHANGE_EXPIRES_AFTER_SECONDS = RULE_CHANGE_EXPIRES_AFTER_HOURS * 3600;

export interface RuleChange {
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

/** Whether writes of any organization need two people. `sensitiveKinds`: the connectors with writes that need them by default. */
export async function hasTwoPersonRules(db: Db, sensitiveKinds: readonly string[]): Promise<boolean> {
  const byDefault = and(isNull(connections.needsSecondPerson), inArray(connections.connectorKind, [...sensitiveKinds]));
  const guarded = await db.$count(connections, or(eq(connections.needsSecondPerson, true), byDefault));
  return guarded > 0 || (await db.$count(protectedAssets)) > 0;
}

export type StoredRuleChange = typeof ruleChanges.$inferSelect;

function isSame({ organizationUuid, change, target }: RuleChange): SQL | undefined {
  return and(eq(ruleChanges.organizationUuid, organizationUuid), eq(ruleChanges.change, change), eq(ruleChanges.target, target));
}

export async function findRuleChange(transaction: Transaction, asked: RuleChange): Promise<StoredRuleChange | null> {
  const [earlier] = await transaction.select().from(ruleChanges).where(isSame(asked));
  return earlier ?? null;
}

export async function deleteRuleChange(transaction: Transaction, asked: RuleChange): Promise<void> {
  await transaction.delete(ruleChanges).where(isSame(asked));
}

export async function storeRuleChange(
  transaction: Transaction,
  { organizationUuid, change, target, ...request }: StoredRuleChange,
): Promise<void> {
  await transaction
    .insert(ruleChanges)
    .values({ organizationUuid, change, target, ...request })
    .onConflictDoUpdate({ target: [ruleChanges.organizationUuid, ruleChanges.change, ruleChanges.target], set: request });
}

function isOpen(): SQL {
  return gt(ruleChanges.askedAt, nowSeconds() - RULE_CHANGE_EXPIRES_AFTER_SECONDS);
}

/** The requests of an organization that wait for a second person, oldest first. */
export async function listPendingChanges(db: Db, organizationUuid: string): Promise<PendingRuleChange[]> {
  const rows = await db
    .select({ ...getTableColumns(ruleChanges), askedBy: currentName(ruleChanges.askedByUserUuid, ruleChanges.askedBy) })
    .from(ruleChanges)
    .where(and(eq(ruleChanges.organizationUuid, organizationUuid), isOpen()))
    .orderBy(ruleChanges.askedAt);
  const approverOf = await findApprovers(
    db,
    rows.map(({ askedByUuid }) => askedByUuid),
  );
  return rows.map((row) => toPending(row, explainUncounted(approverOf(row.askedByUuid))));
}

/** Of writes whose early end waits for a second person, who asked for it. */
export async function listAskedReleases(db: Db | Transaction, proposalUuids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ target: ruleChanges.target, askedBy: currentName(ruleChanges.askedByUserUuid, ruleChanges.askedBy) })
    .from(ruleChanges)
    .where(and(eq(ruleChanges.change, 'release-action'), inArray(ruleChanges.target, [...proposalUuids]), isOpen()));
  return new Map(rows.map(({ target, askedBy }) => [target, askedBy]));
}

export function toPending(
  { change, target, value, askedBy, askedAt }: RuleChange & { askedBy: string; askedAt: number },
  notCounted: string | null,
): PendingRuleChange {
  const expires_at = askedAt + RULE_CHANGE_EXPIRES_AFTER_SECONDS;
  return { change, target, value, asked_by: askedBy, asked_at: askedAt, expires_at, not_counted: notCounted };
}
