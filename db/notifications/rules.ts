import { and, asc, eq, gt } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import { DIGEST_KINDS, RULES_AT_MOST, type Rule, type SaveRule } from '../../domain/notification/rule.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { notificationRules, organizations } from '../schema/index.js';
import { findChannel } from './channels.js';

const columns = {
  rule_id: notificationRules.ruleUuid,
  organization_code: organizations.organizationCode,
  name: notificationRules.name,
  channel_id: notificationRules.channelUuid,
  events: notificationRules.events,
  min_severity: notificationRules.minSeverity,
  verdicts: notificationRules.verdicts,
  assignee: notificationRules.assignee,
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

export async function listRules(db: Db, scope: string | null, page: PageRequest): Promise<Page<Rule>> {
  const { organizationUuid, ruleUuid } = notificationRules;
  const rows = await selectRules(db)
    .where(and(scope === null ? undefined : eq(organizationUuid, scope), page.after === null ? undefined : gt(ruleUuid, page.after)))
    .orderBy(asc(ruleUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.rule_id);
}

function toColumns(given: SaveRule) {
  const { channel_id: channelUuid, min_severity: minSeverity, is_enabled: isEnabled, ...more } = given;
  const { quiet_hours: quietHours, critical_at_once: criticalAtOnce, ...same } = more;
  return { ...same, channelUuid, minSeverity, isEnabled, quietHours, criticalAtOnce, modifiedAt: nowSeconds() };
}

type Saved = Rule | 'missing' | 'full' | WrongChannel;
type WrongChannel = 'unknown-channel' | 'no-digest-channel';

/** null: the rule can send to its channel. */
async function findWrongChannel(transaction: Transaction, organizationUuid: string, given: SaveRule): Promise<WrongChannel | null> {
  const channel = await findChannel(transaction, organizationUuid, given.channel_id);
  if (!channel) return 'unknown-channel';
  return given.digest === null || DIGEST_KINDS.includes(channel.kind) ? null : 'no-digest-channel';
}

/** The channel must belong to the organization of the rule. */
export async function createRule(db: Db, by: Principal, organizationUuid: string, given: SaveRule): Promise<Saved> {
  return db.transaction(async (transaction) => {
    // Concurrent additions wait, so that the count holds.
    await transaction.select().from(organizations).where(eq(organizations.organizationUuid, organizationUuid)).for('update');
    const wrong = await findWrongChannel(transaction, organizationUuid, given);
    if (wrong !== null) return wrong;
    const own = eq(notificationRules.organizationUuid, organizationUuid);
    if ((await transaction.$count(notificationRules, own)) >= RULES_AT_MOST) return 'full';
    const ruleUuid = newUuid();
    await transaction.insert(notificationRules).values({ ruleUuid, organizationUuid, ...toColumns(given), createdAt: nowSeconds() });
    await audit(transaction, by, { ruleUuid, organizationUuid }, 'create', given.name);
    return readRule(transaction, ruleUuid);
  });
}

export async function updateRule(db: Db, by: Principal, ruleUuid: string, given: SaveRule): Promise<Saved> {
  return db.transaction(async (transaction) => {
    const found = await lockRule(transaction, by, ruleUuid);
    if (!found) return 'missing';
    const wrong = await findWrongChannel(transaction, found.organizationUuid, given);
    if (wrong !== null) return wrong;
    await transaction.update(notificationRules).set(toColumns(given)).where(eq(notificationRules.ruleUuid, ruleUuid));
    await audit(transaction, by, found, 'update', given.name);
    return readRule(transaction, ruleUuid);
  });
}

export async function deleteRule(db: Db, by: Principal, ruleUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const found = await lockRule(transaction, by, ruleUuid);
    if (!found) return false;
    await transaction.delete(notificationRules).where(eq(notificationRules.ruleUuid, ruleUuid));
    await audit(transaction, by, found, 'delete', found.name);
    return true;
  });
}

async function lockRule(transaction: Transaction, { organizationUuid: scope }: Principal, ruleUuid: string) {
  const [found] = await transaction
    .select()
    .from(notificationRules)
    .where(and(eq(notificationRules.ruleUuid, ruleUuid), scope === null ? undefined : eq(notificationRules.organizationUuid, scope)))
    .for('update');
  return found ?? null;
}

async function readRule(transaction: Transaction, ruleUuid: string): Promise<Rule> {
  const [rule] = await selectRules(transaction).where(eq(notificationRules.ruleUuid, ruleUuid));
  if (!rule) throw new Error('The rule was not found in the transaction that saved it.');
  return rule;
}

async function audit(
  transaction: Transaction,
  by: Principal,
  { ruleUuid, organizationUuid }: { ruleUuid: string; organizationUuid: string },
  verb: string,
  name: string,
): Promise<void> {
  await recordAudit(transaction, { by, organizationUuid, action: `notification-rule.${verb}`, target: ruleUuid, details: { name } });
}
