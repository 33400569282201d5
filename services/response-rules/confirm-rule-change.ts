import type { Transaction } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import { findApprovers } from '../../db/identity/person.js';
import {
  deleteRuleChange,
  findRuleChange,
  RULE_CHANGE_EXPIRES_AFTER_SECONDS,
  type RuleChange,
  type StoredRuleChange,
  storeRuleChange,
  toPending,
} from '../../db/response/rule-changes.js';
import { lockRules } from '../../db/response/write-rules.js';
import { arePeople, explainUncounted } from '../../domain/identity/approver.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import type { Context, Inside } from '../context.js';
import { recordRuleEvent } from './record-rule-event.js';

/** Returns null if another person asked for the same change: it may take effect now. Otherwise stores the request. */
export async function confirmRuleChange(inside: Inside<Context>, asked: RuleChange): Promise<PendingRuleChange | null> {
  const { db, by, now } = inside;
  const { organizationUuid, change, target, value } = asked;
  // Two people who ask at the same moment see each other.
  await lockRules(db, organizationUuid);
  const earlier = await findOpenRequest(db, asked, now());
  const approverOf = await findApprovers(db, [by.uuid, ...(earlier === null ? [] : [earlier.askedByUuid])]);
  const mine = approverOf(by.uuid);
  if (earlier !== null && earlier.value === value && arePeople([approverOf(earlier.askedByUuid), mine])) {
    await deleteRuleChange(db, asked);
    return null;
  }
  const request = {
    organizationUuid,
    change,
    target,
    value,
    askedBy: by.name,
    askedByUuid: by.uuid,
    askedByUserUuid: by.userUuid,
    askedAt: now(),
  };
  const notCounted = explainUncounted(mine);
  // A request that counts stays: an account that does not count must not undo the first half of a confirmation.
  const isKept = notCounted !== null && earlier !== null && explainUncounted(approverOf(earlier.askedByUuid)) === null;
  if (!isKept) await storeRuleChange(db, request);
  const details = { change, value, ...(notCounted === null ? {} : { not_counted: notCounted }) };
  await recordAudit(db, { by, organizationUuid, action: 'rule-change.ask', target, details });
  recordRuleEvent(inside, 'rule.change_requested', asked);
  return toPending(request, notCounted);
}

async function findOpenRequest(db: Transaction, asked: RuleChange, now: number): Promise<StoredRuleChange | null> {
  const earlier = await findRuleChange(db, asked);
  return earlier !== null && earlier.askedAt + RULE_CHANGE_EXPIRES_AFTER_SECONDS > now ? earlier : null;
}
