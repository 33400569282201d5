import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { notificationChannels, notificationRules, organizations } from '../schema/index.js';
import { inOrganization } from '../scope.js';

const columns = {
  rule_id: notificationRules.ruleUuid,
  organization_code: organizations.organizationCode,
  name: notificationRules.name,
  channel_id: notificationRules.channelUuid,
  events: notificationRules.events,
  min_severity: notificationRules.minSeverity,
  verdicts: notificationRules.verdicts,
  assignee: currentName(notificationRules.assigneeUuid, notificationRules.assignee),
  is_enabled: notificationRules.isEnabled,
  quiet_hours: notificationRules.quietHours,
  digest: notificationRules.digest,
  critical_at_once: notificationRules.criticalAtOnce,
  created_at: notificationRules.createdAt,
  modified_at: notificationRules.modifiedAt,
};

function selectRules(db: Db | Transaction) {
  return db
    .select(columns)
    .from(notificationRules)
    .innerJoin(organizations, eq(organizations.organizationUuid, notificationRules.organizationUuid))
    .$dynamic();
}
export type RuleRow = Awaited<ReturnType<typeof selectRules>>[number];
type NewRule = typeof notificationRules.$inferInsert;

export async function listRules(db: Db | Transaction, scope: string | null, page: PageRequest): Promise<Page<RuleRow>> {
  const { organizationUuid, ruleUuid } = notificationRules;
  const rows = await selectRules(db)
    .where(and(inOrganization(organizationUuid, scope), page.after === null ? undefined : gt(ruleUuid, page.after)))
    .orderBy(asc(ruleUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.rule_id);
}

/** Concurrent additions wait, so that the count holds until the end of the transaction. */
export async function countRules(transaction: Transaction, organizationUuid: string): Promise<number> {
  await transaction.select().from(organizations).where(eq(organizations.organizationUuid, organizationUuid)).for('update');
  return transaction.$count(notificationRules, eq(notificationRules.organizationUuid, organizationUuid));
}

export async function insertRule(transaction: Transaction, rule: NewRule): Promise<RuleRow> {
  await transaction.insert(notificationRules).values(rule);
  return readRule(transaction, rule.ruleUuid);
}

export async function updateRuleRow(transaction: Transaction, ruleUuid: string, changes: Partial<NewRule>): Promise<RuleRow> {
  await transaction.update(notificationRules).set(changes).where(eq(notificationRules.ruleUuid, ruleUuid));
  return readRule(transaction, ruleUuid);
}

export async function deleteRuleRow(transaction: Transaction, ruleUuid: string): Promise<void> {
  await transaction.delete(notificationRules).where(eq(notificationRules.ruleUuid, ruleUuid));
}

export async function lockRule(transaction: Transaction, scope: string | null, ruleUuid: string) {
  const [found] = await transaction
    .select()
    .from(notificationRules)
    .where(and(eq(notificationRules.ruleUuid, ruleUuid), inOrganization(notificationRules.organizationUuid, scope)))
    .for('update');
  return found ?? null;
}

async function readRule(transaction: Transaction, ruleUuid: string): Promise<RuleRow> {
  const [rule] = await selectRules(transaction).where(eq(notificationRules.ruleUuid, ruleUuid));
  if (!rule) throw new Error('The rule was not found in the transaction that saved it.');
  return rule;
}

/** The enabled rules of these organizations whose channel is enabled. */
export async function listActiveRules(transaction: Transaction, organizationUuids: readonly string[]) {
  return transaction
    .select({
      organizationUuid: notificationRules.organizationUuid,
      ruleUuid: notificationRules.ruleUuid,
      channelUuid: notificationRules.channelUuid,
      kind: notificationChannels.kind,
      events: notificationRules.events,
      min_severity: notificationRules.minSeverity,
      verdicts: notificationRules.verdicts,
      assignee: currentName(notificationRules.assigneeUuid, notificationRules.assignee),
      quiet_hours: notificationRules.quietHours,
      digest: notificationRules.digest,
      critical_at_once: notificationRules.criticalAtOnce,
    })
    .from(notificationRules)
    .innerJoin(notificationChannels, eq(notificationChannels.channelUuid, notificationRules.channelUuid))
    .where(
      and(
        inArray(notificationRules.organizationUuid, [...organizationUuids]),
        eq(notificationRules.isEnabled, true),
        eq(notificationChannels.isEnabled, true),
      ),
    );
}
export type ActiveRule = Awaited<ReturnType<typeof listActiveRules>>[number];
