import type { Transaction } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import {
  deleteRuleChange,
  findRuleChange,
  RULE_CHANGE_EXPIRES_AFTER_SECONDS,
  type RuleChange,
  storeRuleChange,
  toPending,
} from '../../db/response/rule-changes.js';
import { lockRules } from '../../db/response/write-rules.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';

interface Asking {
  readonly db: Transaction;
  readonly by: Principal;
  readonly now: () => number;
}

/** Returns null if another person asked for the same change: it may take effect now. Otherwise stores the request. */
export async function confirmRuleChange({ db, by, now }: Asking, asked: RuleChange): Promise<PendingRuleChange | null> {
  const { organizationUuid, change, target, value } = asked;
  // Two people who ask at the same moment see each other.
  await lockRules(db, organizationUuid);
  const earlier = await findRuleChange(db, by, asked);
  const isConfirmed =
    earlier !== null && !earlier.bySamePerson && earlier.value === value && earlier.askedAt + RULE_CHANGE_EXPIRES_AFTER_SECONDS > now();
  if (isConfirmed) {
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
  await storeRuleChange(db, request);
  await recordAudit(db, { by, organizationUuid, action: 'rule-change.ask', target, details: { change, value } });
  return toPending(request);
}
